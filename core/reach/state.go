package reach

import (
	"bytes"
	"encoding/binary"
	"iter"
	"sync"

	"ephemera/core/kv"
)

// base is a view, which serves one goroutine, for many: it reads each record
// once and keeps it.
type base struct {
	mu   sync.RWMutex
	view kv.Reader
	seen map[string][]byte // nil: there is none
}

// Get gives what the view has.
func (b *base) Get(key []byte) ([]byte, bool, error) {
	b.mu.RLock()
	value, known := b.seen[string(key)]
	b.mu.RUnlock()
	if known {
		return value, value != nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	value, ok, err := b.view.Get(key)
	if err != nil {
		return nil, false, err
	}
	if ok && value == nil {
		value = []byte{}
	}
	b.seen[string(key)] = value
	return value, ok, nil
}

// Scan reads the whole range before it gives any of it: the only walk that a
// message makes is over the collection's few attributes.
func (b *base) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		var all []kv.Pair
		b.mu.Lock()
		for p, err := range b.view.Scan(r) {
			if err != nil {
				b.mu.Unlock()
				yield(kv.Pair{}, err)
				return
			}
			all = append(all, kv.Pair{Key: bytes.Clone(p.Key), Value: bytes.Clone(p.Value)})
		}
		b.mu.Unlock()
		for _, p := range all {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// record is a value that messages have given to a key. There is one for each
// value of each key, so that states share it and are told apart by its number.
type record struct {
	number uint32
	key    []byte
	value  []byte // nil: the key is gone
}

// records numbers what messages write.
type records struct {
	mu    sync.Mutex
	known map[string]*record
	bytes int // about what they take
}

func (r *records) of(c kv.Change) *record {
	name := kv.AppendPart(make([]byte, 0, len(c.Key)+len(c.New)+8), c.Key)
	if c.New != nil {
		name = append(append(name, '='), c.New...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.known[string(name)]; ok {
		return known
	}
	rec := &record{uint32(len(r.known)), c.Key, c.New}
	r.known[string(name)] = rec
	r.bytes += 2*len(name) + 128
	return rec
}

// state is what messages have changed of the view, by key. A record that is as
// it was is not in it, so equal states are equal lists.
type state []*record

// name tells a state from all others.
func (s state) name() string {
	b := make([]byte, 0, 4*len(s))
	for _, r := range s {
		b = binary.LittleEndian.AppendUint32(b, r.number)
	}
	return string(b)
}

// trial is a state to try messages on. A message that is refused before it
// writes leaves it as it was, which is the rule; one that wrote has used it up.
type trial struct {
	*kv.Overlay
	wrote bool
}

func newTrial(b *base, s state) (*trial, error) {
	t := &trial{Overlay: kv.NewOverlay(b)}
	for _, r := range s {
		if r.value == nil {
			_ = t.Overlay.Delete(r.key) // never fails
		} else if err := t.Overlay.Set(r.key, r.value); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Set fails with a [*kv.LimitError].
func (t *trial) Set(key, value []byte) error {
	t.wrote = true
	return t.Overlay.Set(key, value)
}

// Delete never fails.
func (t *trial) Delete(key []byte) error {
	t.wrote = true
	return t.Overlay.Delete(key)
}

// state gives what the trial has come to.
func (t *trial) state(r *records) (state, error) {
	changes, err := t.Changes()
	s := make(state, len(changes))
	for i, c := range changes {
		s[i] = r.of(c)
	}
	return s, err
}

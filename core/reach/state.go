package reach

import (
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

// Scan walks the view while all others wait. Whoever walks must not read
// meanwhile: the one walk that messages make, over the attributes of the
// collection, does not.
func (b *base) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.view.Scan(r)(yield)
	}
}

// record is a value that messages have given to a key; nil: the key is gone.
// There is one for each value of each key, so that states share it.
type record struct {
	number     uint32
	key, value []byte
}

// records numbers what messages write.
type records struct {
	mu    sync.Mutex
	known map[string]*record
	bytes int // about what they take
}

func (r *records) of(c kv.Change) *record {
	name := kv.AppendPart(make([]byte, 0, len(c.Key)+len(c.New)+3), c.Key)
	end := len(name)
	if c.New != nil {
		name = append(append(name, '='), c.New...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.known[string(name)]
	if !ok {
		known = &record{number: uint32(len(r.known)), key: name[end-len(c.Key) : end]}
		if c.New != nil {
			known.value = name[end+1:]
		}
		r.known[string(name)] = known
		r.bytes += 2*len(name) + 128
	}
	return known
}

// state is what messages have changed of the view, in the order of the keys. A
// record that is as it was is not in it, so equal states are equal lists.
type state []*record

// name tells a state from all others: by the bytes of its records, each of which
// has a number.
func (s state) name() string {
	b := make([]byte, 0, 4*len(s))
	for _, r := range s {
		b = binary.LittleEndian.AppendUint32(b, r.number)
	}
	return string(b)
}

// trial is a state to try messages on. A message that is refused before it
// writes, as nearly all are, leaves it for the next one.
type trial struct {
	*kv.Overlay
	wrote bool
}

func newTrial(b *base, s state) (*trial, error) {
	t := &trial{Overlay: kv.NewOverlay(b)}
	changes := make([]kv.Change, len(s))
	for i, r := range s {
		changes[i] = kv.Change{Key: r.key, New: r.value}
	}
	return t, kv.Apply(t.Overlay, changes)
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

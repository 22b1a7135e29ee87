package kv

import (
	"bytes"
	"iter"
	"slices"
)

// Recorder is a [Txn] that passes everything on to another and remembers what
// its writes change. History, undo, the state diff and the expiry index live on that
// one list. While it is at work, nothing else may write the same keys.
type Recorder struct {
	base    Txn
	changes []Change // by first write

	// Where a key stands in changes. A message writes a handful of keys, where
	// looking through them is faster than a map; it is made when they are many.
	index map[string]int

	// What was read last, in turns. A contract reads a record before it writes
	// it, and a read from disk costs more than all else that is done here.
	seen [8]sight
	next int

	believing bool // it takes for old what it is told
}

// sight is a value in the form of [Change], as it was read.
type sight struct {
	key, value []byte
	valid      bool
}

// manyChanges is the number of keys from which a Recorder keeps an index.
const manyChanges = 16

// NewRecorder gives a recorder that has seen nothing yet.
func NewRecorder(t Txn) *Recorder { return &Recorder{base: t} }

// Get reads from the transaction below.
func (r *Recorder) Get(key []byte) ([]byte, bool, error) {
	value, err := lookup(r.base, key)
	if err == nil {
		r.see(key, value)
	}
	return value, value != nil, err
}

// knower is a [Writer] that reads what it is about to write over, unless it is
// told what that is, and believes it.
type knower interface {
	// know tells what stands under a key; nil is nothing. Neither slice may be
	// changed afterwards.
	know(key, value []byte)
}

// Believe makes the recorder take for old what [Map.Replace] says that it is.
// Who says so must be right: what is remembered is what an undo brings back.
func (r *Recorder) Believe() { r.believing = true }

func (r *Recorder) know(key, value []byte) {
	if r.believing {
		r.see(key, value)
	}
}

func (r *Recorder) see(key, value []byte) {
	r.seen[r.next] = sight{key: key, value: value, valid: true}
	r.next = (r.next + 1) % len(r.seen)
}

// Scan reads from the transaction below.
func (r *Recorder) Scan(rng Range) iter.Seq2[Pair, error] { return r.base.Scan(rng) }

// Set fails with a [*LimitError], or as the transaction below does; then
// nothing is remembered.
func (r *Recorder) Set(key, value []byte) error {
	if err := CheckEntry(key, value); err != nil {
		return err
	}
	if value == nil {
		value = []byte{}
	}
	return r.write(key, value)
}

// Delete fails as the transaction below does; then nothing is remembered.
func (r *Recorder) Delete(key []byte) error { return r.write(key, nil) }

func (r *Recorder) write(key, value []byte) error {
	i, ok := r.find(key)
	if !ok {
		old, err := r.old(key)
		if err != nil {
			return err
		}
		i = r.add(Change{Key: key, Old: old, New: old})
	}
	if err := put(r.base, key, value); err != nil {
		return err
	}
	r.changes[i].New = value
	return nil
}

// old gives the value of a key that was not written yet.
func (r *Recorder) old(key []byte) ([]byte, error) {
	for _, s := range r.seen {
		if s.valid && bytes.Equal(s.key, key) {
			return s.value, nil
		}
	}
	return lookup(r.base, key)
}

func (r *Recorder) find(key []byte) (int, bool) {
	if r.index != nil {
		i, ok := r.index[string(key)]
		return i, ok
	}
	for i := range r.changes {
		if bytes.Equal(r.changes[i].Key, key) {
			return i, true
		}
	}
	return 0, false
}

func (r *Recorder) add(c Change) int {
	i := len(r.changes)
	r.changes = append(r.changes, c)
	switch {
	case r.index != nil:
		r.index[string(c.Key)] = i
	case len(r.changes) == manyChanges:
		r.index = make(map[string]int, 2*manyChanges)
		for i, c := range r.changes {
			r.index[string(c.Key)] = i
		}
	}
	return i
}

// Changes gives every key that now differs from what it was at its first
// write, sorted by key.
func (r *Recorder) Changes() []Change {
	changes := make([]Change, 0, len(r.changes))
	for _, c := range r.changes {
		if !c.Idle() {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return bytes.Compare(a.Key, b.Key) })
	return changes
}

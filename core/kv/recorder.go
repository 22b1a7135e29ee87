package kv

import (
	"bytes"
	"iter"
	"slices"
)

// Recorder is a [Txn] that passes everything on to another and remembers what
// its writes change. History, undo, the state diff and the expiry index live on
// that one list. While it is at work, nothing else may write the same keys.
type Recorder struct {
	base Txn
	// changes has every key that was read or written: to write a record that was
	// read before, as a contract does, costs no second read.
	changes map[string]Change
}

// NewRecorder gives a recorder that has seen nothing yet.
func NewRecorder(t Txn) *Recorder { return &Recorder{base: t, changes: map[string]Change{}} }

// Get reads from the transaction below.
func (r *Recorder) Get(key []byte) ([]byte, bool, error) {
	c, err := r.change(key)
	return c.New, c.New != nil, err
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
	c, err := r.change(key)
	if err != nil {
		return err
	}
	if err := put(r.base, key, value); err != nil {
		return err
	}
	c.Key, c.New = key, value
	r.changes[string(key)] = c
	return nil
}

// change gives what became of a key until now.
func (r *Recorder) change(key []byte) (Change, error) {
	c, known := r.changes[string(key)]
	if known {
		return c, nil
	}
	value, err := lookup(r.base, key)
	if err == nil {
		c = Change{Key: key, Old: value, New: value}
		r.changes[string(key)] = c
	}
	return c, err
}

// Changes gives every key that now differs from what it was at its first
// write, sorted by key.
func (r *Recorder) Changes() []Change {
	changes := make([]Change, 0, len(r.changes))
	for _, c := range r.changes {
		if !c.IsNoop() {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return bytes.Compare(a.Key, b.Key) })
	return changes
}

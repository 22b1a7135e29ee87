package kv

import "bytes"

// Change is what a transaction did to one key. A side is nil where the key is
// absent; an empty value is not nil. The slices must not be changed.
type Change struct{ Key, Old, New []byte }

// IsNoop tells that both sides are the same.
func (c Change) IsNoop() bool {
	return (c.Old == nil) == (c.New == nil) && bytes.Equal(c.Old, c.New)
}

// Apply writes the new side of changes to w: it does them again. It stops at
// the first error and returns it.
func Apply(w Writer, changes []Change) error {
	for _, c := range changes {
		if err := put(w, c.Key, c.New); err != nil {
			return err
		}
	}
	return nil
}

// Inverse turns changes around: what undoes them.
func Inverse(changes []Change) []Change {
	out := make([]Change, len(changes))
	for i, c := range changes {
		out[i] = Change{Key: c.Key, Old: c.New, New: c.Old}
	}
	return out
}

// put writes a value in the form of [Change], where nil is absent.
func put(w Writer, key, value []byte) error {
	if value == nil {
		return w.Delete(key)
	}
	return w.Set(key, value)
}

// lookup reads a value in the form of [Change].
func lookup(r Reader, key []byte) ([]byte, error) {
	value, ok, err := r.Get(key)
	if ok && value == nil {
		value = []byte{}
	}
	return value, err
}

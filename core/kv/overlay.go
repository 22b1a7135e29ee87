package kv

import (
	"bytes"
	"iter"

	"github.com/tidwall/btree"
)

// Overlay is a [Txn] that keeps its writes in memory, over a base that it only
// reads. A message runs in one and is dropped when it is refused; so does a
// preview, a dry run or a probe, which leaves nothing behind.
type Overlay struct {
	base    Reader // nil: nothing lies below the writes
	pending *tree
}

// NewOverlay returns an overlay without writes. It can be used as long as base.
func NewOverlay(base Reader) *Overlay {
	return &Overlay{base: base, pending: newTree()}
}

// Copy returns an overlay with the same writes. Later writes to one of the two
// are not seen by the other.
func (o *Overlay) Copy() *Overlay {
	return &Overlay{base: o.base, pending: o.pending.Copy()}
}

// Get returns the pending value of key, or else the value in the base.
func (o *Overlay) Get(key []byte) ([]byte, bool, error) {
	if write, ok := o.pending.Get(entry{key: key}); ok {
		return write.value, !write.isDeletion(), nil
	}
	if o.base == nil {
		return nil, false, nil
	}
	return o.base.Get(key)
}

// Set fails with a [*LimitError].
func (o *Overlay) Set(key, value []byte) error {
	if err := CheckEntry(key, value); err != nil {
		return err
	}
	if value == nil {
		value = []byte{}
	}
	o.pending.Set(entry{key: key, value: value})
	return nil
}

// Delete hides key, whether or not the base has it. It never fails.
func (o *Overlay) Delete(key []byte) error {
	if o.base == nil {
		o.pending.Delete(entry{key: key})
		return nil
	}
	o.pending.Set(entry{key: key})
	return nil
}

// Scan walks the base and the pending writes as one store.
func (o *Overlay) Scan(r Range) iter.Seq2[Pair, error] {
	if o.base != nil && o.pending.Len() == 0 {
		return o.base.Scan(r)
	}
	return func(yield func(Pair, error) bool) {
		if o.base != nil {
			o.scanBoth(r, yield)
			return
		}
		for write := range entriesIn(o.pending, r) {
			if !yield(write.pair(r), nil) {
				return
			}
		}
	}
}

// scanBoth merges the base with the pending writes, which win where both have a key.
func (o *Overlay) scanBoth(r Range, yield func(Pair, error) bool) {
	nextWrite, stop := iter.Pull(entriesIn(o.pending, r))
	defer stop()
	write, hasWrite := nextWrite()

	// yieldWrite passes the pending write on, unless it is a deletion, and moves to
	// the next one.
	yieldWrite := func() bool {
		current := write
		write, hasWrite = nextWrite()
		return current.isDeletion() || yield(current.pair(r), nil)
	}

	for p, err := range o.base.Scan(r) {
		if err != nil {
			yield(Pair{}, err)
			return
		}
		for hasWrite && r.isBefore(write.key, p.Key) {
			if !yieldWrite() {
				return
			}
		}
		isOverwritten := hasWrite && bytes.Equal(write.key, p.Key)
		if isOverwritten {
			continue // the next round yields the write instead
		}
		if !yield(p, nil) {
			return
		}
	}
	for hasWrite && yieldWrite() {
	}
}

// Flush writes everything pending to w, in key order. It stops at the first
// error and returns it.
func (o *Overlay) Flush(w Writer) error {
	var err error
	o.pending.Scan(func(write entry) bool {
		err = put(w, write.key, write.value)
		return err == nil
	})
	return err
}

// Changes returns what the writes change in the base, sorted by key; a write that
// changes nothing is left out. It reads the old values from the base and fails
// where that fails.
func (o *Overlay) Changes() ([]Change, error) {
	var changes []Change
	var err error
	o.pending.Scan(func(write entry) bool {
		change := Change{Key: write.key, New: write.value}
		if change.Old, err = lookup(o.base, write.key); err != nil {
			return false
		}
		if !change.IsNoop() {
			changes = append(changes, change)
		}
		return true
	})
	return changes, err
}

// tree holds the writes of an [Overlay] in key order.
type tree = btree.BTreeG[entry]

// entry is one write. The value of a deletion is nil, and no other value is.
type entry struct{ key, value []byte }

// newTree returns an empty tree. The tree has no locks; its owner locks it.
func newTree() *tree {
	less := func(a, b entry) bool { return bytes.Compare(a.key, b.key) < 0 }
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

func (e entry) isDeletion() bool { return e.value == nil }

// pair returns the entry as a scan of r yields it.
func (e entry) pair(r Range) Pair {
	if r.KeysOnly {
		return Pair{Key: e.key}
	}
	return Pair{Key: e.key, Value: e.value}
}

// entriesIn walks the entries of a range, in the order of the range.
func entriesIn(t *tree, r Range) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		if !r.Reverse {
			t.Ascend(entry{key: r.Start}, func(e entry) bool {
				isInside := r.End == nil || bytes.Compare(e.key, r.End) < 0
				return isInside && yield(e)
			})
			return
		}

		visit := func(e entry) bool {
			isInside := bytes.Compare(e.key, r.Start) >= 0
			return isInside && yield(e)
		}
		if r.End == nil {
			t.Reverse(visit)
			return
		}
		t.Descend(entry{key: r.End}, func(e entry) bool {
			isEnd := bytes.Equal(e.key, r.End) // Descend includes it, the range does not
			return isEnd || visit(e)
		})
	}
}

// isBefore reports whether a walk of r meets the key a before the key b.
func (r Range) isBefore(a, b []byte) bool {
	if r.Reverse {
		return bytes.Compare(b, a) < 0
	}
	return bytes.Compare(a, b) < 0
}

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

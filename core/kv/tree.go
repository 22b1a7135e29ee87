package kv

import (
	"bytes"
	"iter"

	"github.com/tidwall/btree"
)

// tree is the ordered map in memory under [Memory] and [Overlay].
type tree = btree.BTreeG[entry]

// entry is one record of a tree. In an overlay, gone marks a key that was
// deleted from what lies below.
type entry struct {
	key, value []byte
	gone       bool
}

// newTree gives an empty tree that leaves locking to its owner.
func newTree() *tree {
	less := func(a, b entry) bool { return bytes.Compare(a.key, b.key) < 0 }
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

// newEntry copies key and value into one new slice, so that nothing outside
// the tree can change them. The value is never nil.
func newEntry(key, value []byte) entry {
	n := len(key)
	both := make([]byte, n+len(value))
	copy(both, key)
	copy(both[n:], value)
	return entry{key: both[:n:n], value: both[n:]}
}

// pair is an entry as a scan of r gives it.
func (e entry) pair(r Range) Pair {
	if r.KeysOnly {
		return Pair{Key: e.key}
	}
	return Pair{Key: e.key, Value: e.value}
}

// walk gives the entries of r in its order.
func walk(t *tree, r Range) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		if !r.Reverse {
			t.Ascend(entry{key: r.Start}, func(e entry) bool {
				return (r.End == nil || bytes.Compare(e.key, r.End) < 0) && yield(e)
			})
			return
		}
		visit := func(e entry) bool { return bytes.Compare(e.key, r.Start) >= 0 && yield(e) }
		if r.End == nil {
			t.Reverse(visit)
			return
		}
		t.Descend(entry{key: r.End}, func(e entry) bool {
			// The pivot is inclusive, the end of a range is not.
			return bytes.Equal(e.key, r.End) || visit(e)
		})
	}
}

// before says whether a walk of r comes to a before it comes to b.
func (r Range) before(a, b []byte) bool {
	if r.Reverse {
		a, b = b, a
	}
	return bytes.Compare(a, b) < 0
}

package kv

import (
	"bytes"

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

// walk calls fn with the entries of r in its order until fn says false.
func walk(t *tree, r Range, fn func(entry) bool) {
	if r.Reverse {
		walkBack(t, r, fn)
		return
	}
	t.Ascend(entry{key: r.Start}, func(e entry) bool {
		return before(e.key, r.End) && fn(e)
	})
}

func walkBack(t *tree, r Range, fn func(entry) bool) {
	visit := func(e entry) bool {
		return bytes.Compare(e.key, r.Start) >= 0 && fn(e)
	}
	if r.End == nil {
		t.Reverse(visit)
		return
	}
	t.Descend(entry{key: r.End}, func(e entry) bool {
		// The pivot is inclusive, the end of a range is not.
		return bytes.Equal(e.key, r.End) || visit(e)
	})
}

// before says whether key lies before end, where nil is past every key.
func before(key, end []byte) bool {
	return end == nil || bytes.Compare(key, end) < 0
}

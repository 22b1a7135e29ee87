package kv

import (
	"bytes"
	"cmp"
	"iter"

	"github.com/tidwall/btree"
)

// Overlay is a [Txn] that keeps its writes in memory and reads all other records from a
// base, which it never changes. A message to the contract runs in an overlay: if the
// contract refuses the message, the overlay is dropped, otherwise [Overlay.Flush] copies
// its writes to the store. Previews are never flushed.
type Overlay struct {
	base    Reader // nil if there are no records below the writes
	pending *tree  // the writes so far
}

// NewOverlay returns an overlay over base without writes. It can be used as long as base.
func NewOverlay(base Reader) *Overlay {
	return &Overlay{base: base, pending: newTree()}
}

// Copy returns an overlay with the same writes. Later writes to one of the two
// are not seen by the other.
func (o *Overlay) Copy() *Overlay {
	return &Overlay{base: o.base, pending: o.pending.Copy()}
}

// Get returns the value that the overlay wrote under key. If it wrote none, Get returns
// the value in the base. For a deleted key, ok is false.
func (o *Overlay) Get(key []byte) ([]byte, bool, error) {
	if write, ok := o.pending.Get(entry{key: key}); ok {
		return write.value, !write.isDeletion(), nil
	}
	if o.base == nil {
		return nil, false, nil
	}
	return o.base.Get(key)
}

// Set writes a record into the overlay alone. It fails with a [*LimitError] if the key or
// the value is too long.
func (o *Overlay) Set(key, value []byte) error {
	if err := CheckEntry(key, value); err != nil {
		return err
	}
	if value == nil {
		value = []byte{} // in the tree, nil would be a deletion
	}
	o.pending.Set(entry{key: key, value: value})
	return nil
}

// Delete removes a record from the overlay and hides the record of the base that has the
// same key. It never fails.
func (o *Overlay) Delete(key []byte) error {
	if o.base == nil {
		o.pending.Delete(entry{key: key})
		return nil
	}
	o.pending.Set(entry{key: key})
	return nil
}

// Scan yields the records of r in key order: those of the base, with the overlay's writes
// added and its deletions left out.
func (o *Overlay) Scan(r Range) iter.Seq2[Pair, error] {
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

// scanBoth yields the records of a range from two sorted sources, the base and the
// pending writes, in one order. If both have a key, it yields the pending write; if that
// is a deletion, it yields neither.
func (o *Overlay) scanBoth(r Range, yield func(Pair, error) bool) {
	nextWrite, stop := iter.Pull(entriesIn(o.pending, r))
	defer stop()
	writes := writeScan{r: r, yield: yield, next: nextWrite}
	writes.current, writes.hasCurrent = nextWrite()

	// Before each record of the base, yield the writes with smaller keys.
	for p, err := range o.base.Scan(r) {
		if err != nil {
			yield(Pair{}, err)
			return
		}
		if !writes.yieldBefore(p.Key) {
			return
		}
		isOverwritten := writes.hasCurrent && bytes.Equal(writes.current.key, p.Key)
		if isOverwritten {
			continue // the write stays current, and a later round or the last loop yields it
		}
		if !yield(p, nil) {
			return
		}
	}
	for writes.hasCurrent && writes.yieldCurrent() {
		// yieldCurrent goes on to the next write behind the last record of the base.
	}
}

// writeScan goes over the pending writes of an [Overlay] in a range. A scan of the overlay
// merges them with the records below.
type writeScan struct {
	r          Range
	yield      func(Pair, error) bool // yields to the scan of the overlay; false ends it
	next       func() (write entry, ok bool)
	current    entry // the write that is yielded next
	hasCurrent bool
}

// yieldBefore yields the writes that come before a key in the order of the scan. It returns
// false if the caller of the scan wants no more.
func (s *writeScan) yieldBefore(key []byte) bool {
	for s.hasCurrent && s.r.isBefore(s.current.key, key) {
		if !s.yieldCurrent() {
			return false
		}
	}
	return true
}

// yieldCurrent yields the current write, unless it is a deletion, and makes the next one
// current. It returns false if the caller of the scan wants no more.
func (s *writeScan) yieldCurrent() bool {
	write := s.current
	s.current, s.hasCurrent = s.next()
	return write.isDeletion() || s.yield(write.pair(s.r), nil)
}

// Flush copies the writes and deletions of the overlay to w, in key order. It stops at
// the first error of w and returns it.
func (o *Overlay) Flush(w Writer) error {
	var err error
	o.pending.Scan(func(write entry) bool {
		err = setOrDelete(w, write.key, write.value)
		return err == nil
	})
	return err
}

// Changes returns the difference between the base and the overlay, sorted by key: one
// [Change] for every record with a new, another or no value. It leaves out writes of the
// value that the base has. It fails if the base cannot be read.
func (o *Overlay) Changes() ([]Change, error) {
	var changes []Change
	var err error
	o.pending.Scan(func(write entry) bool {
		// Compare each write with the value that the base has.
		change := Change{Key: write.key, New: write.value}
		change.Old, _, err = o.base.Get(write.key)
		if err != nil {
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

// entry is one write of an [Overlay]. A nil value means that the key was deleted; an
// empty value that was written is not nil.
type entry struct{ key, value []byte }

// newTree returns an empty tree, sorted by key. The tree does no locking of its own,
// because a transaction runs in one goroutine and a snapshot never changes.
func newTree() *tree {
	less := func(a, b entry) bool { return bytes.Compare(a.key, b.key) < 0 }
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

// isDeletion reports whether the entry deletes its key. A deletion hides the record of the
// base that has the same key.
func (e entry) isDeletion() bool { return e.value == nil }

// pair returns the entry as a scan of r yields it: without the value if r asks for keys
// only.
func (e entry) pair(r Range) Pair {
	if r.KeysOnly {
		return Pair{Key: e.key}
	}
	return Pair{Key: e.key, Value: e.value}
}

// entriesIn yields the entries of t whose keys are in the range r, from the first key to
// the last, or from the last to the first if the range is reversed.
func entriesIn(t *tree, r Range) iter.Seq[entry] {
	if r.Reverse {
		return func(yield func(entry) bool) { descend(t, r, yield) }
	}
	return func(yield func(entry) bool) { ascend(t, r, yield) }
}

// ascend passes the entries in a range to yield, the lowest key first, until yield returns
// false.
func ascend(t *tree, r Range, yield func(entry) bool) {
	t.Ascend(entry{key: r.Start}, func(e entry) bool {
		isInside := r.End == nil || bytes.Compare(e.key, r.End) < 0
		return isInside && yield(e)
	})
}

// descend passes the entries in a range to yield, the highest key first, until yield returns
// false.
func descend(t *tree, r Range, yield func(entry) bool) {
	visit := func(e entry) bool {
		isInside := bytes.Compare(e.key, r.Start) >= 0
		return isInside && yield(e)
	}
	if r.End == nil {
		t.Reverse(visit)
		return
	}
	t.Descend(entry{key: r.End}, func(e entry) bool {
		isEnd := bytes.Equal(e.key, r.End)
		return isEnd || visit(e) // Descend begins with r.End, which is not in the range
	})
}

// isBefore reports whether a scan of r yields key a before key b. In a reversed scan, the
// greater key is first.
func (r Range) isBefore(a, b []byte) bool {
	if r.Reverse {
		return bytes.Compare(b, a) < 0
	}
	return bytes.Compare(a, b) < 0
}

// Change is the change of one record by a transaction. Its slices must not be changed.
type Change struct {
	Key []byte
	Old []byte // the value before; nil if there was no record
	New []byte // the value after; nil if the record was deleted
}

// IsNoop reports whether the record is the same before and after the change. No record
// and a record with an empty value are not the same.
func (c Change) IsNoop() bool {
	return (c.Old == nil) == (c.New == nil) && bytes.Equal(c.Old, c.New)
}

// Apply makes changes in w: it writes the new values, and deletes the records without
// one. It stops at the first error of w and returns it.
func Apply(w Writer, changes []Change) error {
	for _, c := range changes {
		if err := setOrDelete(w, c.Key, c.New); err != nil {
			return err
		}
	}
	return nil
}

// Inverse returns the changes that undo changes: each with its old and its new value
// swapped.
func Inverse(changes []Change) []Change {
	inverse := make([]Change, len(changes))
	for i, c := range changes {
		inverse[i] = Change{Key: c.Key, Old: c.New, New: c.Old}
	}
	return inverse
}

// setOrDelete writes a record, or deletes it if value is nil.
func setOrDelete(w Writer, key, value []byte) error {
	if value == nil {
		return w.Delete(key)
	}
	return w.Set(key, value)
}

// SideBySide reads two stores at the same time and yields one [Change] for every key that
// either of them has, in key order: Old is the value in before, New the value in after. If
// the values are equal, the change is a no-op (see [Change.IsNoop]).
//
// SideBySide holds one record of each store, so its memory does not depend on their size.
// The slices of a change are valid only until the next one is yielded. If reading fails,
// SideBySide yields the error last and ends.
func SideBySide(before, after Reader) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		older := ReadAhead(before.Scan(Range{}))
		defer older.Stop()
		newer := ReadAhead(after.Scan(Range{}))
		defer newer.Stop()

		for older.HasCurrent || newer.HasCurrent {
			if err := cmp.Or(older.Err, newer.Err); err != nil {
				yield(Change{}, err)
				return
			}

			// The lower key comes first. A key that both stores have is one change.
			order := bytes.Compare(older.Current.Key, newer.Current.Key)
			takesOld := older.HasCurrent && (!newer.HasCurrent || order <= 0)
			takesNew := newer.HasCurrent && (!older.HasCurrent || order >= 0)
			var change Change
			if takesOld {
				change.Key = older.Current.Key
				change.Old = presentValue(older.Current.Value)
			}
			if takesNew {
				change.Key = newer.Current.Key
				change.New = presentValue(newer.Current.Value)
			}
			if !yield(change, nil) {
				return
			}

			if takesOld {
				older.Advance()
			}
			if takesNew {
				newer.Advance()
			}
		}
	}
}

// presentValue returns the value of a record that a scan has yielded in the form that a
// [Change] has it: an empty value is not nil.
func presentValue(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

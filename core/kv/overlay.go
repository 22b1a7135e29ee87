package kv

import (
	"bytes"
	"cmp"
	"iter"

	"github.com/tidwall/btree"
)

// Overlay is a [Txn] that keeps its writes in memory and reads all other records from a
// base, which it never changes. A message to the contract runs in an overlay, which is dropped
// if the contract refuses the message.
type Overlay struct {
	base          Reader // nil if there are no records below the writes
	pendingWrites *tree  // the writes so far
}

// NewOverlay returns an overlay that can be used as long as base can. A nil base has no records.
func NewOverlay(base Reader) *Overlay {
	return &Overlay{base: base, pendingWrites: newTree()}
}

// Copy returns an overlay with the same writes. Neither sees later writes to the other.
func (o *Overlay) Copy() *Overlay {
	return &Overlay{base: o.base, pendingWrites: o.pendingWrites.Copy()}
}

// Get returns the value that was written, or else the one in the base.
func (o *Overlay) Get(key []byte) ([]byte, bool, error) {
	if write, ok := o.pendingWrites.Get(pendingWrite{key: key}); ok {
		return write.value, !write.isDeletion(), nil
	}
	if o.base == nil {
		return nil, false, nil
	}
	return o.base.Get(key)
}

// Set fails with a [*LimitError] if the key or the value is too long.
func (o *Overlay) Set(key, value []byte) error {
	if err := CheckEntry(key, value); err != nil {
		return err
	}

	// In the tree, a value of nil would be a deletion.
	o.pendingWrites.Set(pendingWrite{key: key, value: presentValue(value)})
	return nil
}

// Delete also hides the record of the base that has the key. It never fails.
func (o *Overlay) Delete(key []byte) error {
	if o.base == nil {
		o.pendingWrites.Delete(pendingWrite{key: key})
		return nil
	}
	o.pendingWrites.Set(pendingWrite{key: key})
	return nil
}

// Scan yields the records of the base as the writes and deletions have changed them.
func (o *Overlay) Scan(keyRange Range) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if o.base != nil {
			o.scanBoth(keyRange, yield)
			return
		}

		// Without a base, all records are writes, and none of these is a deletion.
		for write := range writesIn(o.pendingWrites, keyRange) {
			if !yield(write.pair(keyRange), nil) {
				return
			}
		}
	}
}

// scanBoth merges the records of the base and the pending writes. If both have a key, it yields
// the pending write alone, or nothing if that is a deletion.
func (o *Overlay) scanBoth(keyRange Range, yield func(Pair, error) bool) {
	nextWrite, stop := iter.Pull(writesIn(o.pendingWrites, keyRange))
	defer stop()
	write, hasWrite := nextWrite()
	yieldWrite := func() (wantsMore bool) {
		current := write
		write, hasWrite = nextWrite()
		return current.isDeletion() || yield(current.pair(keyRange), nil)
	}

	for record, err := range o.base.Scan(keyRange) {
		if err != nil {
			yield(Pair{}, err)
			return
		}

		// The writes that come before the record are yielded first.
		for hasWrite && keyRange.isBefore(write.key, record.Key) {
			if !yieldWrite() {
				return
			}
		}

		// A record that was overwritten is skipped, and the write is yielded next.
		if hasWrite && bytes.Equal(write.key, record.Key) {
			continue
		}
		if !yield(record, nil) {
			return
		}
	}

	wantsMore := true
	for hasWrite && wantsMore {
		wantsMore = yieldWrite()
	}
}

// Flush copies the writes and deletions to writer, in key order, up to the first error of
// writer, which it returns. The overlay keeps them.
func (o *Overlay) Flush(writer Writer) error {
	for write := range writesIn(o.pendingWrites, Range{}) {
		if err := setOrDelete(writer, write.key, write.value); err != nil {
			return err
		}
	}
	return nil
}

// Changes returns what the overlay changes in the base, sorted by key, without writes of the
// value that the base has. It fails if the base cannot be read.
func (o *Overlay) Changes() ([]Change, error) {
	var changes []Change
	for write := range writesIn(o.pendingWrites, Range{}) {
		oldValue, _, err := o.base.Get(write.key)
		if err != nil {
			return nil, err
		}

		change := Change{Key: write.key, OldValue: oldValue, NewValue: write.value}
		if !change.IsNoop() {
			changes = append(changes, change)
		}
	}
	return changes, nil
}

// tree holds the writes of an [Overlay] in key order.
type tree = btree.BTreeG[pendingWrite]

// pendingWrite is one write of an [Overlay].
type pendingWrite struct {
	key   []byte
	value []byte // nil if the key was deleted; a value that was written is never nil
}

// newTree returns a tree without locking, because a transaction runs in one goroutine and a
// snapshot never changes.
func newTree() *tree {
	less := func(a, b pendingWrite) bool { return bytes.Compare(a.key, b.key) < 0 }
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

func (w pendingWrite) isDeletion() bool { return w.value == nil }

func (w pendingWrite) pair(keyRange Range) Pair {
	if keyRange.KeysOnly {
		return Pair{Key: w.key}
	}
	return Pair{Key: w.key, Value: w.value}
}

func writesIn(writes *tree, keyRange Range) iter.Seq[pendingWrite] {
	return func(yield func(pendingWrite) bool) {
		visit := func(write pendingWrite) bool {
			isBelowEnd := keyRange.End == nil || bytes.Compare(write.key, keyRange.End) < 0
			return isBelowEnd && bytes.Compare(write.key, keyRange.Start) >= 0 && yield(write)
		}
		switch {
		case !keyRange.Reverse:
			writes.Ascend(pendingWrite{key: keyRange.Start}, visit)
		case keyRange.End == nil:
			writes.Reverse(visit)
		default:
			// Descend begins with the key keyRange.End, which is not in the range, so skip it.
			writes.Descend(pendingWrite{key: keyRange.End}, func(write pendingWrite) bool {
				return bytes.Equal(write.key, keyRange.End) || visit(write)
			})
		}
	}
}

// isBefore reports whether a scan of r yields key a before key b.
func (r Range) isBefore(a, b []byte) bool {
	if r.Reverse {
		return bytes.Compare(b, a) < 0
	}
	return bytes.Compare(a, b) < 0
}

// Change is the change of one record by a transaction. Its slices must not be changed.
type Change struct {
	Key      []byte
	OldValue []byte // the value before; nil if there was no record
	NewValue []byte // the value after; nil if the record was deleted
}

// IsNoop reports whether nothing changes. A missing record differs from one with an empty value.
func (c Change) IsNoop() bool {
	return (c.OldValue == nil) == (c.NewValue == nil) && bytes.Equal(c.OldValue, c.NewValue)
}

// Apply makes changes up to the first error of writer, which it returns.
func Apply(writer Writer, changes []Change) error {
	for _, change := range changes {
		if err := setOrDelete(writer, change.Key, change.NewValue); err != nil {
			return err
		}
	}
	return nil
}

// Inverse returns changes that undo the given ones.
func Inverse(changes []Change) []Change {
	inverse := make([]Change, len(changes))
	for i, change := range changes {
		inverse[i] = Change{Key: change.Key, OldValue: change.NewValue, NewValue: change.OldValue}
	}
	return inverse
}

func setOrDelete(writer Writer, key, value []byte) error {
	if value == nil {
		return writer.Delete(key)
	}
	return writer.Set(key, value)
}

// CompareStores yields one [Change] for every key in either of two stores, in key order. It may
// be a no-op. Its slices are valid only until the next one is yielded. It keeps one record of
// each store in memory. If reading fails, the error is the last that is yielded.
func CompareStores(before, after Reader) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		nextOld, stopOld := iter.Pull2(before.Scan(Range{}))
		defer stopOld()
		nextNew, stopNew := iter.Pull2(after.Scan(Range{}))
		defer stopNew()

		oldRecord, oldErr, hasOld := nextOld()
		newRecord, newErr, hasNew := nextNew()
		for hasOld || hasNew {
			if err := cmp.Or(oldErr, newErr); err != nil {
				yield(Change{}, err)
				return
			}

			// Take the record with the lower key, or both if their keys are equal.
			order := bytes.Compare(oldRecord.Key, newRecord.Key)
			takesOld := hasOld && (!hasNew || order <= 0)
			takesNew := hasNew && (!hasOld || order >= 0)

			var change Change
			if takesOld {
				change.Key = oldRecord.Key
				change.OldValue = presentValue(oldRecord.Value)
			}
			if takesNew {
				change.Key = newRecord.Key
				change.NewValue = presentValue(newRecord.Value)
			}
			if !yield(change, nil) {
				return
			}

			if takesOld {
				oldRecord, oldErr, hasOld = nextOld()
			}
			if takesNew {
				newRecord, newErr, hasNew = nextNew()
			}
		}
	}
}

// presentValue returns a value that is not nil, which in a [Change] or a [pendingWrite] would
// mean that there is no record.
func presentValue(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

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
	base          Reader // nil if there are no records below the writes
	pendingWrites *tree  // the writes so far
}

// NewOverlay returns an overlay over base that has no writes yet. It can be used as long as
// base can. A nil base has no records.
func NewOverlay(base Reader) *Overlay {
	return &Overlay{base: base, pendingWrites: newTree()}
}

// Copy returns an overlay with the same writes. Later writes to one of the two
// are not seen by the other.
func (o *Overlay) Copy() *Overlay {
	return &Overlay{base: o.base, pendingWrites: o.pendingWrites.Copy()}
}

// Get returns the value that the overlay wrote under key. If it wrote none, Get returns
// the value in the base. For a deleted key, ok is false.
func (o *Overlay) Get(key []byte) ([]byte, bool, error) {
	if write, ok := o.pendingWrites.Get(pendingWrite{key: key}); ok {
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

	// In the tree, a value of nil would be a deletion.
	o.pendingWrites.Set(pendingWrite{key: key, value: presentValue(value)})
	return nil
}

// Delete removes a record from the overlay and hides the record of the base that has the
// same key. It never fails.
func (o *Overlay) Delete(key []byte) error {
	if o.base == nil {
		o.pendingWrites.Delete(pendingWrite{key: key})
		return nil
	}
	o.pendingWrites.Set(pendingWrite{key: key})
	return nil
}

// Scan yields the records in a range, in key order: those of the base, as the writes and
// deletions of the overlay have changed them.
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

// scanBoth merges the records of the base and the pending writes in a range. If both have a
// key, it yields the pending write alone, or nothing if that is a deletion.
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

// Flush copies the writes and deletions of the overlay to writer, in key order. It stops at
// the first error of writer and returns it. The overlay keeps its writes.
func (o *Overlay) Flush(writer Writer) error {
	for write := range writesIn(o.pendingWrites, Range{}) {
		if err := setOrDelete(writer, write.key, write.value); err != nil {
			return err
		}
	}
	return nil
}

// Changes returns what the overlay changes in the base, sorted by key. It has one [Change]
// for every record that is new, has another value or was deleted. It leaves out a write of
// the same value that the base has. It fails if the base cannot be read.
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

// newTree returns an empty tree, sorted by key. The tree does no locking of its own,
// because a transaction runs in one goroutine and a snapshot never changes.
func newTree() *tree {
	less := func(a, b pendingWrite) bool { return bytes.Compare(a.key, b.key) < 0 }
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

func (w pendingWrite) isDeletion() bool { return w.value == nil }

// pair returns the write as a record of a scan.
func (w pendingWrite) pair(keyRange Range) Pair {
	if keyRange.KeysOnly {
		return Pair{Key: w.key}
	}
	return Pair{Key: w.key, Value: w.value}
}

// writesIn yields the writes in a range, in its direction.
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

// IsNoop reports whether the record is the same before and after the change. A missing
// record differs from a record with an empty value.
func (c Change) IsNoop() bool {
	return (c.OldValue == nil) == (c.NewValue == nil) && bytes.Equal(c.OldValue, c.NewValue)
}

// Apply makes changes in writer. It stops at the first error of writer and returns it.
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

// CompareStores compares two stores and yields one [Change] for every key that either of
// them has, in key order. OldValue is the value in before, and NewValue is the value in
// after. If they are equal, the change is a no-op (see [Change.IsNoop]).
//
// It reads both stores at the same time, one record of each, so it needs little memory. The
// slices of a change are valid only until the next one is yielded. If reading fails, the
// error is the last that is yielded.
func CompareStores(before, after Reader) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		oldRecords := NewLookaheadReader(before.Scan(Range{}))
		defer oldRecords.Stop()
		newRecords := NewLookaheadReader(after.Scan(Range{}))
		defer newRecords.Stop()

		for oldRecords.HasCurrent || newRecords.HasCurrent {
			if err := cmp.Or(oldRecords.Err, newRecords.Err); err != nil {
				yield(Change{}, err)
				return
			}

			// Take the record with the lower key, or both if their keys are equal.
			order := bytes.Compare(oldRecords.Current.Key, newRecords.Current.Key)
			takesOld := oldRecords.HasCurrent && (!newRecords.HasCurrent || order <= 0)
			takesNew := newRecords.HasCurrent && (!oldRecords.HasCurrent || order >= 0)

			var change Change
			if takesOld {
				change.Key = oldRecords.Current.Key
				change.OldValue = presentValue(oldRecords.Current.Value)
			}
			if takesNew {
				change.Key = newRecords.Current.Key
				change.NewValue = presentValue(newRecords.Current.Value)
			}
			if !yield(change, nil) {
				return
			}

			// Go on to the next record where one was taken.
			if takesOld {
				oldRecords.Advance()
			}
			if takesNew {
				newRecords.Advance()
			}
		}
	}
}

// presentValue returns a value that is not nil, because a nil value in a [Change] or a
// [pendingWrite] means that the record does not exist.
func presentValue(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

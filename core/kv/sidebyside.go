package kv

import (
	"bytes"
	"cmp"
	"iter"
)

// SideBySide reads two stores at the same time and yields one [Change] for every key that
// either of them has, in key order: Old is the value in before, New the value in after. If
// the values are equal, the change is a no-op (see [Change.IsNoop]).
//
// SideBySide holds one record of each store, so its memory does not depend on their size.
// The slices of a change are valid only until the next one is yielded. If reading fails,
// SideBySide yields the error last and ends.
func SideBySide(before, after Reader) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		nextOld, stopOld := iter.Pull2(before.Scan(Range{}))
		defer stopOld()
		nextNew, stopNew := iter.Pull2(after.Scan(Range{}))
		defer stopNew()

		older, oldErr, hasOld := nextOld()
		newer, newErr, hasNew := nextNew()
		for hasOld || hasNew {
			if err := cmp.Or(oldErr, newErr); err != nil {
				yield(Change{}, err)
				return
			}

			// The lower key comes first. A key that both stores have is one change.
			order := bytes.Compare(older.Key, newer.Key)
			takesOld := hasOld && (!hasNew || order <= 0)
			takesNew := hasNew && (!hasOld || order >= 0)
			var change Change
			if takesNew {
				change.Key = newer.Key
				change.New = presentValue(newer.Value)
			}
			if takesOld {
				change.Key = older.Key
				change.Old = presentValue(older.Value)
			}
			if !yield(change, nil) {
				return
			}

			if takesOld {
				older, oldErr, hasOld = nextOld()
			}
			if takesNew {
				newer, newErr, hasNew = nextNew()
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

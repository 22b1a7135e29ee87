package kv

import "bytes"

// Walk says which part of an ordered list to read: from its start or, in Reverse,
// its end; or from a place, which need not exist, exclusive or inclusive.
type Walk struct {
	Place     *string
	Inclusive bool
	Reverse   bool
}

// RangeUnder gives the walk's part of a range, where prefix stands before the place.
func (w Walk) RangeUnder(r Range, prefix []byte) Range {
	r.Reverse = w.Reverse
	if w.Place == nil {
		return r
	}
	key := append(append(make([]byte, 0, len(prefix)+len(*w.Place)+1), prefix...), *w.Place...)
	if w.Reverse == w.Inclusive { // the first key behind the place
		key = append(key, 0)
	}
	switch {
	case w.Reverse && (r.End == nil || bytes.Compare(key, r.End) < 0):
		r.End = key
	case !w.Reverse && bytes.Compare(key, r.Start) > 0:
		r.Start = key
	}
	if r.End != nil && bytes.Compare(r.Start, r.End) > 0 {
		r.Start = r.End
	}
	return r
}

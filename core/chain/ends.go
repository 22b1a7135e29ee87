package chain

import (
	"iter"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// NextExpiry gives what expires next; nil when nothing will.
func (v *View) NextExpiry() (*expiry.Entry, error) {
	e, ok, err := expiry.Next(v.expiry(), v.Clock.Block(), v.Clock.At)
	if !ok {
		return nil, err
	}
	return &e, err
}

// Upcoming walks the grants of an index that have not expired, soonest first.
func (v *View) Upcoming(i expiry.Index) iter.Seq2[expiry.Entry, error] {
	return i.Upcoming(v.expiry(), v.Clock.Block(), v.Clock.At)
}

// Past walks the grants of an index that have expired, latest first.
func (v *View) Past(i expiry.Index) iter.Seq2[expiry.Entry, error] {
	return i.Past(v.expiry(), v.Clock.Block(), v.Clock.At)
}

// Grants walks all grants of an index: by height, by time, then endless ones.
func (v *View) Grants(i expiry.Index) iter.Seq2[expiry.Entry, error] { return i.All(v.expiry()) }

// GrantsOnTokens walks all approvals by token, from an id on.
func (v *View) GrantsOnTokens(from string) iter.Seq2[expiry.Entry, error] {
	return expiry.OnTokens(v.expiry(), from)
}

// List walks a part of a list of grants, seen from the clock.
func (v *View) List(l expiry.List, w expiry.Walk) iter.Seq2[expiry.Entry, error] {
	return l.Walk(v.expiry(), v.Clock.Block(), v.Clock.At, w)
}

// Ending walks what expires on one axis from one value to another, both included.
func (v *View) Ending(axis cw721.Axis, from, to uint64) iter.Seq2[expiry.Entry, error] {
	return (expiry.Index{}).Ending(v.expiry(), axis, from, to)
}

// LastExpiry gives what expires last on one axis; ok is false where nothing does.
func (v *View) LastExpiry(axis cw721.Axis) (e expiry.Entry, ok bool, err error) {
	return (expiry.Index{}).Last(v.expiry(), axis)
}

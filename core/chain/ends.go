package chain

import (
	"iter"

	"ephemera/core/chain/agenda"
	"ephemera/core/cw721"
)

// NextEnd gives what ends next; nil when nothing will.
func (v *View) NextEnd() (*agenda.Entry, error) {
	e, ok, err := agenda.Next(v.agenda(), v.Clock.Block(), v.Clock.At)
	if !ok {
		return nil, err
	}
	return &e, err
}

// Upcoming walks the grants of an index that have not ended, soonest first.
func (v *View) Upcoming(i agenda.Index) iter.Seq2[agenda.Entry, error] {
	return i.Upcoming(v.agenda(), v.Clock.Block(), v.Clock.At)
}

// Past walks the grants of an index that have ended, latest first.
func (v *View) Past(i agenda.Index) iter.Seq2[agenda.Entry, error] {
	return i.Past(v.agenda(), v.Clock.Block())
}

// Grants walks all grants of an index: by height, by time, then endless ones.
func (v *View) Grants(i agenda.Index) iter.Seq2[agenda.Entry, error] { return i.All(v.agenda()) }

// GrantsOnTokens walks all approvals by token, from an id on.
func (v *View) GrantsOnTokens(from string) iter.Seq2[agenda.Entry, error] {
	return agenda.OnTokens(v.agenda(), from)
}

// List walks a part of a list of grants, seen from the clock.
func (v *View) List(l agenda.List, w agenda.Walk) iter.Seq2[agenda.Entry, error] {
	return l.Walk(v.agenda(), v.Clock.Block(), v.Clock.At, w)
}

// Ending walks what ends on one axis with from ≤ end ≤ to.
func (v *View) Ending(axis cw721.Axis, from, to uint64) iter.Seq2[agenda.Entry, error] {
	return (agenda.Index{}).Ending(v.agenda(), axis, from, to)
}

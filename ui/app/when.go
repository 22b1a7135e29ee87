package app

import (
	"fmt"
	"math"
	"strings"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// TimeForm is how moments are written. One key goes round all three.
type TimeForm int

// The forms of a time.
const (
	Relative TimeForm = iota // "in 8 blocks", "in 2h 05m"
	Calendar                 // "height 1,110", "2026-11-21 12:40:00 UTC"
	Exact                    // "1110", "1795264800000000000 ns"
	timeForms
)

// Next is the form after this one.
func (f TimeForm) Next() TimeForm { return (f + 1) % timeForms }

func (f TimeForm) String() string {
	return [...]string{"relative times", "UTC", "nanoseconds"}[f]
}

// Of writes an expiration in this form, seen from a block.
func (f TimeForm) Of(e cw721.Expiration, now cw721.Block) string {
	switch f {
	case Calendar:
		return human.Expiry(e)
	case Exact:
		return ExactTime(e)
	}
	return human.ExpiresIn(e, now)
}

// When writes an expiration in the form that the person chose.
func (st *State) When(e cw721.Expiration) string { return st.Times.Of(e, st.Block()) }

// OfToday leaves the date out of a time of the clock's day.
func (f Facts) OfToday(text string) string {
	return strings.TrimPrefix(text, strings.SplitAfter(human.Time(f.Clock.Time), " ")[0])
}

// Until writes an expiry behind what has it, as part of a sentence.
func (st *State) Until(e cw721.Expiration) string {
	if st.Times == Relative {
		return st.When(e)
	}
	return "at " + st.When(e)
}

// ExactTime writes an expiration as the contract stores it: a height, or nanoseconds.
func ExactTime(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		return "height " + Decimal(e.Value)
	case cw721.AtTime:
		return Decimal(e.Value) + " ns"
	}
	return "never"
}

// MarkLabel names a grant beside its mark on the time line, with its expiry unless times are relative.
func (st *State) MarkLabel(e expiry.Entry) string {
	if st.Times == Relative {
		return st.GrantLabel(e)
	}
	if e.Expires.Axis == cw721.AtHeight {
		return human.Thousands(e.Expires.Value) + " " + st.GrantLabel(e)
	}
	return st.OfToday(SecondsOf(cw721.Time(e.Expires.Value))) + " " + st.GrantLabel(e)
}

// Forms gives an expiry in all its forms, for the line below a field.
func (st *State) Forms(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		at := st.Clock.At(cw721.Height(e.Value))
		return fmt.Sprintf("height %s · %s · about %s", human.Thousands(e.Value), human.ExpiresIn(e, st.Block()), human.TimeUTC(at-at%1e9))
	case cw721.AtTime:
		if e.Value > math.MaxInt64 { // no calendar holds it
			return fmt.Sprintf("%s · %s", human.TimeUTC(cw721.Time(e.Value)), human.ExpiresIn(e, st.Block()))
		}
		return fmt.Sprintf("%s · %s · %d ns", human.TimeUTC(cw721.Time(e.Value)), human.ExpiresIn(e, st.Block()), e.Value)
	}
	return "never expires"
}

package app

import (
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
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
		return chain.End(e)
	case Exact:
		return ExactTime(e)
	}
	return chain.EndsIn(e, now)
}

// When writes an expiration in the form that the person chose.
func (st *State) When(e cw721.Expiration) string { return st.Times.Of(e, st.Block()) }

// OfToday leaves the date out of a time of the clock's day.
func (f Facts) OfToday(text string) string {
	return strings.TrimPrefix(text, strings.SplitAfter(chain.UTC(f.Clock.Time), " ")[0])
}

// Until writes an end behind what has it, as part of a sentence.
func (st *State) Until(e cw721.Expiration) string {
	if st.Times == Relative {
		return st.When(e)
	}
	return "at " + st.When(e)
}

func ExactTime(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		return "height " + Decimal(e.Value)
	case cw721.AtTime:
		return Decimal(e.Value) + " ns"
	}
	return "never"
}

package app

import (
	"math"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

// TimeForm is a form in which moments are written. One key changes it to the next.
type TimeForm int

// The forms of a time.
const (
	Relative TimeForm = iota // "in 8 blocks", "in 2h 05m"
	Calendar                 // "height 1,110", "2026-11-21 12:40:00 UTC"
	Exact                    // "1110", "1795264800000000000 ns"
	timeForms
)

// Next returns the form after this one, and the first form after the last.
func (f TimeForm) Next() TimeForm { return (f + 1) % timeForms }

// String returns the name of the form, for a sentence.
func (f TimeForm) String() string {
	return [...]string{"relative times", "UTC", "nanoseconds"}[f]
}

// Format writes an expiry in this form, seen from a block.
func (f TimeForm) Format(e cw721.Expiration, now cw721.Block) string {
	switch f {
	case Calendar:
		return human.Expiry(e)
	case Exact:
		return ExactTime(e)
	}
	return human.ExpiresIn(e, now)
}

// When writes an expiry in the form that the user chose.
func (st *State) When(e cw721.Expiration) string { return st.Times.Format(e, st.Block()) }

// WithoutToday removes the date from the beginning of a time, if it is the date of the
// clock.
func (f Facts) WithoutToday(text string) string {
	return strings.TrimPrefix(text, strings.SplitAfter(human.Time(f.Clock.Time), " ")[0])
}

// ExpiryInSentence writes an expiry to follow a noun: "in 8 blocks", or "at height
// 1,110" unless the user chose relative times.
func (st *State) ExpiryInSentence(e cw721.Expiration) string {
	if st.Times == Relative {
		return st.When(e)
	}
	return "at " + st.When(e)
}

// ExactTime writes an expiry as the contract stores it: a height, or nanoseconds.
func ExactTime(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		return "height " + Decimal(e.Value)
	case cw721.AtTime:
		return Decimal(e.Value) + " ns"
	}
	return "never"
}

// AllForms writes an expiry in all its forms, for the line below a field. The time of a
// height is estimated.
func (st *State) AllForms(e cw721.Expiration) string {
	forms := []string{human.Expiry(e), human.ExpiresIn(e, st.Block())}
	switch {
	case e.Axis == cw721.Never:
		return "never expires"
	case e.Axis == cw721.AtHeight:
		at := st.Clock.At(cw721.Height(e.Value))
		forms = append(forms, "about "+human.TimeUTC(at-at%1e9))
	case e.Value <= math.MaxInt64: // after 2262 the first form has the nanoseconds already
		forms = append(forms, ExactTime(e))
	}
	return strings.Join(forms, " · ")
}

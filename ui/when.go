package ui

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
		return exact(e)
	}
	return chain.EndsIn(e, now)
}

// When writes an expiration in the form that the person chose.
func (d *Desk) When(e cw721.Expiration) string { return d.Times.Of(e, d.Block()) }

// ofToday leaves the date out of a time of the clock's day.
func (f Facts) ofToday(text string) string {
	return strings.TrimPrefix(text, strings.SplitAfter(chain.UTC(f.Clock.Time), " ")[0])
}

// until writes an end behind what has it, as part of a sentence.
func (d *Desk) until(e cw721.Expiration) string {
	if d.Times == Relative {
		return d.When(e)
	}
	return "at " + d.When(e)
}

func exact(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		return "height " + uitoa(e.Value)
	case cw721.AtTime:
		return uitoa(e.Value) + " ns"
	}
	return "never"
}

package form

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
)

// Examples are ways to type a moment ahead of a clock.
func Examples(c chain.Clock) string {
	text := fmt.Sprintf("+10 blocks · +90m · h%d", (c.Height/10+1)*10)
	if uint64(c.Time) > math.MaxInt64 { // no calendar holds it
		return text
	}
	now := time.Unix(0, int64(c.Time)).UTC()
	return text + " · " + now.AddDate(0, 1, 1-now.Day()).Format(time.DateOnly) + " 09:00"
}

// TypedMoment is a moment as a person typed it, with what it means.
type TypedMoment struct {
	cw721.Expiration
	// Warning names a likely mistake in the unit; it does not stop anybody.
	Warning string
}

// parseExpiry reads an expiry as people think of it, see [chain.MomentParser]; nothing
// typed is never.
func parseExpiry(text string, clock chain.Clock) (TypedMoment, error) {
	if text = strings.ToLower(strings.TrimSpace(text)); text == "" || text == "never" {
		return TypedMoment{}, nil
	}
	return ReadMoment(text, clock, chain.MomentParser{Field: "expires", Not: "expiry", Help: "never · " + Examples(clock)})
}

// ReadMoment reads a moment, and names a likely mistake in its unit.
func ReadMoment(text string, clock chain.Clock, m chain.MomentParser) (TypedMoment, error) {
	e, err := m.Parse(text, clock)
	return TypedMoment{e, explain.UnitWarning(e, clock)}, err
}

// TypeExpiry writes an expiry the way it can be typed, for forms that are filled
// in with one.
func TypeExpiry(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		return "h" + app.Decimal(e.Value)
	case cw721.AtTime:
		if e.Value >= math.MaxInt64/1e9*1e9 {
			return app.Decimal(e.Value) + " ns"
		}
		return time.Unix(0, int64(e.Value)).UTC().Format(time.RFC3339Nano)
	}
	return "never"
}

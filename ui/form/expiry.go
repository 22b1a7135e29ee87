package form

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
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

// typedExpiry is an expiry as a person typed it, with what it means.
type typedExpiry struct {
	cw721.Expiration
	// Warning names a likely mistake in the unit; it does not stop anybody.
	Warning string
}

var (
	PlusBlocks = regexp.MustCompile(`^\+\s*([0-9][0-9,_]*)\s*(b|blocks?)?$`)
	atHeight   = regexp.MustCompile(`^(?:h|height)\s*([0-9][0-9,_]*)$`)
	digits     = regexp.MustCompile(`^([0-9][0-9,_]*)\s*(ns)?$`)
)

// Wanted is what a text is typed for, as the sentence about a wrong one says it:
// the field, what the text is not, and what was expected.
type Wanted struct {
	Field, Not, Help string
	timeOnly         bool // a height will not do
	Exact            bool // a length of time counts from the very nanosecond
}

// parseExpiry reads an end as people think it, seen from the clock: "+10" and
// "+10 blocks" are blocks from now, "+90m" is a time from now, "h1110" a
// height, a date a time, "12:40" that time of the clock's next 24 hours, "never"
// no end. A bare number is refused, because it could be any of them.
func parseExpiry(text string, clock chain.Clock) (typedExpiry, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || text == "never" {
		return typedExpiry{}, nil
	}
	return Wanted{Field: "expires", Not: "expiry", Help: "never · " + Examples(clock)}.Read(text, clock)
}

// Read reads a moment that is wanted, in all the ways of an end but "never".
func (w Wanted) Read(text string, clock chain.Clock) (typedExpiry, error) {
	e, err := w.parse(strings.ToLower(strings.TrimSpace(text)), clock)
	if err != nil {
		return typedExpiry{}, err
	}
	return typedExpiry{e, explain.UnitWarning(e, clock)}, nil
}

func (w Wanted) parse(text string, clock chain.Clock) (cw721.Expiration, error) {
	fail := func(format string, args ...any) (cw721.Expiration, error) {
		return cw721.Expiration{}, fmt.Errorf(w.Field+": "+format, args...)
	}
	wrong := func() (cw721.Expiration, error) {
		return fail("%q is no %s, expected one of: %s", text, w.Not, w.Help)
	}
	if m := PlusBlocks.FindStringSubmatch(text); m != nil {
		if w.timeOnly {
			return wrong()
		}
		n, err := Number(m[1])
		if err != nil || uint64(clock.Height)+n < n {
			return fail("%q is more blocks than there can be", text)
		}
		return cw721.UntilHeight(clock.Height + cw721.Height(n)), nil
	}
	if rest, ok := strings.CutPrefix(text, "+"); ok {
		d, err := Duration(rest)
		if err != nil || d < 0 || uint64(clock.Time)+uint64(d) < uint64(d) {
			if w.timeOnly {
				return fail("%q is no length of time, expected like +90m, +2h30m or +3d", text)
			}
			return fail("%q is no length of time, expected like +10 blocks, +90m, +2h30m or +3d", text)
		}
		at := clock.Time + cw721.Time(d)
		if finer := at % cw721.Time(time.Second); !w.Exact && d%time.Second == 0 && finer != 0 {
			at += min(cw721.Time(time.Second)-finer, math.MaxUint64-at) // nobody typed anything finer than a second
		}
		return cw721.UntilTime(at), nil
	}
	if m := atHeight.FindStringSubmatch(text); m != nil {
		if w.timeOnly {
			return wrong()
		}
		n, err := Number(m[1])
		if err != nil {
			return fail("%q is beyond the last height there can be", text)
		}
		return cw721.UntilHeight(cw721.Height(n)), nil
	}
	if m := digits.FindStringSubmatch(text); m != nil {
		n, err := Number(m[1])
		switch {
		case err != nil:
			return fail("%q is beyond the last time there can be", text)
		case m[2] == "":
			return fail("%s", whichUnit(m[1], n, w.timeOnly))
		}
		return cw721.UntilTime(cw721.Time(n)), nil
	}
	if t, ok := moment(text, clock); ok {
		return cw721.UntilTime(t), nil
	}
	return wrong()
}

// moment reads a date, or a time of the day.
func moment(text string, clock chain.Clock) (cw721.Time, bool) {
	if t, ok := chain.ParseDate(text); ok {
		return chain.BlockTime(t)
	}
	const day = uint64(24 * time.Hour)
	now := uint64(clock.Time)
	for _, layout := range []string{"15:04:05", "15:04"} {
		at, err := time.Parse(layout, text)
		if err != nil || now > math.MaxInt64 {
			continue
		}
		of := uint64(at.Sub(at.Truncate(24 * time.Hour)))
		end := now - now%day + of
		if end <= now {
			end += day
		}
		return cw721.Time(end), true
	}
	return 0, false
}

// whichUnit says what a bare number could mean: its size often tells what the
// person had in mind.
func whichUnit(text string, n uint64, timeOnly bool) string {
	for _, u := range []struct {
		name     string
		nanos    uint64
		from, to uint64
	}{
		{"seconds", 1e9, 5e8, 5e9}, {"milliseconds", 1e6, 5e11, 5e12}, {"microseconds", 1e3, 5e14, 5e15}, {"nanoseconds", 1, 5e17, 5e18},
	} {
		if n >= u.from && n < u.to {
			at := time.Unix(0, int64(n*u.nanos)).UTC()
			said := fmt.Sprintf("%s of what? as %s it is %s UTC: write that", text, u.name, at.Format("2006-01-02 15:04:05"))
			if timeOnly {
				return said
			}
			return said + fmt.Sprintf(", or h%s for a height", text)
		}
	}
	if timeOnly {
		return fmt.Sprintf("%s of what? write it like +90m, or %s ns", text, text)
	}
	return fmt.Sprintf("%s of what? write h%s for a height, +%s for blocks from now, or %s ns for a time", text, text, text, text)
}

// Number reads a count that may be written with separators, like 1,204 or 1_204.
func Number(s string) (uint64, error) {
	return strconv.ParseUint(strings.NewReplacer(",", "", "_", "").Replace(s), 10, 64)
}

// Duration reads Go's durations and days.
func Duration(s string) (time.Duration, error) {
	s = strings.ReplaceAll(s, " ", "")
	days, rest, found := strings.Cut(s, "d")
	if !found {
		return time.ParseDuration(s)
	}
	n, err := strconv.ParseUint(days, 10, 16)
	if err != nil || rest == "" {
		return time.Duration(n) * 24 * time.Hour, err
	}
	d, err := time.ParseDuration(rest)
	return time.Duration(n)*24*time.Hour + d, err
}

// TypeExpiry writes an end the way it can be typed, for forms that are filled
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

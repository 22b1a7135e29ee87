package chain

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ephemera/core/cw721"
)

// ExpirationHelp is how an expiration can be typed.
const ExpirationHelp = "never, +10, +90m, h1110, 2026-12-01T09:00:00Z"

// ParseExpiration reads an expiration in one of the ways of [MomentParser.Parse], or "never".
func ParseExpiration(text string, clock Clock) (cw721.Expiration, error) {
	if strings.ToLower(strings.TrimSpace(text)) == "never" {
		return cw721.Expiration{}, nil
	}
	return MomentParser{Not: "expiration", Help: ExpirationHelp, Exact: true}.Parse(text, clock)
}

// MomentParser is what a text is typed for, as the sentence about a wrong one says it: the
// field, if there is one, what the text is not, and what was expected.
type MomentParser struct {
	Field, Not, Help string
	TimeOnly         bool // a height will not do
	Exact            bool // a length of time counts from the very nanosecond, not the next second
}

var (
	plusBlocks = regexp.MustCompile(`^\+\s*([0-9][0-9,_]*)\s*(b|blocks?)?$`)
	atHeight   = regexp.MustCompile(`^(?:h|height)\s*([0-9][0-9,_]*)$`)
	digits     = regexp.MustCompile(`^([0-9][0-9,_]*)\s*(ns)?$`)
)

// Parse reads a moment as people think of it, seen from a clock: "+10" and "+10
// blocks" are blocks from now, "+90m" and "+3d" a time from now, "h1110" a height, a
// date a time in UTC, "12:40" that time of the clock's next 24 hours (the zero Clock
// knows none), "5 ns" nanoseconds since 1970. A bare number is refused, because it
// could be any of them.
func (m MomentParser) Parse(text string, clock Clock) (cw721.Expiration, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	fail := func(format string, args ...any) (cw721.Expiration, error) {
		said := fmt.Sprintf(format, args...)
		if m.Field != "" {
			said = m.Field + ": " + said
		}
		return cw721.Expiration{}, &MomentError{said}
	}
	height, blocks := atHeight.FindStringSubmatch(text), plusBlocks.FindStringSubmatch(text)
	switch {
	case m.TimeOnly && (height != nil || blocks != nil):
	case blocks != nil:
		n, err := counted(blocks[1])
		if err != nil || uint64(clock.Height)+n < n {
			return fail("%q is more blocks than there can be", text)
		}
		return cw721.UntilHeight(clock.Height + cw721.Height(n)), nil
	case height != nil:
		n, err := counted(height[1])
		if err != nil {
			return fail("%q is beyond the last height there can be", text)
		}
		return cw721.UntilHeight(cw721.Height(n)), nil
	case strings.HasPrefix(text, "+"):
		d, err := parseDuration(text[1:])
		if err != nil || d < 0 || uint64(clock.Time)+uint64(d) < uint64(d) {
			like := "+10 blocks, "
			if m.TimeOnly {
				like = ""
			}
			return fail("%q is no length of time, expected like %s+90m, +2h30m or +3d", text, like)
		}
		at := clock.Time + cw721.Time(d)
		if finer := at % cw721.Time(time.Second); !m.Exact && d%time.Second == 0 && finer != 0 {
			at += min(cw721.Time(time.Second)-finer, math.MaxUint64-at) // nobody typed anything finer than a second
		}
		return cw721.UntilTime(at), nil
	}
	if found := digits.FindStringSubmatch(text); found != nil {
		n, err := counted(found[1])
		switch {
		case err != nil:
			return fail("%q is beyond the last time there can be", text)
		case found[2] == "":
			return fail("%s", whichUnit(found[1], n, m.TimeOnly))
		}
		return cw721.UntilTime(cw721.Time(n)), nil
	}
	if t, ok := parseTime(text, clock); ok {
		return cw721.UntilTime(t), nil
	}
	return fail("%q is no %s, expected one of: %s", text, m.Not, m.Help)
}

// parseTime reads a date, or a time of the day.
func parseTime(text string, clock Clock) (cw721.Time, bool) {
	if t, ok := ParseDate(text); ok {
		return BlockTime(t)
	}
	const day = uint64(24 * time.Hour)
	now := uint64(clock.Time)
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		at, err := time.Parse(layout, text)
		if err != nil || now > math.MaxInt64 || clock == (Clock{}) {
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
			said := fmt.Sprintf("%s of what? as %s it is %s: write that", text, u.name, InUTC(cw721.Time(n*u.nanos/1e9*1e9)))
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

// counted reads a count that may be written with separators, like 1,204 or 1_204.
func counted(s string) (uint64, error) {
	return strconv.ParseUint(strings.NewReplacer(",", "", "_", "").Replace(s), 10, 64)
}

// parseDuration reads Go's durations and days.
func parseDuration(s string) (time.Duration, error) {
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

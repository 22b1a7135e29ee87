package chain

import (
	"math"
	"strings"
	"time"

	"ephemera/core/cw721"
)

// dateForms are the ways to write a date: as programs do, and as people do.
var dateForms = []string{
	time.RFC3339Nano,
	"2006-01-02 15:04:05", "2006-01-02T15:04:05", // with digits of the second or without
	"2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02",
}

// ParseDate reads a date with or without a time of the day, in UTC where it
// names no other zone; ok is false for what is none.
func ParseDate(text string) (t time.Time, ok bool) {
	text = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), " UTC")
	for _, form := range dateForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	return t, false
}

// BlockTime gives a moment in nanoseconds since 1970; ok is false outside of what
// a block time can say, 1970 to July 2554.
func BlockTime(t time.Time) (at cw721.Time, ok bool) {
	const second = uint64(time.Second)
	s, ns := t.Unix(), uint64(t.Nanosecond())
	if s < 0 || uint64(s) > math.MaxUint64/second || uint64(s)*second > math.MaxUint64-ns {
		return 0, false
	}
	return cw721.Time(uint64(s)*second + ns), true
}

package human

import (
	"math"
	"strings"
	"time"

	"ephemera/core/cw721"
)

// dateLayouts are the forms of a date that [ParseDate] accepts. time.Parse accepts
// fractions of a second after any of those that have seconds.
var dateLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02 15:04:05",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04",
	"2006-01-02T15:04",
	"2006-01-02",
}

// ParseDate reads a date with or without a time of day: "2026-12-01",
// "2026-12-01 09:00 UTC", "2026-12-01T09:00:00+02:00". The zone is UTC unless the text
// names another one. Letter case and surrounding spaces don't matter. ok is false if
// the text is no date.
func ParseDate(text string) (date time.Time, ok bool) {
	text = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), " UTC")
	for _, layout := range dateLayouts {
		if date, err := time.Parse(layout, text); err == nil {
			return date, true
		}
	}
	return time.Time{}, false
}

// BlockTime converts a time to a block time, in nanoseconds since 1970. ok is false
// before 1970 and after July 2554, where a block time overflows.
func BlockTime(t time.Time) (blockTime cw721.Time, ok bool) {
	const second = uint64(time.Second)
	if t.Unix() < 0 {
		return 0, false
	}

	seconds := uint64(t.Unix())
	nanoseconds := uint64(t.Nanosecond())
	if seconds > math.MaxUint64/second || seconds*second > math.MaxUint64-nanoseconds {
		return 0, false
	}
	return cw721.Time(seconds*second + nanoseconds), true
}

package chain

import (
	"fmt"
	"strings"
	"time"

	"ephemera/core/cw721"
)

// EndHelp is how an expiration can be typed.
const EndHelp = "never, +10, +90m, h1110, 2026-12-01T09:00:00Z"

// ParseEnd reads an expiration as people think of it, seen from a clock: "+10" is
// blocks from now, "+90m" a time from now, "h1110" a height, a date a time,
// "never" none. A bare number is refused, as it could be any of them.
func ParseEnd(text string, clock Clock) (cw721.Expiration, error) {
	low := strings.ToLower(strings.TrimSpace(text))
	wrong := fmt.Errorf("%q is no expiration, expected one of: %s", text, EndHelp)
	if low == "never" {
		return cw721.Expiration{}, nil
	}
	if m := distance.FindStringSubmatch(low); m != nil && m[1] == "+" {
		n, err := counted(m[2])
		if err != nil || uint64(clock.Height)+n < n {
			return cw721.Expiration{}, fmt.Errorf("%q is more blocks than there can be", text)
		}
		return cw721.UntilHeight(clock.Height + cw721.Height(n)), nil
	}
	if rest, ok := strings.CutPrefix(low, "+"); ok {
		d, err := time.ParseDuration(strings.ReplaceAll(rest, " ", ""))
		if err != nil || d < 0 || uint64(clock.Time)+uint64(d) < uint64(d) {
			return cw721.Expiration{}, wrong
		}
		return cw721.UntilTime(clock.Time + cw721.Time(d)), nil
	}
	if m := plainHeight.FindStringSubmatch(low); m != nil && low[0] == 'h' {
		n, err := counted(m[1])
		if err != nil {
			return cw721.Expiration{}, wrong
		}
		return cw721.UntilHeight(cw721.Height(n)), nil
	}
	if t, ok := ParseDate(text); ok {
		if at, ok := BlockTime(t); ok {
			return cw721.UntilTime(at), nil
		}
	}
	return cw721.Expiration{}, wrong
}

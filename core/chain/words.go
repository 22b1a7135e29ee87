package chain

import (
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/dustin/go-humanize"

	"ephemera/core/cw721"
)

// Thousands writes a number the way people read large ones: 1,204.
func Thousands(n uint64) string { return humanize.BigComma(new(big.Int).SetUint64(n)) }

// Plural counts things: "1 token", "1,204 tokens".
func Plural[N int | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Thousands(uint64(n)) + " " + what + "s"
}

// UTC writes a block time as a date, with as many digits of the second as it
// has; what no calendar holds is written in nanoseconds.
func UTC(t cw721.Time) string {
	if uint64(t) > math.MaxInt64 {
		return Thousands(uint64(t)) + " ns"
	}
	return time.Unix(0, int64(t)).UTC().Format("2006-01-02 15:04:05.999999999")
}

// InUTC is [UTC] with the name of the zone, which nanoseconds have not.
func InUTC(t cw721.Time) string {
	if uint64(t) > math.MaxInt64 {
		return UTC(t)
	}
	return UTC(t) + " UTC"
}

// RFC3339 writes a block time for machines; "" for what no calendar holds.
func RFC3339(t cw721.Time) string {
	if uint64(t) > math.MaxInt64 {
		return ""
	}
	return time.Unix(0, int64(t)).UTC().Format(time.RFC3339Nano)
}

// Span writes a length of time, in nanoseconds, for people: "2h 05m", "3d 04h",
// "12s". What is left of the smaller unit is dropped, but less than a second is
// told in full, as an expiry may be that near: "1 ns".
func Span(d uint64) string {
	if d < uint64(time.Second) {
		return Thousands(d) + " ns"
	}
	switch d := d / uint64(time.Second); {
	case d < 60:
		return fmt.Sprintf("%ds", d)
	case d < 3600:
		return fmt.Sprintf("%dm %02ds", d/60, d%60)
	case d < 86_400:
		return fmt.Sprintf("%dh %02dm", d/3600, d%3600/60)
	case d < 730*86_400:
		return fmt.Sprintf("%dd %02dh", d/86_400, d%86_400/3600)
	default:
		return Thousands(d/(365*86_400)) + " years"
	}
}

// Blocks writes a number of blocks.
func Blocks(n uint64) string { return Plural(n, "block") }

// Expiry writes an expiration as a point of the chain: "height 1,110".
func Expiry(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		return "height " + Thousands(e.Value)
	case cw721.AtTime:
		return InUTC(cw721.Time(e.Value))
	}
	return "never"
}

// ExpiresIn writes an expiration, seen from a block: "in 8 blocks",
// "expired 3 blocks ago", "expired in this block", "never expires". It has expired in
// the very block, or at the very time, that it names.
func ExpiresIn(e cw721.Expiration, b cw721.Block) string {
	now, end, ends := e.NowAndEnd(b)
	amount := Blocks
	if e.Axis == cw721.AtTime {
		amount = Span
	}
	switch {
	case !ends:
		return "never expires"
	case now == end:
		if e.Axis == cw721.AtTime {
			return "expired at this time"
		}
		return "expired in this block"
	case now > end:
		return "expired " + amount(now-end) + " ago"
	}
	return "in " + amount(end-now)
}

// Package human writes numbers, block times and expirations as people read them, and
// reads the dates, moments and expirations that people type.
//
// It must not know a chain: whatever depends on the clock takes the block to count
// from. A form of a moment that people may type belongs to [MomentParser.Parse].
package human

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"ephemera/core/cw721"
)

// Thousands writes a number, which must not be negative, with commas: "1,204".
func Thousands[N ~int | ~uint64](number N) string {
	bigNumber := new(big.Int).SetUint64(uint64(number))
	return humanize.BigComma(bigNumber)
}

// Plural writes a number and a noun whose plural ends in s: "1 token", "1,204 tokens".
func Plural[N ~int | ~uint64](count N, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return Thousands(count) + " " + noun + "s"
}

// TokenID writes the id of a token. It quotes an empty id, and one with spaces or a quotation
// mark at an end, which people would take for another id.
func TokenID(id string) string {
	if id == "" || strings.Trim(id, `"`) != id || strings.TrimSpace(id) != id {
		return strconv.Quote(id)
	}
	return id
}

// Time writes a block time in UTC, without naming the zone: "2026-11-21 12:00:00", with
// fractions of a second. A time after the year 2262 is written in nanoseconds since 1970:
// "9,300,000,000,000,000,000 ns".
func Time(blockTime cw721.Time) string {
	if uint64(blockTime) > math.MaxInt64 {
		return Thousands(uint64(blockTime)) + " ns"
	}
	return time.Unix(0, int64(blockTime)).UTC().Format("2006-01-02 15:04:05.999999999")
}

// TimeUTC is [Time] with the zone behind a date: "2026-11-21 12:00:00 UTC".
func TimeUTC(blockTime cw721.Time) string {
	if uint64(blockTime) > math.MaxInt64 {
		return Time(blockTime)
	}
	return Time(blockTime) + " UTC"
}

// Span writes a length of time in its two largest units, rounded down: "12s", "2h 05m",
// "3d 04h". From 730 days on, it writes only years: "2 years". Less than a second is written
// in nanoseconds, as "1 ns", because a grant may expire that soon.
func Span(nanoseconds uint64) string {
	if nanoseconds < uint64(time.Second) {
		return Thousands(nanoseconds) + " ns"
	}

	const (
		minute = 60
		hour   = 60 * minute
		day    = 24 * hour
		year   = 365 * day
	)
	seconds := nanoseconds / uint64(time.Second)
	switch {
	case seconds < minute:
		return fmt.Sprintf("%ds", seconds)
	case seconds < hour:
		return fmt.Sprintf("%dm %02ds", seconds/minute, seconds%minute)
	case seconds < day:
		return fmt.Sprintf("%dh %02dm", seconds/hour, seconds%hour/minute)
	case seconds < 2*year:
		return fmt.Sprintf("%dd %02dh", seconds/day, seconds%day/hour)
	default:
		return Thousands(seconds/year) + " years"
	}
}

// Expiry writes an expiration: "height 1,110", "2026-11-21 12:00:00 UTC" or "never".
func Expiry(expiration cw721.Expiration) string {
	switch expiration.Axis {
	case cw721.AtHeight:
		return "height " + Thousands(expiration.Value)
	case cw721.AtTime:
		return TimeUTC(cw721.Time(expiration.Value))
	}
	return "never"
}

// ExpiresIn writes how far a block is from an expiry: "in 8 blocks", "in 2h 05m", "expired 3
// blocks ago", "expired in this block", "expired at this time", or "never expires".
func ExpiresIn(expiration cw721.Expiration, block cw721.Block) string {
	currentValue, endValue, canExpire := expiration.NowAndEnd(block)
	if !canExpire {
		return "never expires"
	}

	// A grant is already expired at exactly its height or time (spec §3.2).
	switch {
	case currentValue < endValue:
		return "in " + distanceOn(expiration.Axis, endValue-currentValue)
	case currentValue > endValue:
		return "expired " + distanceOn(expiration.Axis, currentValue-endValue) + " ago"
	case expiration.Axis == cw721.AtTime:
		return "expired at this time"
	}
	return "expired in this block"
}

func distanceOn(axis cw721.Axis, difference uint64) string {
	if axis == cw721.AtTime {
		return Span(difference)
	}
	return Plural(difference, "block")
}

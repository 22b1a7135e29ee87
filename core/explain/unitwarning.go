package explain

import (
	"fmt"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// Expirations that are further away than this are likely slips, in nanoseconds.
const (
	year      = uint64(365 * 24 * time.Hour)
	farTime   = 200 * year
	farHeight = 50 * year
	longAgo   = uint64(1e17) // 1973: in seconds or milliseconds, any date of ours is before it
)

// UnitWarning tells in words that an expiry is likely in the wrong unit, or further away
// than anybody means, seen from a clock: seconds where nanoseconds are meant end
// in 1970, and a time given as a height never comes. "" is for those that look
// meant.
func UnitWarning(e cw721.Expiration, c chain.Clock) string {
	now, end, _ := e.NowAndEnd(c.Block())
	switch {
	case e.Axis == cw721.AtTime && end > 0 && end < longAgo && uint64(c.Time) > longAgo:
		return fmt.Sprintf("%s ns is %s: were seconds or milliseconds meant? at_time counts nanoseconds", human.Thousands(end), human.Time(cw721.Time(end)))
	case e.Axis == cw721.AtTime && end > now && end-now > farTime:
		return "that is more than 200 years away"
	case e.Axis == cw721.AtHeight && end > now && end-now > farHeight/uint64(time.Second)/max(c.SecondsPerBlock, 1):
		return fmt.Sprintf("at %d s a block that is more than 50 years away: was a time meant?", c.SecondsPerBlock)
	}
	return ""
}

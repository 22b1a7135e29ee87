package explain

import (
	"fmt"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// nanosecondsPerYear is the length of a year of 365 days.
const nanosecondsPerYear = uint64(365 * 24 * time.Hour)

// UnitWarning returns a sentence if an expiry was probably typed in the wrong unit: a
// time before 1973, which was likely meant in seconds or milliseconds, a time more than
// 200 years ahead, or a height more than 50 years ahead at the clock's pace, which was
// likely meant as a time. It returns an empty text for any other expiry.
func UnitWarning(e cw721.Expiration, clock chain.Clock) string {
	const (
		in1973      = uint64(1e17) // nanoseconds since 1970
		maxYears    = 200
		heightYears = 50
	)
	now, end, _ := e.NowAndEnd(clock.Block())
	switch e.Axis {
	case cw721.AtTime:
		if end > 0 && end < in1973 && uint64(clock.Time) > in1973 {
			return fmt.Sprintf("%s ns is %s: were seconds or milliseconds meant? at_time counts nanoseconds", human.Thousands(end), human.Time(cw721.Time(end)))
		}
		if end > now && end-now > maxYears*nanosecondsPerYear {
			return "that is more than 200 years away"
		}
	case cw721.AtHeight:
		secondsPerYear := nanosecondsPerYear / uint64(time.Second)
		maxBlocks := heightYears * secondsPerYear / max(clock.SecondsPerBlock, 1)
		if end > now && end-now > maxBlocks {
			return fmt.Sprintf("at %d s a block that is more than 50 years away: was a time meant?", clock.SecondsPerBlock)
		}
	}
	return ""
}

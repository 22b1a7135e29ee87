package explain

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// ParseMoment parses a moment, a block at which a view can show the collection, as a person
// types it. Besides the forms of [human.MomentParser.Parse] it accepts:
//
//	now, or nothing   the block of the view
//	next              the next expiry
//	before-next       one block or one nanosecond before the next expiry
//	1110              a height
//	-10, -90m         blocks or a length of time before now
//	#12               after a node of the history
//	NAME              after the node with that snapshot
//
// ParseMoment fails with a [*human.MomentError] if the text has none of the forms, and
// with the errors of [chain.View.MomentAt], [chain.View.NextMoment] and
// [chain.View.MomentOfNode] if it names a moment that cannot be shown.
func ParseMoment(view *chain.View, text string) (chain.Moment, error) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "now":
		return view.Now(), nil
	case "next":
		return view.NextMoment(false)
	case "before-next", "before next":
		return view.NextMoment(true)
	}

	snapshots, err := view.Snapshots()
	if err != nil {
		return chain.Moment{}, err
	}
	for _, snapshot := range snapshots {
		if snapshot.Name == text {
			return view.MomentOfNode(snapshot.ID)
		}
	}

	if match := nodeNumber.FindStringSubmatch(text); match != nil {
		id, err := strconv.ParseUint(match[1], 10, 64)
		if err != nil {
			reason := fmt.Sprintf("%q is larger than any node's number", text)
			return chain.Moment{}, &human.MomentError{Text: reason}
		}
		return view.MomentOfNode(history.ID(id))
	}

	if number, err := human.ParseNumber(text); err == nil && number < minNanoseconds {
		return view.MomentAt(cw721.UntilHeight(cw721.Height(number)))
	}

	target, err := parseDistance(view.Clock.Block(), text)
	if err != nil {
		return chain.Moment{}, err
	}
	return view.MomentAt(target)
}

// minNanoseconds is the smallest number without a unit that is a time since 1970, in 1973.
// Smaller numbers are heights.
const minNanoseconds = uint64(1e17)

var nodeNumber = regexp.MustCompile(`^#([0-9]+)$`)

const momentExamples = "now, next, before-next, 1110, +10, -10, +90m, 2026-11-21 12:40, #12, or the name of a snapshot"

// parseDistance parses a form of [human.MomentParser.Parse], or a distance back from the
// current block: "-10" at height 110 is height 100. If the distance is longer than the chain
// is old, the result is height 0 or time 0.
func parseDistance(currentBlock cw721.Block, text string) (cw721.Expiration, error) {
	parser := human.MomentParser{Noun: "moment", Examples: momentExamples, KeepsFraction: true}
	distance, isBack := strings.CutPrefix(text, "-")
	if !isBack {
		return parser.Parse(text, currentBlock)
	}

	// Parse the distance as a moment after height 0 and time 0. The value of that moment is
	// the distance: ten blocks after height 0 is height 10.
	target, err := parser.Parse("+"+distance, cw721.Block{})
	if err != nil {
		return cw721.Expiration{}, err
	}
	currentValue := currentBlock.ValueOn(target.Axis)
	target.Value = currentValue - min(currentValue, target.Value)
	return target, nil
}

// IsNameError reports whether an error says that a text names no known account or moment, so
// that the operation could succeed with another text.
func IsNameError(err error) bool {
	return cw721.AsError(err) != nil ||
		errors.As(err, new(*chain.UnknownAccountError)) ||
		errors.As(err, new(*human.MomentError)) ||
		errors.As(err, new(*chain.RangeError)) ||
		errors.As(err, new(*history.UnknownNodeError))
}

// nanosecondsPerYear is the number of nanoseconds in a year of 365 days.
const nanosecondsPerYear = uint64(365 * 24 * time.Hour)

// UnitWarning returns a warning in a sentence if an expiry was probably typed in the wrong
// unit, and "" for any other expiry. It warns of:
//
//   - a time before 1973, which was probably meant in seconds or milliseconds
//   - a time more than 200 years ahead
//   - a height that the clock reaches in more than 50 years, probably meant as a time
func UnitWarning(expiration cw721.Expiration, clock chain.Clock) string {
	const (
		maxYears       = 200 // for an expiry at a time
		maxHeightYears = 50  // for an expiry at a height
	)
	now, expiryValue, _ := expiration.NowAndEnd(clock.Block())
	distance := expiryValue - min(expiryValue, now) // 0 for an expiry in the past
	switch expiration.Axis {
	case cw721.AtTime:
		// So early a time is only plausible if the clock shows an early time, too.
		isEarly := expiryValue > 0 && expiryValue < minNanoseconds
		if isEarly && uint64(clock.Time) > minNanoseconds {
			return fmt.Sprintf(
				"%s ns is %s: were seconds or milliseconds meant? at_time counts nanoseconds",
				human.Thousands(expiryValue),
				human.Time(cw721.Time(expiryValue)))
		}
		if distance > maxYears*nanosecondsPerYear {
			return "that is more than 200 years away"
		}
	case cw721.AtHeight:
		// Convert the years to blocks by the seconds per block of the clock.
		secondsPerYear := nanosecondsPerYear / uint64(time.Second)
		maxBlocks := maxHeightYears * secondsPerYear / max(clock.SecondsPerBlock, 1)
		if distance > maxBlocks {
			return fmt.Sprintf("at %d s a block that is more than 50 years away: was a time meant?",
				clock.SecondsPerBlock)
		}
	}
	return ""
}

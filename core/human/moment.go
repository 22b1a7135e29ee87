package human

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ephemera/core/cw721"
)

// MomentError reports in a sentence a text that is no moment, or a moment that cannot be shown.
type MomentError struct{ Text string }

// Error returns the sentence.
func (e *MomentError) Error() string { return e.Text }

const expirationExamples = "never, +10, +90m, h1110, 2026-12-01T09:00:00Z"

// ParseExpiration reads "never", or a moment in one of the forms of
// [MomentParser.Parse]. It fails with a [*MomentError].
func ParseExpiration(text string, currentBlock cw721.Block) (cw721.Expiration, error) {
	if strings.ToLower(strings.TrimSpace(text)) == "never" {
		return cw721.Expiration{}, nil
	}
	parser := MomentParser{
		Noun:          "expiration",
		Examples:      expirationExamples,
		KeepsFraction: true,
	}
	return parser.Parse(text, currentBlock)
}

// MomentParser reads a height or a time that a person typed.
type MomentParser struct {
	Field          string // the name of the form field, with which errors begin; may be empty
	Noun           string // what the text should be, for errors, such as "expiration"
	Examples       string // examples of valid texts, for errors, such as "never, +10"
	RefusesHeights bool   // heights and numbers of blocks are refused
	KeepsFraction  bool   // "+90m" is exact to the nanosecond, and not rounded up to a full second
}

// The forms of a moment that a user types, besides dates and times.
var (
	// blocksFromNow matches "+10", "+10b" and "+ 10 blocks".
	blocksFromNow = regexp.MustCompile(`^\+\s*([0-9][0-9,_]*)\s*(b|blocks?)?$`)
	// heightText matches "h1110" and "height 1,110".
	heightText = regexp.MustCompile(`^(?:h|height)\s*([0-9][0-9,_]*)$`)
	// numberText matches "1795262400000000000" and "1,110 ns".
	numberText = regexp.MustCompile(`^([0-9][0-9,_]*)\s*(ns)?$`)
)

// Parse reads a moment as an expiration by height or by time. These forms are known:
//
//	+10, +10 blocks   blocks after the current one
//	+90m, +1d 6h      a length of time after now
//	h1110             a height
//	2026-12-01 09:00  a date, see [ParseDate]
//	12:40             that time of day in the 24 hours after now; not if the block is zero
//	5 ns              nanoseconds since 1970
//
// Letter case doesn't matter. Parse fails with a [*MomentError] for any other text. It
// refuses a bare number too, because the number could be a height or a time.
func (p MomentParser) Parse(text string, currentBlock cw721.Block) (cw721.Expiration, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	moment, err := p.parse(text, currentBlock)
	if err != nil && p.Field != "" {
		return moment, &MomentError{Text: p.Field + ": " + err.Error()}
	}
	return moment, err
}

// parse reads a text in lower case without surrounding spaces. Its errors don't name the
// field.
func (p MomentParser) parse(text string, currentBlock cw721.Block) (cw721.Expiration, error) {
	blocksMatch := blocksFromNow.FindStringSubmatch(text)
	heightMatch := heightText.FindStringSubmatch(text)
	numberMatch := numberText.FindStringSubmatch(text)

	switch {
	case p.RefusesHeights && (blocksMatch != nil || heightMatch != nil):
		return p.refuseUnknownText(text)
	case blocksMatch != nil:
		count, err := ParseNumber(blocksMatch[1])
		if err != nil || count > math.MaxUint64-uint64(currentBlock.Height) {
			return refuse("%q is more blocks than there can be", text)
		}
		return cw721.UntilHeight(currentBlock.Height + cw721.Height(count)), nil
	case heightMatch != nil:
		value, err := ParseNumber(heightMatch[1])
		if err != nil {
			return refuse("%q is beyond the last height there can be", text)
		}
		return cw721.UntilHeight(cw721.Height(value)), nil
	case strings.HasPrefix(text, "+"):
		return p.parseTimeFromNow(text, currentBlock.Time)
	case numberMatch != nil:
		value, err := ParseNumber(numberMatch[1])
		switch {
		case err != nil:
			return refuse("%q is beyond the last time there can be", text)
		case numberMatch[2] == "": // the unit
			return p.refuseWithoutUnit(numberMatch[1], value)
		}
		return cw721.UntilTime(cw721.Time(value)), nil
	}

	blockTime, ok := parseTime(text, currentBlock)
	if !ok {
		return p.refuseUnknownText(text)
	}
	return cw721.UntilTime(blockTime), nil
}

func refuse(format string, args ...any) (cw721.Expiration, error) {
	return cw721.Expiration{}, &MomentError{Text: fmt.Sprintf(format, args...)}
}

func (p MomentParser) refuseUnknownText(text string) (cw721.Expiration, error) {
	return refuse("%q is no %s, expected one of: %s", text, p.Noun, p.Examples)
}

// parseTimeFromNow reads "+90m". A whole number of seconds is rounded up to a full second,
// because nobody who types that means a fraction. An exact parser does not round.
func (p MomentParser) parseTimeFromNow(text string, currentTime cw721.Time) (cw721.Expiration, error) {
	duration, err := parseDuration(strings.TrimPrefix(text, "+"))

	// A text like "+0.1ns" is refused, because it is less than a nanosecond.
	isRoundedToZero := duration == 0 && strings.ContainsAny(text, "123456789")
	isTooLong := uint64(duration) > math.MaxUint64-uint64(currentTime)
	if err != nil || duration < 0 || isRoundedToZero || isTooLong {
		blocksExample := "+10 blocks, "
		if p.RefusesHeights {
			blocksExample = ""
		}
		return refuse("%q is no length of time, expected like %s+90m, +2h30m or +3d", text, blocksExample)
	}

	end := currentTime + cw721.Time(duration)
	fraction := end % cw721.Time(time.Second)
	hasTypedFraction := duration%time.Second != 0
	if p.KeepsFraction || hasTypedFraction || fraction == 0 {
		return cw721.UntilTime(end), nil
	}

	// Round up to a full second, but not beyond the last time there can be.
	untilFullSecond := cw721.Time(time.Second) - fraction
	untilLastTime := math.MaxUint64 - end
	return cw721.UntilTime(end + min(untilFullSecond, untilLastTime)), nil
}

// unixUnits are the units in which programs count the time since 1970. A number from min to
// less than max is probably a date in that unit, between 1985 and 2128.
var unixUnits = []struct {
	name        string
	nanoseconds uint64 // the length of one unit
	min         uint64
	max         uint64
}{
	{name: "seconds", nanoseconds: 1e9, min: 5e8, max: 5e9},
	{name: "milliseconds", nanoseconds: 1e6, min: 5e11, max: 5e12},
	{name: "microseconds", nanoseconds: 1e3, min: 5e14, max: 5e15},
	{name: "nanoseconds", nanoseconds: 1, min: 5e17, max: 5e18},
}

// refuseWithoutUnit refuses a number without a unit, and proposes the date that it probably is.
func (p MomentParser) refuseWithoutUnit(digits string, value uint64) (cw721.Expiration, error) {
	for _, unit := range unixUnits {
		if value < unit.min || value >= unit.max {
			continue
		}
		wholeSeconds := value * unit.nanoseconds / 1e9
		date := TimeUTC(cw721.Time(wholeSeconds * 1e9))
		heightHint := ""
		if !p.RefusesHeights {
			heightHint = ", or h" + digits + " for a height"
		}
		return refuse("%s of what? as %s it is %s: write that%s", digits, unit.name, date, heightHint)
	}

	if p.RefusesHeights {
		return refuse("%s of what? write it like +90m, or %[1]s ns", digits)
	}
	return refuse(
		"%s of what? write h%[1]s for a height, +%[1]s for blocks from now, or %[1]s ns for a time",
		digits,
	)
}

// parseTime reads a date, or a time of day, which means that time in the 24 hours after now.
// ok is false for other texts and for a date that no block time can hold, and for a time of
// day if currentBlock is the zero block or later than the year 2262.
func parseTime(text string, currentBlock cw721.Block) (blockTime cw721.Time, ok bool) {
	if date, ok := ParseDate(text); ok {
		return BlockTime(date)
	}
	if currentBlock == (cw721.Block{}) || currentBlock.Time > math.MaxInt64 {
		return 0, false
	}

	timeOfDay, ok := parseInLayouts(text, time.TimeOnly, "15:04")
	if !ok {
		return 0, false
	}

	// Take this time today, or tomorrow if it is over.
	const day = cw721.Time(24 * time.Hour)
	midnight := currentBlock.Time - currentBlock.Time%day
	sinceMidnight := timeOfDay.Sub(timeOfDay.Truncate(24 * time.Hour))
	timeToday := midnight + cw721.Time(sinceMidnight)
	if timeToday > currentBlock.Time {
		return timeToday, true
	}
	return timeToday + day, true
}

// ParseNumber reads a number whose digits may be separated, like 1,204 or 1_204.
func ParseNumber(text string) (uint64, error) {
	separators := strings.NewReplacer(",", "", "_", "")
	return strconv.ParseUint(separators.Replace(text), 10, 64)
}

// parseDuration is [time.ParseDuration] for a text that may also begin with days: "2h30m",
// "3d", "1d 6h". Spaces don't matter.
func parseDuration(text string) (time.Duration, error) {
	text = strings.ReplaceAll(text, " ", "")
	dayText, clockText, hasDays := strings.Cut(text, "d")
	if !hasDays {
		return time.ParseDuration(text)
	}

	const bits = 16 // at most 65,535 days, which fit in a duration
	dayCount, err := strconv.ParseUint(dayText, 10, bits)
	if err != nil {
		return 0, err
	}
	days := time.Duration(dayCount) * 24 * time.Hour
	if clockText == "" {
		return days, nil
	}
	duration, err := time.ParseDuration(clockText)
	return days + duration, err
}

// time.Parse also accepts a fraction after seconds.
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
	text = strings.ToUpper(strings.TrimSpace(text))
	text = strings.TrimSuffix(text, " UTC")
	return parseInLayouts(text, dateLayouts...)
}

// parseInLayouts parses a text in the first of the layouts that fits it.
func parseInLayouts(text string, layouts ...string) (parsedTime time.Time, ok bool) {
	for _, layout := range layouts {
		if parsedTime, err := time.Parse(layout, text); err == nil {
			return parsedTime, true
		}
	}
	return time.Time{}, false
}

// BlockTime converts a time to a block time. ok is false before 1970, and after July 2554,
// when a block time overflows.
func BlockTime(date time.Time) (blockTime cw721.Time, ok bool) {
	const second = uint64(time.Second) // in nanoseconds
	if date.Unix() < 0 {
		return 0, false
	}

	seconds := uint64(date.Unix())
	nanoseconds := uint64(date.Nanosecond())
	if seconds > math.MaxUint64/second || seconds*second > math.MaxUint64-nanoseconds {
		return 0, false
	}
	return cw721.Time(seconds*second + nanoseconds), true
}

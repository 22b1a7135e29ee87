package form

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Examples returns ways to type a moment after the clock's, for the hint of a field:
// "+10 blocks · +90m · h1210 · 2026-12-01 09:00".
func Examples(clock chain.Clock) string {
	text := fmt.Sprintf("+10 blocks · +90m · h%d", (clock.Height/10+1)*10)
	if uint64(clock.Time) > math.MaxInt64 { // after the end of the calendar
		return text
	}
	now := time.Unix(0, int64(clock.Time)).UTC()
	firstOfNextMonth := now.AddDate(0, 1, 1-now.Day())
	return text + " · " + firstOfNextMonth.Format(time.DateOnly) + " 09:00"
}

// TimeExamples returns ways to type a time after the clock's, for fields that take no
// height or number of blocks: "+90m · 18:00 · 2026-12-01 09:00".
func TimeExamples(clock chain.Clock) string {
	examples := strings.Split(Examples(clock), " · ")[1:] // without a number of blocks
	examples[1] = "18:00"                                 // in place of a height
	return strings.Join(examples, " · ")
}

// TypedMoment is a moment that was typed.
type TypedMoment struct {
	cw721.Expiration
	// Warning names a probable mistake in the unit; empty if there is none.
	Warning string
}

// ReadMoment reads a moment with a parser. It sets the warning if the unit of the moment
// is probably wrong, such as seconds in place of nanoseconds. It fails if the text is no
// moment.
func ReadMoment(text string, clock chain.Clock, parser human.MomentParser) (TypedMoment, error) {
	expiration, err := parser.Parse(text, clock.Block())
	if err != nil {
		return TypedMoment{}, err
	}
	warning := explain.UnitWarning(expiration, clock)
	return TypedMoment{Expiration: expiration, Warning: warning}, nil
}

// parseExpiry reads an expiry: "never", or a moment as the user types it.
func parseExpiry(text string, clock chain.Clock) (TypedMoment, error) {
	if strings.EqualFold(text, "never") {
		return TypedMoment{}, nil
	}
	parser := human.MomentParser{
		Field:    "expires",
		Noun:     "expiry",
		Examples: "never · " + Examples(clock),
	}
	return ReadMoment(text, clock, parser)
}

// ReadTime reads a time that was typed into a field, and shows it in all its forms under
// the field. label names the field in errors. If the text is empty or no time, it adds a
// problem to result and returns nil.
func ReadTime(clock chain.Clock, text, field, label string, result *Result) *cw721.Time {
	examples := TimeExamples(clock)
	if strings.TrimSpace(text) == "" {
		result.Fail(field, label+": a time is missing, expected like "+examples)
		return nil
	}
	parser := human.MomentParser{
		Field:          label,
		Noun:           "time",
		Examples:       examples,
		RefusesHeights: true,
	}
	moment, err := ReadMoment(text, clock, parser)
	if err != nil {
		result.Fail(field, err.Error())
		return nil
	}
	typedTime := cw721.Time(moment.Value)
	distance := FromNow(typedTime, clock.Time)
	allForms := fmt.Sprintf("%s · %s · %d ns", human.TimeUTC(typedTime), distance, moment.Value)
	result.noteMoment(field, allForms, moment.Warning)
	return &typedTime
}

// noteMoment shows a typed moment under a field. allForms is the moment in all its forms,
// such as its date and its distance from now. warning says that its unit is probably
// wrong, and is shown below. An empty warning is none.
func (r *Result) noteMoment(field, allForms, warning string) {
	r.Note(field, widget.Muted(allForms))
	if warning != "" {
		r.Note(field, widget.Warning(warning))
	}
}

// FormatExpiry writes an expiry in a form that parseExpiry reads: "h1210" for a height,
// "2026-12-01T09:00:00Z" for a time, or "never". A time after the end of the calendar is
// written in nanoseconds.
func FormatExpiry(expiration cw721.Expiration) string {
	switch expiration.Axis {
	case cw721.AtHeight:
		return "h" + app.Decimal(expiration.Value)
	case cw721.AtTime:
		// The calendar ends with its last whole second.
		if expiration.Value >= math.MaxInt64/1e9*1e9 {
			return app.Decimal(expiration.Value) + " ns"
		}
		return time.Unix(0, int64(expiration.Value)).UTC().Format(time.RFC3339Nano)
	}
	return "never"
}

// FromNow says how far a time is from now: "in 5m", "now", "5m ago".
func FromNow(moment, now cw721.Time) string {
	switch {
	case moment > now:
		return "in " + human.Span(uint64(moment-now))
	case moment == now:
		return "now"
	}
	return human.Span(uint64(now-moment)) + " ago"
}

// ParseShare reads a share in percent, like "5 %", or as the contract writes it,
// like "0.05".
func ParseShare(text string) (cw721.Share, error) {
	text = strings.TrimSpace(text)
	number, isPercent := strings.CutSuffix(text, "%")
	number = strings.TrimSpace(number)
	whole, fraction, _ := strings.Cut(number, ".")
	share, err := cw721.ParseShare(number)
	isTooFine := isPercent && len(fraction) > 16 // a share has 18 decimals
	if err != nil || isTooFine {
		return cw721.Share{}, fmt.Errorf("share: %q is no share, expected like 5 %% or 0.05", text)
	}
	if !isPercent {
		return share, nil
	}

	// Divide by 100 by moving the point two digits to the left. For example, "5.5"
	// becomes "0.055".
	paddedWhole := "00" + whole
	point := len(paddedWhole) - 2
	return cw721.ParseShare(paddedWhole[:point] + "." + paddedWhole[point:] + fraction)
}

// PercentSignWarning returns a warning if a percentage was probably typed without its
// sign, because the contract takes "5" as 500 %. It returns nil for a text with the sign,
// and for a share of at most 100 %.
func PercentSignWarning(text string, share cw721.Share) []widget.Line {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "%") || share.Cmp(cw721.Percent(100)) <= 0 {
		return nil
	}
	question := fmt.Sprintf("%s is %s %%: was %s %% meant?", text, share.Percentage(), text)
	return []widget.Line{widget.Warning(question)}
}

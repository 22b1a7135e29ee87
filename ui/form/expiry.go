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

// ExpiryField returns an empty field that takes an expiry. It offers "never", but the
// user has to choose that: nothing lasts for ever because a field was left empty.
func ExpiryField(state *app.State, name string) widget.Field {
	examples := Examples(state.Clock)
	return widget.Field{
		Name:        name,
		Label:       "Expires",
		Placeholder: examples,
		Hint:        "never · " + examples,
		Complete: func(text string) []widget.Candidate {
			if !strings.HasPrefix("never", strings.ToLower(text)) {
				return nil
			}
			return []widget.Candidate{{Value: "never", Detail: "until it is revoked"}}
		},
	}
}

// ChangedExpiryField returns an ExpiryField that shows the present expiry of a grant until the
// user types another.
func ChangedExpiryField(state *app.State, name string, present cw721.Expiration) widget.Field {
	field := ExpiryField(state, name)
	field.Placeholder = "now " + FormatExpiry(present) + ", or " + field.Placeholder
	return field
}

// ReadExpiry reads the expiry that was typed into a field, and shows it in all its forms
// under the field. It returns nil for "never", which messages leave out. If the text is
// empty or no expiry, it adds a problem to the input and returns nil.
func (input *Input) ReadExpiry(field string) *cw721.Expiration {
	text := strings.TrimSpace(input.Values[field])
	if text == "" {
		problem := field + ": an expiry is missing, expected one of: never · "
		input.Fail(field, problem+Examples(input.State.Clock))
		return nil
	}
	expires, err := parseExpiry(text, input.State.Clock)
	if err != nil {
		input.Fail(field, err.Error())
		return nil
	}
	input.noteMoment(field, input.State.AllForms(expires), expires, input.State.Clock)
	if expires.Axis == cw721.Never {
		return nil
	}
	return &expires
}

// parseExpiry reads an expiry: "never", or a moment as the user types it.
func parseExpiry(text string, clock chain.Clock) (cw721.Expiration, error) {
	if strings.EqualFold(text, "never") {
		return cw721.Expiration{}, nil
	}
	parser := human.MomentParser{
		Field:    "expires",
		Noun:     "expiry",
		Examples: "never · " + Examples(clock),
	}
	return parser.Parse(text, clock.Block())
}

// ReadTime is [Input.ReadExpiry] for a time. label names the field in errors.
func (r *Result) ReadTime(clock chain.Clock, text, field, label string) *cw721.Time {
	examples := TimeExamples(clock)
	if strings.TrimSpace(text) == "" {
		r.Fail(field, label+": a time is missing, expected like "+examples)
		return nil
	}
	parser := human.MomentParser{
		Field:          label,
		Noun:           "time",
		Examples:       examples,
		RefusesHeights: true,
	}
	moment, err := parser.Parse(text, clock.Block())
	if err != nil {
		r.Fail(field, err.Error())
		return nil
	}
	typedTime := cw721.Time(moment.Value)
	distance := FromNow(typedTime, clock.Time)
	allForms := fmt.Sprintf("%s · %s · %d ns", human.TimeUTC(typedTime), distance, moment.Value)
	r.noteMoment(field, allForms, moment, clock)
	return &typedTime
}

// noteMoment shows all forms of a typed moment under a field, and below them a warning if the
// moment has a probable mistake in its unit, such as seconds in place of nanoseconds.
func (r *Result) noteMoment(field, allForms string, moment cw721.Expiration, clock chain.Clock) {
	r.Note(field, widget.Muted(allForms))
	if warning := explain.UnitWarning(moment, clock); warning != "" {
		r.Note(field, widget.Warning(warning))
	}
}

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

package form

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Examples are ways to type a moment ahead of a clock.
func Examples(c chain.Clock) string {
	text := fmt.Sprintf("+10 blocks · +90m · h%d", (c.Height/10+1)*10)
	if uint64(c.Time) > math.MaxInt64 { // no calendar holds it
		return text
	}
	now := time.Unix(0, int64(c.Time)).UTC()
	return text + " · " + now.AddDate(0, 1, 1-now.Day()).Format(time.DateOnly) + " 09:00"
}

// TypedMoment is a moment as a person typed it, with what it means.
type TypedMoment struct {
	cw721.Expiration
	// Warning names a likely mistake in the unit; it does not stop anybody.
	Warning string
}

// parseExpiry reads an expiry as people think of it, see [chain.MomentParser]; nothing
// typed is never.
func parseExpiry(text string, clock chain.Clock) (TypedMoment, error) {
	if text = strings.ToLower(strings.TrimSpace(text)); text == "" || text == "never" {
		return TypedMoment{}, nil
	}
	return ReadMoment(text, clock, chain.MomentParser{Field: "expires", Not: "expiry", Help: "never · " + Examples(clock)})
}

// ReadMoment reads a moment, and names a likely mistake in its unit.
func ReadMoment(text string, clock chain.Clock, m chain.MomentParser) (TypedMoment, error) {
	e, err := m.Parse(text, clock)
	return TypedMoment{e, explain.UnitWarning(e, clock)}, err
}

// TypeExpiry writes an expiry the way it can be typed, for forms that are filled
// in with one.
func TypeExpiry(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		return "h" + app.Decimal(e.Value)
	case cw721.AtTime:
		if e.Value >= math.MaxInt64/1e9*1e9 {
			return app.Decimal(e.Value) + " ns"
		}
		return time.Unix(0, int64(e.Value)).UTC().Format(time.RFC3339Nano)
	}
	return "never"
}

// FromNow says how far away a moment is.
func FromNow(at, now cw721.Time) string {
	switch {
	case at > now:
		return "in " + chain.Span(uint64(at-now))
	case at == now:
		return "now"
	}
	return chain.Span(uint64(now-at)) + " ago"
}

// TimeExamples are ways to type a time ahead of a clock, where a height will not do.
func TimeExamples(c chain.Clock) string {
	all := strings.Split(Examples(c), " · ")
	all[2] = "18:00"
	return strings.Join(all[1:], " · ")
}

// ReadTime reads a time as people type it, and notes what it means in all its forms. It
// is nil where there is none, which is a problem of the result.
func ReadTime(clock chain.Clock, text, field, label string, out *Result) *cw721.Time {
	if strings.TrimSpace(text) == "" {
		out.Fail(field, label+": a time is missing, expected like "+TimeExamples(clock))
		return nil
	}
	e, err := ReadMoment(text, clock, chain.MomentParser{Field: label, Not: "time", Help: TimeExamples(clock), TimeOnly: true})
	if err != nil {
		out.Fail(field, err.Error())
		return nil
	}
	at := cw721.Time(e.Value)
	out.Note(field, widget.In(themes.Muted, fmt.Sprintf("%s · %s · %d ns", chain.InUTC(at), FromNow(at, clock.Time), e.Value)))
	if e.Warning != "" {
		out.Note(field, widget.In(themes.Warn, themes.GlyphWarn+" "+e.Warning))
	}
	return &at
}

// ParseShare reads a share as people write it, "5 %", or as the contract does,
// "0.05".
func ParseShare(text string) (cw721.Share, error) {
	text = strings.TrimSpace(text)
	percent, ok := strings.CutSuffix(text, "%")
	percent = strings.TrimSpace(percent)
	whole, frac, dotted := strings.Cut(percent, ".")
	share, err := cw721.ParseShare(percent)
	if err != nil || ok && dotted && len(frac) > 16 {
		return cw721.Share{}, fmt.Errorf("share: %q is no share, expected like 5 %% or 0.05", text)
	}
	if !ok {
		return share, nil
	}
	whole = "00" + whole
	return cw721.ParseShare(whole[:len(whole)-2] + "." + whole[len(whole)-2:] + frac)
}

// ShareSlip calls out a percentage that was typed as a share, as the contract
// would take it: 5 is 500 %. It is nil where none is likely.
func ShareSlip(text string, share cw721.Share) []widget.Line {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "%") || share.Cmp(cw721.Percent(100)) <= 0 {
		return nil
	}
	return []widget.Line{widget.In(themes.Warn, fmt.Sprintf("%s %s is %s %%: was %s %% meant?", themes.GlyphWarn, text, share.Percentage(), text))}
}

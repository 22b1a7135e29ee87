package form

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

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

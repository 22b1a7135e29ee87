package form

import (
	"cmp"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// FormWidth is the most cells that a form takes.
const FormWidth = 88

func (f *Action) View(st *app.State) string {
	box, title := widget.Box{W: min(f.box.W, FormWidth), H: f.box.H}, f.title
	if f.As != "" {
		title += " as " + widget.Safe(st.DisplayName(f.As))
	}
	return f.sheet.View(st.Theme, title, box, f.below(st))
}

// below is what will come of it, and what is sent.
func (f *Action) below(st *app.State) []widget.Line {
	lines := f.outcome(st)
	if len(f.result.Msg) > 0 {
		lines = append(lines, widget.In(themes.Faint, string(f.result.Msg)))
	}
	return lines
}

func (f *Action) outcome(st *app.State) []widget.Line {
	one := func(l widget.Line) []widget.Line { return []widget.Line{l} }
	missing := cmp.Or(f.Missing, "what will happen shows here when the form is filled in")
	switch {
	case f.sent && f.Working != nil:
		return one(widget.In(themes.Accent, themes.GlyphDown+" "+f.Working()))
	case f.failed.Text != "" && !f.has(f.failed.Field):
		return one(widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, f.failed.Text))
	case f.result.Said != nil:
		return f.result.Said
	case len(f.result.Problems) > 0 && !f.has(f.result.Problems[0].Field):
		return one(widget.In(themes.Warn, themes.GlyphWarn+" "+f.result.Problems[0].Text))
	case len(f.result.Problems) > 0:
		return one(widget.In(themes.Muted, missing))
	case f.result.typed == nil && f.result.Preview == nil:
		return nil
	case f.receipt == nil:
		return one(widget.In(themes.Muted, "looking"+themes.GlyphEllipsis))
	}
	if r := f.receipt.Refusal; r != nil {
		switch field := LastPart(r.Field); {
		case f.has(field) && !f.shown(field):
			return one(widget.In(themes.Muted, missing))
		case f.has(field):
			return one(widget.In(themes.Bad, themes.GlyphNo+" will be refused").And(themes.Muted, " for what the field above says"))
		}
		lines := one(widget.In(themes.Bad, themes.GlyphNo+" will be refused: ").And(themes.Text, r.Text))
		if f.refused != nil {
			lines = append(lines, f.refused.lines(st)...)
		}
		return lines
	}
	will := widget.In(themes.Good, themes.GlyphYes+" will work")
	if st.IsTrial() && f.result.typed != nil {
		will = will.And(themes.Warn, ", and is not kept: this session is read-only")
	}
	if f.result.Outcome != nil {
		return append(one(will), f.result.Outcome(*f.receipt)...)
	}
	lines := one(will)
	for _, s := range explain.Describe(f.receipt.Changes, st.DisplayName) {
		lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, s))
	}
	if len(f.receipt.Changes) == 0 {
		lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" "+explain.NothingChanges))
	}
	return lines
}

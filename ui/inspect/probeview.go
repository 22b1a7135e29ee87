package inspect

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// besideBlock is how many cells an answer needs to stand beside its block.
const besideBlock = 32

// Whole tells that the view takes the whole terminal.
func (p *probe) Whole() {}

func (p *probe) View(st *app.State) string {
	inner := widget.FrameInner(p.box)
	w, low := max(inner.W-2, 2), inner.H < form.LowDialog
	fixed := p.tries(st, w)
	if !low {
		fixed = append([]widget.Line{{}}, fixed...)
	}
	found := p.found(st, w, low)
	room := inner.H - len(fixed)
	rows := max(1, len(p.grants))
	h := max(min(rows, room-form.AsideHeight(found, w)), min(rows, 2))
	form.LayAside(p.text, found, w, room-h)

	lines := append(p.list(st, h), fixed...)
	out := make([]string, len(lines), inner.H)
	for i, l := range lines {
		out[i] = " " + l.Fit(st.Theme, max(inner.W-1, 0))
	}
	if p.text.Lines() > 0 {
		for line := range strings.SplitSeq(p.text.View(st.Theme), "\n") {
			out = append(out, " "+line)
		}
	}
	title := "Boundary probe"
	if n := len(p.grants); n > h {
		title += fmt.Sprintf(" · grant %d of %d", p.cursor+1, n)
	}
	return widget.FrameHiding(st.Theme, title, strings.Join(out, "\n"), true, p.box, widget.Hidden{Above: p.text.Hidden().Above})
}

// list shows the grants around the cursor.
func (p *probe) list(st *app.State, h int) []widget.Line {
	switch {
	case p.fault != "" && len(p.grants) == 0:
		return []widget.Line{widget.In(themes.Bad, themes.GlyphNo+" "+p.fault)}
	case !p.read:
		return []widget.Line{widget.In(themes.Muted, "reading"+themes.GlyphEllipsis)}
	case len(p.grants) == 0:
		return []widget.Line{widget.In(themes.Muted, "nobody was given a grant here that could expire")}
	}
	names := min(34, max(widget.FrameInner(p.box).W-19, 12)) // the rest is for when it expires
	var lines []widget.Line
	top := max(0, min(p.cursor-h/2, len(p.grants)-h))
	for i := top; i < min(top+h, len(p.grants)); i++ {
		g := p.grants[i].grant
		sign, role := themes.GlyphLive+" ", themes.Live
		if g.Expires.Expired(st.Block()) {
			sign, role = themes.GlyphExpired+" ", themes.Expired
		}
		pointer, text := "  ", themes.Text
		if i == p.cursor {
			pointer, text = themes.GlyphPointer+" ", themes.Strong
		}
		lines = append(lines, widget.In(themes.Accent, pointer).And(role, sign).
			And(text, widget.Fit(widget.Safe(p.grants[i].text(st)), names)+" ").And(role, st.When(g.Expires)))
	}
	return lines
}

// tries names the messages that the grant can be tried with; where there is no
// room for all, the one that is.
func (p *probe) tries(st *app.State, w int) []widget.Line {
	r, ok := p.current()
	if !ok {
		return nil
	}
	who := widget.In(themes.Muted, "as ").And(themes.Strong, st.Call(r.grant.Spender)).And(themes.Muted, "  ")
	all := who
	for i, t := range r.tries {
		role := themes.Muted
		if i == p.try {
			role = themes.Selected
		}
		all = all.And(role, " "+t.name+" ").And(themes.Text, " ")
	}
	if widget.Width(all.String()) > w+1 && p.try < len(r.tries) {
		all = who.And(themes.Selected, " "+r.tries[p.try].name+" ").And(themes.Muted, fmt.Sprintf(" %d of %d", p.try+1, len(r.tries)))
	}
	return []widget.Line{all}
}

// found shows what was sent and what came of it.
func (p *probe) found(st *app.State, w int, low bool) (lines []widget.Line) {
	r, ok := p.current()
	if !ok {
		return nil
	}
	air := func() {
		if !low {
			lines = append(lines, widget.Line{})
		}
	}
	if t := min(p.try, len(r.tries)-1); t >= 0 && !low {
		lines = append(lines, widget.In(themes.Faint, widget.Fit(widget.Safe(string(r.tries[t].msg)), w)))
	}
	air()
	if p.fault != "" {
		return append(lines, widget.In(themes.Warn, themes.GlyphInfo+" "+p.fault))
	}
	if len(p.rows) == 0 {
		return append(lines, widget.In(themes.Muted, "trying"+themes.GlyphEllipsis))
	}
	lines = append(lines, probedLines(st, r.grant.Expires.Axis, p.rows, w)...)
	closing := "A grant has expired in the very block that it names. Nothing of this was kept."
	if explain.Steady(p.rows) {
		closing = "The answer is the same on both sides: another grant carries on beyond this expiry. Nothing of this was kept."
	}
	air()
	for _, text := range widget.Wrap(closing, w) {
		lines = append(lines, widget.In(themes.Muted, text))
	}
	return lines
}

// probedLines are the three moments, each with its answer beside it or, where
// that is too narrow for one of them, below all of them. An answer hangs behind
// its sign, and so does the rule that it rests on.
func probedLines(st *app.State, axis cw721.Axis, rows []explain.Probed, w int) (lines []widget.Line) {
	const names, gap, sign = 11, 2, 2
	at := make([]string, len(rows))
	widest := 16
	for i, row := range rows {
		at[i] = probedAt(st, axis, row)
		widest = max(widest, widget.Width(at[i]))
	}
	indent := names + widest + gap
	beside := w-indent >= besideBlock
	if !beside {
		indent = 2
	}
	room := max(w-indent-sign, 2)
	for i, row := range rows {
		name := map[int]string{-1: "expiry − 1", 0: "expiry", 1: "expiry + 1"}[row.Offset]
		before := widget.In(themes.Header, widget.Fit(name, names)).And(themes.Text, widget.Fit(at[i], widest+gap))
		if !beside {
			lines, before = append(lines, before), widget.Plain(strings.Repeat(" ", indent))
		}
		text := st.Summary(row.Receipt)
		if r := row.Receipt.Refusal; r != nil {
			text = r.Text
		}
		before = append(before, app.Verdict(row.Receipt.Refusal == nil)...)
		hang := func(role themes.Role, text string) {
			for _, l := range widget.Wrap(widget.Safe(text), room) {
				lines = append(lines, before.And(role, l))
				before = widget.Plain(strings.Repeat(" ", indent+sign))
			}
		}
		if hang(themes.Text, text); row.By != "" {
			hang(themes.Muted, row.By)
		}
	}
	return lines
}

// probedAt writes the block of a moment, by the axis of the expiry.
func probedAt(st *app.State, axis cw721.Axis, row explain.Probed) string {
	switch {
	case axis != cw721.AtTime:
		return "height " + chain.Thousands(uint64(row.Block.Height))
	case st.Times == app.Exact:
		return fmt.Sprintf("%d ns", row.Block.Time)
	}
	return chain.UTC(row.Block.Time) + " UTC"
}

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

// tries is the line that names the messages which the grant under the cursor can be
// tried with; where there is no room for all, the one that is.
func (p *probe) tries(st *app.State, box widget.Box) string {
	row, ok := p.Table.Cursor()
	if !ok {
		return widget.Fit("", box.W)
	}
	r := row.About.(probed)
	who := widget.In(themes.Muted, "as ").And(themes.Strong, st.DisplayName(r.grant.Spender)).And(themes.Muted, "  ")
	all := who
	for i, t := range r.tries {
		role := themes.Muted
		if i == min(p.try, len(r.tries)-1) {
			role = themes.Selected
		}
		all = all.And(role, " "+t.name+" ").And(themes.Text, " ")
	}
	if at := min(p.try, len(r.tries)-1); at >= 0 && widget.Width(all.String()) > box.W+1 {
		all = who.And(themes.Selected, " "+r.tries[at].name+" ").And(themes.Muted, fmt.Sprintf(" %d of %d", at+1, len(r.tries)))
	}
	return all.Fit(st.Theme, box.W)
}

// found shows what was sent and what came of it.
func (p *probe) found(st *app.State, r probing, w int) (lines []widget.Line) {
	_, box := p.Split()
	air := func() {
		if box.H >= form.LowDialog {
			lines = append(lines, widget.Line{})
		}
	}
	if len(r.tries) > 0 && box.H >= form.LowDialog {
		lines = append(lines, widget.In(themes.Faint, widget.Fit(widget.Safe(string(r.tries[r.try].msg)), w)))
	}
	air()
	none := func(why string) []widget.Line {
		return append(lines, widget.In(themes.Warn, themes.GlyphInfo+" "+why))
	}
	switch {
	case r.grant.Expires.Axis == cw721.Never:
		return none("this grant never expires, so there is no boundary to probe")
	case len(r.tries) == 0:
		return none(st.DisplayName(r.grant.Owner) + " owns no token now that this grant could be tried on")
	}
	lines = append(lines, probedLines(st, r.grant.Expires.Axis, r.rows, w)...)
	closing := "A grant has expired in the very block that it names. Nothing of this was kept."
	if explain.SameOnBothSides(r.rows) {
		closing = "The answer is the same on both sides: another grant carries on beyond this expiry. Nothing of this was kept."
	}
	air()
	return append(lines, widget.In(themes.Muted, closing))
}

// probedLines are the three moments, each with its answer beside it or, where
// that is too narrow for one of them, below all of them. An answer hangs behind
// its sign, and so does the rule that it rests on.
func probedLines(st *app.State, axis cw721.Axis, rows []explain.ProbeRow, w int) (lines []widget.Line) {
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
func probedAt(st *app.State, axis cw721.Axis, row explain.ProbeRow) string {
	switch {
	case axis != cw721.AtTime:
		return "height " + chain.Thousands(uint64(row.Block.Height))
	case st.Times == app.Exact:
		return fmt.Sprintf("%d ns", row.Block.Time)
	}
	return chain.UTC(row.Block.Time) + " UTC"
}

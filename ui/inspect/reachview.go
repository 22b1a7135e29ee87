package inspect

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

const reachWidth = 104

func (x *whoCould) View(st *app.State) string {
	box := widget.Box{W: min(x.box.W, reachWidth), H: x.box.H}
	inner := widget.FrameInner(box)
	lines, at := x.lines(st)
	height := 0
	for _, l := range lines {
		height += len(widget.WrapLine(l, inner.W))
	}
	x.text.Resize(widget.Box{W: inner.W, H: min(height, max(inner.H-2, 1))})
	x.text.Keep(lines)
	if x.moved {
		x.text.Show(at)
		x.moved = false
	}
	const before = "who can "
	line := st.Theme.Render(themes.Muted, widget.Fit(before, min(len(before), inner.W))) + x.line.View(st.Theme, inner.W-len(before), x.typing, "transfer TOKEN as WHO passive WHO after MOMENT until MOMENT unmoved")
	body := widget.JoinV(line, app.RuleAcross(st, inner.W, x.typing), x.text.View(st.Theme))
	box.H = min(box.H, strings.Count(body, "\n")+1+box.H-inner.H)
	return widget.Frame(st.Theme, "Who could", body, box, widget.Hidden{})
}

// lines are the answer, the way, and what they rest on; at is the line of the
// step under the cursor.
func (x *whoCould) lines(st *app.State) (lines []widget.Line, at int) {
	add := func(l widget.Line) { lines = append(lines, l) }
	s := x.seen
	switch {
	case s.err != nil:
		add(widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, s.err.Error()))
		return lines, 0
	case s.verdict != "":
		add(app.Verdict(len(s.ways) > 0).And(themes.Strong, s.verdict))
	}
	if !s.over {
		add(widget.In(themes.Accent, "  searching"+themes.GlyphEllipsis).And(themes.Muted, fmt.Sprintf(" %s states so far; / asks something else, esc leaves", chain.Thousands(uint64(s.answer.States)))))
	}
	if x.way < len(s.ways) {
		add(nil)
		add(widget.In(themes.Header, fmt.Sprintf("Way %d of %d", x.way+1, len(s.ways))).And(themes.Key, "  n").And(themes.Muted, " another  ").
			And(themes.Key, "x").And(themes.Muted, " not through "+x.sender(st)+"  ").And(themes.Key, "L").And(themes.Muted, " later"))
		for i, step := range s.ways[x.way] {
			pointer, role := "  ", themes.Text
			if i == x.step {
				pointer, role, at = themes.GlyphPointer+" ", themes.Strong, len(lines)
			}
			add(widget.In(themes.Accent, pointer).And(themes.Muted, fmt.Sprintf("%d  %s  ", i+1, moment(st, step.Block))).And(role, step.sends))
			rules := []widget.Line{widget.In(themes.Muted, "allowed: "+step.allowed)}
			if i == x.step && x.rules {
				rules = app.RuleLines(step.rules)
			}
			for _, l := range rules {
				add(append(widget.Plain("     "), l...))
			}
		}
	}
	for _, text := range s.refused {
		add(nil)
		add(widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, text))
	}
	if len(s.answer.Assumptions) > 0 && s.verdict != "" {
		add(nil)
		add(widget.In(themes.Header, "Assumed"))
	}
	for _, text := range s.answer.Assumptions {
		add(widget.In(themes.Muted, "  "+themes.GlyphDot+" "+text))
	}
	return lines, at
}

// sender is who sends the message of the step under the cursor.
func (x *whoCould) sender(st *app.State) string {
	if step, ok := x.current(); ok && step.As != x.seen.answer.Anyone {
		return st.Call(step.As)
	}
	return "its sender"
}

// moment says when a step can happen first.
func moment(st *app.State, b cw721.Block) string {
	if b.Height == st.Clock.Height {
		return "now"
	}
	return st.When(cw721.UntilHeight(b.Height))
}

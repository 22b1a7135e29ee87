package history

import (
	"fmt"
	"strings"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Whole tells that the view takes the whole terminal.
func (b *branches) Whole() {}

func (b *branches) View(st *app.State) string {
	inner := widget.FrameInner(b.box)
	w, low := max(inner.W-2, 2), inner.H < form.LowDialog
	var lines []widget.Line
	switch {
	case b.fault != "":
		lines = append(lines, widget.WrapLine(widget.In(themes.Bad, themes.GlyphNo+" "+b.fault), w)...)
	case !b.read:
		lines = append(lines, widget.In(themes.Muted, "reading"+themes.GlyphEllipsis))
	default:
		lines = b.list(st, max(1, (inner.H-4)/2))
	}
	if !low {
		lines = append(lines, widget.Line{})
	}
	form.LayAside(b.text, b.comparison(st), w, inner.H-len(lines))
	var body []string
	for _, l := range lines {
		body = append(body, " "+l.Fit(st.Theme, max(inner.W-1, 0)))
	}
	for line := range strings.SplitSeq(b.text.View(st.Theme), "\n") {
		body = append(body, " "+line)
	}
	title := "Branches"
	if n := len(b.tips); n > 1 {
		title += fmt.Sprintf(" · %d of %d", b.cursor+1, n)
	}
	return widget.FrameHiding(st.Theme, title, strings.Join(body, "\n"), true, b.box, widget.Hidden{Above: b.text.Hidden().Above})
}

// narrow tells that a row has no room for how its branch hangs together with the
// way to the head: the comparison says it then.
func (b *branches) narrow() bool { return b.box.W < 70 }

func (b *branches) list(st *app.State, h int) []widget.Line {
	var lines []widget.Line
	top := max(0, min(b.cursor-h/2, len(b.tips)-h))
	for i := top; i < min(top+h, len(b.tips)); i++ {
		pointer, role := "  ", themes.Text
		if i == b.cursor {
			pointer, role = themes.GlyphPointer+" ", themes.Strong
		}
		t := b.tips[i]
		mark, _ := t.where.look()
		l := append(widget.In(themes.Accent, pointer), mark...)
		l = l.And(themes.Muted, fmt.Sprintf(" #%-5d ", t.node.ID)).And(role, st.Words().Node(t.node))
		for _, name := range t.names {
			l = l.And(themes.Accent, " ["+name+"]")
		}
		if t.node.ID == b.with {
			l = l.And(themes.Warn, "  compared with")
		}
		if !b.narrow() {
			l = l.And(themes.Muted, "  "+t.about(st))
		}
		lines = append(lines, l)
	}
	if b.more {
		lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("only the youngest %d branches are shown", tipsShown)))
	}
	return lines
}

// about tells how a branch hangs together with the way to the head.
func (t tip) about(st *app.State) string {
	switch {
	case t.where == atHead:
		return "the chain stands here"
	case t.far:
		return fmt.Sprintf("more than %d steps of its own", stepsCounted)
	case t.where == ahead && !t.redo:
		return fmt.Sprintf("%d ahead", t.steps)
	case t.where == ahead:
		return fmt.Sprintf("%d ahead: redo goes there", t.steps)
	}
	return fmt.Sprintf("%d of its own, off #%d with %s", t.steps, t.off, st.Words().Node(t.onward))
}

// comparison heads the differences.
func (b *branches) comparison(st *app.State) []widget.Line {
	if len(b.tips) == 0 {
		return nil
	}
	from := "where the chain stands"
	if b.with != 0 {
		from = fmt.Sprintf("#%d", b.with)
	}
	t := b.tips[b.cursor]
	head := widget.In(themes.Header, fmt.Sprintf("From %s to #%d", from, t.node.ID))
	if b.narrow() {
		head = head.And(themes.Muted, "  "+t.about(st))
	}
	if b.diff == nil {
		return []widget.Line{head, widget.In(themes.Muted, "  comparing"+themes.GlyphEllipsis)}
	}
	return append([]widget.Line{head}, b.diff...)
}

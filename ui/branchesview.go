package ui

import (
	"fmt"
	"strings"

	"ephemera/themes"
	"ephemera/ui/widget"
)

const branchesWidth = 108

func (b *branches) View(d *Desk) string {
	box := widget.Box{W: min(b.box.W, branchesWidth), H: b.box.H}
	inner := widget.FrameInner(box)
	var lines []widget.Line
	switch {
	case b.fault != "":
		lines = append(lines, widget.In(themes.Bad, themes.GlyphNo+" "+b.fault))
	case !b.read:
		lines = append(lines, widget.In(themes.Muted, "reading"+themes.GlyphEllipsis))
	default:
		h := max(1, (inner.H-4)/2)
		lines = append(b.list(d, h), widget.Plain(""))
		lines = append(lines, b.comparison(d)...)
	}
	hint := widget.In(themes.Key, "enter").And(themes.Muted, " enters  ").And(themes.Key, "n").And(themes.Muted, " names  ").
		And(themes.Key, "c").And(themes.Muted, " compares with it  ").And(themes.Key, "esc").And(themes.Muted, " closes")
	body := make([]string, 0, len(lines)+2)
	for _, l := range lines {
		for _, part := range widget.WrapLine(l, max(inner.W-2, 2)) {
			body = append(body, " "+part.Fit(d.Theme, max(inner.W-1, 0)))
		}
	}
	body = append(body[:min(len(body), max(inner.H-2, 0))], "", " "+hint.Fit(d.Theme, max(inner.W-1, 0)))
	box.H = min(box.H, len(body)+box.H-inner.H)
	return widget.Frame(d.Theme, "Branches", strings.Join(body, "\n"), true, box)
}

func (b *branches) list(d *Desk, h int) []widget.Line {
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
		l = l.And(themes.Muted, fmt.Sprintf(" #%-5d", t.node.ID)).And(role, d.words().node(t.node))
		for _, name := range t.names {
			l = l.And(themes.Accent, " ["+name+"]")
		}
		if t.node.ID == b.with {
			l = l.And(themes.Warn, "  compared with")
		}
		lines = append(lines, l.And(themes.Muted, "  "+t.about(d)))
	}
	if b.more {
		lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("only the youngest %d branches are shown", tipsShown)))
	}
	return lines
}

// about tells how a branch hangs together with the way to the head.
func (t tip) about(d *Desk) string {
	switch {
	case t.where == atHead:
		return "the chain stands here"
	case t.far:
		return fmt.Sprintf("more than %d steps of its own", stepsCounted)
	case t.where == ahead:
		return fmt.Sprintf("%d ahead: redo goes there", t.steps)
	}
	return fmt.Sprintf("%d of its own, off #%d with %s", t.steps, t.off, d.words().node(t.onward))
}

// comparison heads the differences.
func (b *branches) comparison(d *Desk) []widget.Line {
	if len(b.tips) == 0 {
		return nil
	}
	from := "where the chain stands"
	if b.with != 0 {
		from = fmt.Sprintf("#%d", b.with)
	}
	head := widget.In(themes.Header, fmt.Sprintf("From %s to #%d", from, b.tips[b.cursor].node.ID))
	if b.diff == nil {
		return []widget.Line{head, widget.In(themes.Muted, "  comparing"+themes.GlyphEllipsis)}
	}
	return append([]widget.Line{head}, b.diff...)
}

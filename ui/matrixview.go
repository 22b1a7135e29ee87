package ui

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

func (m *matrix) View(d *Desk) string {
	th, w := d.Theme, widget.FrameInner(m.box).W
	head := m.head(d)
	place := fmt.Sprintf("%s  accounts %d–%d of %d ", m.table.Position(), m.first+1, min(m.first+m.shown(), len(m.names)), len(m.names))
	if widget.Width(head.String())+widget.Width(place)+2 > w {
		place = ""
	}
	body := widget.JoinV(
		widget.Ends(head.Render(th), th.Render(themes.Muted, place), w),
		m.legend().Fit(th, w), m.table.View(th), ruleAcross(d, w, false), m.hint(w).Fit(th, w))
	return widget.Frame(th, "Access matrix", body, true, m.box)
}

// head names the moment in view, or the two that are compared. The one that the
// keys move stands out.
func (m *matrix) head(d *Desk) widget.Line {
	if !m.compare {
		return widget.Plain(" ").And(themes.Strong, m.moments[m.active].call()).And(themes.Muted, " "+m.moments[m.active].away(d))
	}
	var l widget.Line
	for n, i := range m.order() {
		p := m.moments[i]
		if n > 0 {
			l = l.And(themes.Muted, "  "+themes.GlyphArrow+" ")
		}
		letter, role := themes.Key, themes.Text
		if i == m.active {
			letter, role = themes.Selected, themes.Strong
		}
		l = l.And(themes.Text, " ").And(letter, " "+string(rune('A'+i))+" ").And(role, " "+p.call()).And(themes.Muted, " "+p.away(d))
	}
	return l
}

// call names a moment: the step of the history that was chosen, or the height.
func (p pick) call() string {
	height := "height " + chain.Thousands(uint64(p.at.Block.Height))
	if strings.HasPrefix(p.text, "#") {
		return "after " + p.text + ", " + height
	}
	return height
}

// away tells how far a moment is from the clock. Without a height between them
// the time tells.
func (p pick) away(d *Desk) string {
	at, now := p.at.Block, d.Block()
	switch {
	case at.Height > now.Height:
		return "in " + chain.Blocks(uint64(at.Height-now.Height))
	case at.Height < now.Height:
		return chain.Blocks(uint64(now.Height-at.Height)) + " ago"
	case at.Time > now.Time && at.Time != 0:
		return "in " + chain.Span(uint64(at.Time-now.Time))
	case p.at.Node != 0 && p.at.Node != d.Head && at.Time < now.Time:
		return chain.Span(uint64(now.Time-at.Time)) + " ago"
	}
	return "now"
}

func (m *matrix) legend() widget.Line {
	if m.compare {
		return widget.In(themes.Muted, " earlier "+themes.GlyphArrow+" later   ").And(themes.Faint, "= ").And(themes.Muted, "the same   ").
			And(themes.Good, "a right gained").And(themes.Muted, "   ").And(themes.Bad, "a right lost")
	}
	return widget.In(themes.Muted, " T transfer  B burn  A approve   ").And(themes.Strong, "= ").And(themes.Muted, "owner  ").
		And(themes.Live, "a ").And(themes.Muted, "approved  ").And(themes.Accent, "o ").And(themes.Muted, "operator")
}

// hint lists the keys that matter most, as many as there is room for.
func (m *matrix) hint(w int) widget.Line {
	keys := []struct{ key, what string }{
		{"← →", "block"}, {"m", "moment"}, {"c", "compare"}, {"tab", "other moment"}, {"e", "next end"}, {"0", "now"}, {"< >", "accounts"}, {"w", "why"},
	}
	if !m.compare {
		keys[3].key = ""
	}
	l, last := widget.Plain(" "), widget.In(themes.Key, "esc").And(themes.Muted, " closes")
	room := w - 1 - widget.Width(last.String())
	for _, k := range keys {
		if k.key == "" {
			continue
		}
		if room -= widget.Width(k.key+" "+k.what) + 2; room < 0 {
			break
		}
		l = l.And(themes.Key, k.key).And(themes.Muted, " "+k.what+"  ")
	}
	return append(l, last...)
}

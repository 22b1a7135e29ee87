package inspect

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

func (m *matrix) View(st *app.State) string {
	th, w := st.Theme, widget.FrameInner(m.box).W
	head := m.head(st, w)
	place := fmt.Sprintf("%s  accounts %d–%d of %d ", m.table.Position(), m.first+1, min(m.first+m.shown(), len(m.names)), len(m.names))
	if widget.Width(head.String())+widget.Width(place)+2 > w {
		place = ""
	}
	parts := []string{widget.Ends(head.Render(th), th.Render(themes.Muted, place), w)}
	for _, l := range m.legend() {
		parts = append(parts, l.Fit(th, w))
	}
	parts = append(parts, m.table.View(th))
	if m.below() > 0 {
		parts = append(parts, app.RuleAcross(st, w, false))
		for _, l := range m.reasons() {
			parts = append(parts, l.Fit(th, w))
		}
	}
	title := "Access matrix"
	if n := len(m.names); place == "" && n > m.shown() {
		title += fmt.Sprintf(" · accounts %d–%d of %d", m.first+1, min(m.first+m.shown(), n), n)
	}
	return widget.Frame(th, title, widget.JoinV(parts...), m.box, widget.Hidden{})
}

// above and below are the lines around the table. Where it is low, the keys are
// left to the footer, and the reasons to why.
func (m *matrix) above() int { return 1 + len(m.legend()) }

func (m *matrix) below() int {
	if widget.FrameInner(m.box).H < form.LowDialog {
		return 0
	}
	return 1 + len(m.order())
}

// head names the moment in view, or the two that are compared. The one that the
// keys move stands out. What does not fit into the width is said in brief.
func (m *matrix) head(st *app.State, w int) widget.Line {
	away := func(p pick) string { return " " + p.away(st) }
	height := func(p pick) string { return chain.Thousands(uint64(p.at.Block.Height)) }
	l := m.headWith(pick.call, away)
	if widget.Width(l.String()) > w {
		l = m.headWith(height, away)
	}
	if widget.Width(l.String()) > w {
		l = m.headWith(height, func(pick) string { return "" })
	}
	return l
}

func (m *matrix) headWith(call, away func(pick) string) widget.Line {
	if p := m.moments[m.active]; !m.compare {
		return widget.Plain(" ").And(themes.Strong, call(p)).And(themes.Muted, away(p))
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
		l = l.And(themes.Text, " ").And(letter, " "+string(rune('A'+i))+" ").And(role, " "+call(p)).And(themes.Muted, away(p))
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
func (p pick) away(st *app.State) string {
	at, now := p.at.Block, st.Block()
	switch {
	case at.Height > now.Height:
		return "in " + chain.Blocks(uint64(at.Height-now.Height))
	case at.Height < now.Height:
		return chain.Blocks(uint64(now.Height-at.Height)) + " ago"
	case at.Time > now.Time && at.Time != 0:
		return "in " + chain.Span(uint64(at.Time-now.Time))
	case p.at.Node != 0 && p.at.Node != st.Head && at.Time < now.Time:
		return chain.Span(uint64(now.Time-at.Time)) + " ago"
	}
	return "now"
}

// legend says what the signs mean, in a line or, where that is too long, in two.
func (m *matrix) legend() []widget.Line {
	first := widget.In(themes.Muted, " T transfer  B burn  A approve  ")
	second := widget.In(themes.Strong, " = ").And(themes.Muted, "owner  ").
		And(themes.Live, "a ").And(themes.Muted, "approved  ").And(themes.Accent, "o ").And(themes.Muted, "operator")
	if len(m.letters) == len(letters) {
		first, second = first.And(themes.Muted, "M mint  "), second.And(themes.Accent, "  m ").And(themes.Muted, "minter")
	}
	if m.compare {
		first = widget.In(themes.Muted, " earlier "+themes.GlyphArrow+" later  ").And(themes.Faint, " = ").And(themes.Muted, "the same  ")
		second = widget.In(themes.Good, " gained").And(themes.Muted, "  ").And(themes.Bad, " lost")
	}
	both := append(first[:len(first):len(first)], second...)
	if widget.Width(both.String()) <= widget.FrameInner(m.box).W {
		return []widget.Line{both}
	}
	return []widget.Line{first, second}
}

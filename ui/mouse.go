package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// mouse routes the mouse by what is under it. A hint of the footer is its key, a
// dialog takes all else while one is open, and then come the header, the tabs,
// the screen and the clock. There is nothing that only the mouse can do.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.tooSmall() || !widget.Clicked(msg) && widget.Wheeled(msg) == 0 {
		return nil
	}
	body := m.layout()
	switch {
	case widget.Clicked(msg) && msg.Y == m.size.H-1:
		if k, ok := m.pressed(msg.X); ok {
			return m.press(term.Key(k))
		}
		return nil
	case len(m.dialogs) > 0:
		return m.mouseInDialog(msg)
	case !m.state.HasCollection():
		return nil
	case msg.Y > m.noticeRow():
		if widget.Clicked(msg) {
			return m.clock.click(m.state, msg.X, msg.Y-m.noticeRow()-1, m.size.W)
		}
		return nil
	case msg.Y == 0:
		if _, right := m.headerEnds(); widget.Clicked(msg) && msg.X >= m.size.W-widget.Width(right.String()) {
			return accounts.OpenActAs(m.state)
		}
		return nil
	case msg.Y == tabsRow:
		if i := m.tabBar().At(msg.X, m.size.W); widget.Clicked(msg) && i >= 0 {
			return m.turn(i)
		}
		return nil
	}
	msg.Y -= body.top
	if msg.Y < 0 || msg.Y >= body.box.H || msg.X >= body.box.W {
		return nil
	}
	m.clock.lost = app.Subject{}
	return m.screen().Update(m.state, msg)
}

// mouseInDialog hands the mouse to the top dialog, with the place counted from
// inside its frame. A click beside the dialog does nothing: it would be too easy
// to lose what was typed.
func (m *Model) mouseInDialog(msg tea.MouseMsg) tea.Cmd {
	top := m.topDialog()
	p := m.place(top)
	msg.X, msg.Y = msg.X-p.x-2, msg.Y-p.y-1
	if widget.Clicked(msg) && (msg.X < 0 || msg.Y < 0 || msg.X >= p.w-4 || msg.Y >= p.h-2) {
		return nil
	}
	cmd, _ := m.updateDialog(top, msg)
	return cmd
}

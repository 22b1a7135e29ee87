package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// clicked tells whether the left button went down.
func clicked(msg tea.MouseMsg) bool {
	return msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft
}

// wheeled gives which way the wheel was turned: 1 is down, 0 is no wheel.
func wheeled(msg tea.MouseMsg) int {
	switch msg.Button {
	case tea.MouseButtonWheelDown:
		return 1
	case tea.MouseButtonWheelUp:
		return -1
	}
	return 0
}

// mouse routes the mouse by what is under it. A hint of the footer is its key, a
// dialog takes all else while one is open, and then come the header, the tabs,
// the screen and the clock. There is nothing that only the mouse can do.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.tooSmall() || !clicked(msg) && wheeled(msg) == 0 {
		return nil
	}
	body := m.layout()
	switch {
	case clicked(msg) && msg.Y == m.size.H-1:
		if k, ok := m.pressed(msg.X); ok {
			return m.key(term.Key(k))
		}
		return nil
	case len(m.dialogs) > 0:
		return m.mouseInDialog(msg)
	case !m.desk.Has():
		return nil
	case msg.Y > m.noticeRow():
		if clicked(msg) {
			return m.clock.click(m.desk, msg.X, msg.Y-m.noticeRow()-1, m.size.W)
		}
		return nil
	case msg.Y == 0:
		if _, right := m.headerEnds(); clicked(msg) && msg.X >= m.size.W-widget.Width(right.String()) {
			return openActAs(m.desk)
		}
		return nil
	case msg.Y == tabsRow:
		if i := m.tabBar().At(msg.X, m.size.W); clicked(msg) && i >= 0 {
			return m.turn(i)
		}
		return nil
	}
	msg.Y -= body.top
	if msg.Y < 0 || msg.Y >= body.box.H || msg.X >= body.box.W {
		return nil
	}
	m.clock.lost = Subject{}
	return m.screens[m.current].Update(m.desk, msg)
}

// mouseInDialog hands the mouse to the top dialog, with the place counted from
// inside its frame. A click beside the dialog does nothing: it would be too easy
// to lose what was typed.
func (m *Model) mouseInDialog(msg tea.MouseMsg) tea.Cmd {
	top := m.dialogs[len(m.dialogs)-1]
	p := m.place(top)
	msg.X, msg.Y = msg.X-p.x-2, msg.Y-p.y-1
	if clicked(msg) && (msg.X < 0 || msg.Y < 0 || msg.X >= p.w-4 || msg.Y >= p.h-2) {
		return nil
	}
	cmd, done := top.Update(m.desk, msg)
	if done {
		m.remove(top)
	}
	return cmd
}

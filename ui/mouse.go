package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// handleMouse handles a click or a turn of the wheel. If a dialog is open, the dialog gets
// it; otherwise the screen, a tab or the clock, whichever is under the mouse. Everything
// that the mouse does can also be done with a key: the timeline has the grants of a mark.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	l := m.layout()
	isClick := widget.IsClick(msg)
	if l.isTooSmall() || !isClick && widget.WheelTurn(msg) == 0 { // a motion or another button
		return nil
	}
	m.isWelcoming = false
	if m.dialogs.top() != nil {
		return m.mouseInDialog(msg, l)
	}
	if !m.state.HasCollection() {
		return nil
	}

	// The screen gets the row counted from its own first line.
	body := l.body(&m.dialogs, m.screen())
	if msg.Y >= body.top && msg.Y < body.top+body.box.H {
		if msg.X >= body.box.W {
			return nil // on the lesson's panel
		}
		msg.Y -= body.top
		return tea.Batch(m.screen().Update(m.state, msg), m.enterOnDoubleClick())
	}

	switch {
	case !isClick:
		return nil
	case msg.Y > l.noticeRow:
		return m.clock.click(m.state, msg.X, msg.Y-l.noticeRow-1, l.terminal.W)
	case msg.Y == tabsRow:
		tabs := newHeader(m.state, &m.screens, m.own != nil, l.terminal.W).tabs
		if tab := tabs.At(msg.X, l.terminal.W); tab >= 0 {
			m.notices.end(m.clock.expiredText)
			return m.screens.choose(m.state, tab)
		}
	}
	return nil
}

// mouseInDialog hands a mouse message to the top dialog. The dialog gets the position
// counted from the inside of its frame. A click outside of the dialog does nothing, because
// closing the dialog would lose what was typed.
func (m *Model) mouseInDialog(msg tea.MouseMsg, l layout) tea.Cmd {
	// The size of each side of the frame, in cells.
	const (
		frameWidth  = 2
		frameHeight = 1
	)
	dialog := m.dialogs.draw(m.state, l, m.screen())
	msg.X -= dialog.x + frameWidth
	msg.Y -= dialog.y + frameHeight

	// Drop a click outside of the dialog. A turn of the wheel may be anywhere.
	isInColumns := msg.X >= 0 && msg.X < dialog.w-2*frameWidth
	isInRows := msg.Y >= 0 && msg.Y < dialog.h-2*frameHeight
	if widget.IsClick(msg) && !(isInColumns && isInRows) {
		return nil
	}
	cmd, _ := m.dialogs.update(m.state, m.dialogs.top(), msg)
	return tea.Batch(cmd, m.enterOnDoubleClick())
}

// clickedRow is the row of a list that was clicked last.
type clickedRow struct {
	key string // "" for none
	at  time.Time
}

// doubleClickTime is the longest time between the two clicks of a double click.
const doubleClickTime = 400 * time.Millisecond

// enterOnDoubleClick presses enter if the row of a list that was just clicked was clicked a
// moment before as well.
func (m *Model) enterOnDoubleClick() tea.Cmd {
	list := m.target().list()
	if list == nil {
		return nil
	}
	previous := m.click
	m.click = clickedRow{key: list.TakeClick(), at: m.state.Now}
	if m.click.key == "" || m.click.key != previous.key || m.click.at.Sub(previous.at) > doubleClickTime {
		return nil
	}
	m.click = clickedRow{} // a third click begins anew
	return m.receiveKey(tea.KeyMsg{Type: tea.KeyEnter})
}

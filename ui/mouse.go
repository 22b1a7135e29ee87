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
	isClick := widget.IsClick(msg)
	// A motion or another button does nothing.
	isIgnored := !isClick && widget.WheelTurn(msg) == 0
	if m.isTooSmall() || isIgnored {
		return nil
	}
	m.isWelcoming = false

	if len(m.dialogs) > 0 {
		return m.mouseInDialog(msg)
	}
	if !m.state.HasCollection() {
		return nil
	}

	// No dialog is open, so the click or the wheel is for the screen or what is around it.
	body := m.layout()
	isInBody := msg.Y >= body.top && msg.Y < body.top+body.box.H
	switch {
	case isInBody:
		return m.mouseInBody(msg, body)
	case isClick:
		return m.clickAroundBody(msg)
	}
	return nil
}

// clickAroundBody handles a click above or below the current screen. A click on a tab goes
// to its screen, and a click on a count in the clock lists the grants that it counts.
func (m *Model) clickAroundBody(msg tea.MouseMsg) tea.Cmd {
	if msg.Y > m.noticeRow() {
		lineOfClock := msg.Y - m.noticeRow() - 1
		return m.clock.click(m.state, msg.X, lineOfClock, m.size.W)
	}
	if msg.Y != tabsRow {
		return nil
	}
	tab := m.tabBar().At(msg.X, m.size.W)
	if tab < 0 {
		return nil
	}
	return m.chooseScreen(tab)
}

// mouseInBody hands a mouse message to the current screen. The screen gets the row counted
// from its own first line.
func (m *Model) mouseInBody(msg tea.MouseMsg, body bodyArea) tea.Cmd {
	if msg.X >= body.box.W {
		return nil // on the lesson's panel
	}
	msg.Y -= body.top
	cmd := m.screen().Update(m.state, msg)
	return tea.Batch(cmd, m.enterOnDoubleClick())
}

// doubleClickTime is the longest time between the two clicks of a double click.
const doubleClickTime = 400 * time.Millisecond

// enterOnDoubleClick presses enter if the row of a list that was just clicked was clicked a
// moment before as well.
func (m *Model) enterOnDoubleClick() tea.Cmd {
	list := m.listInFront()
	if list == nil {
		return nil
	}
	clickedKey := list.TakeClick()
	isDouble := clickedKey != "" && clickedKey == m.clickedKey &&
		m.state.Now.Sub(m.clickedAt) <= doubleClickTime
	m.clickedKey = clickedKey
	m.clickedAt = m.state.Now
	if !isDouble {
		return nil
	}
	m.clickedKey = "" // a third click begins anew
	return m.receiveKey(tea.KeyMsg{Type: tea.KeyEnter})
}

// mouseInDialog hands a mouse message to the top dialog. The dialog gets the position
// counted from the inside of its frame. A click outside of the dialog does nothing, because
// closing the dialog would lose what was typed.
func (m *Model) mouseInDialog(msg tea.MouseMsg) tea.Cmd {
	// The size of each side of the frame, in cells.
	const (
		frameWidth  = 2
		frameHeight = 1
	)
	top := m.topDialog()
	dialog := m.drawDialog()
	msg.X -= dialog.x + frameWidth
	msg.Y -= dialog.y + frameHeight

	// Drop a click outside of the dialog. A turn of the wheel may be anywhere.
	isInColumns := msg.X >= 0 && msg.X < dialog.w-2*frameWidth
	isInRows := msg.Y >= 0 && msg.Y < dialog.h-2*frameHeight
	isInside := isInColumns && isInRows
	if widget.IsClick(msg) && !isInside {
		return nil
	}
	cmd, _ := m.updateDialog(top, msg)
	return tea.Batch(cmd, m.enterOnDoubleClick())
}

package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// handleMouse handles a click or the wheel. An open dialog gets it, or else the part of the
// frame at its place. A click first closes the dialog of the lanes, which covers nothing but
// the clock. The mouse can do nothing that no key does.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	isClick := widget.IsClick(msg)
	isOther := !isClick && widget.WheelTurn(msg) == 0 // a motion, or another button
	if m.isTooSmall() || isOther {
		return nil
	}
	if _, isLaneFocus := m.topDialog().(*laneFocus); isLaneFocus && isClick {
		m.closeDialogs()
	}
	switch {
	case len(m.dialogs) > 0:
		return m.mouseInDialog(msg)
	case !m.state.HasCollection():
		return nil
	}

	// No dialog is open, so the click or the wheel is for the screen or what is around it.
	body := m.layout()
	isInBody := msg.Y >= body.top && msg.Y < body.top+body.box.H
	if isInBody {
		return m.mouseInBody(msg, body)
	}
	if isClick {
		return m.clickAroundBody(msg)
	}
	return nil
}

// clickAroundBody handles a click outside of the screen's body: on a mark of the clock
// below it, or on a tab above it.
func (m *Model) clickAroundBody(msg tea.MouseMsg) tea.Cmd {
	if msg.Y > m.noticeRow() {
		return m.clock.click(m.state, msg.X, msg.Y-m.noticeRow()-1, m.size.W)
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

// mouseInBody hands the mouse to the current screen, with rows counted from the top of
// the screen.
func (m *Model) mouseInBody(msg tea.MouseMsg, body bodyPlace) tea.Cmd {
	if msg.X >= body.box.W {
		return nil // on the lesson's panel
	}
	msg.Y -= body.top
	return m.screen().Update(m.state, msg)
}

// mouseInDialog hands the mouse to the top dialog, with columns and rows counted
// from inside its frame. A click beside the dialog does nothing: closing it would
// lose what was typed.
func (m *Model) mouseInDialog(msg tea.MouseMsg) tea.Cmd {
	const frameX, frameY = 2, 1
	top := m.topDialog()
	drawn := m.drawDialog()
	msg.X -= drawn.x + frameX
	msg.Y -= drawn.y + frameY
	isInside := msg.X >= 0 && msg.X < drawn.w-2*frameX && msg.Y >= 0 && msg.Y < drawn.h-2*frameY
	if widget.IsClick(msg) && !isInside {
		return nil
	}
	cmd, _ := m.updateDialog(top, msg)
	return cmd
}

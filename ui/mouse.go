package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/accounts"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// handleMouse handles a click or the wheel by what is at its place. The footer comes
// first, then an open dialog, then the rest of the frame. A click outside of the footer
// first closes the dialog of the lanes, which covers nothing but the clock. The mouse can
// do nothing that no key does.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	isClick := widget.IsClick(msg)
	isOther := !isClick && widget.WheelTurn(msg) == 0 // a motion, or another button
	if m.isTooSmall() || isOther {
		return nil
	}
	isOnFooter := isClick && msg.Y == m.size.H-1
	if _, isLaneFocus := m.topDialog().(*laneFocus); isLaneFocus && isClick && !isOnFooter {
		m.closeDialogs()
	}
	switch {
	case isOnFooter:
		return m.clickFooter(msg.X)
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

// clickFooter presses the key whose hint stands at column x of the footer, the last line
// of the screen. Between two hints it does nothing.
func (m *Model) clickFooter(x int) tea.Cmd {
	binding, ok := m.hints().At(x, m.size.W)
	if !ok || len(binding.Keys()) == 0 {
		return nil
	}
	return m.press(term.Key(binding.Keys()[0]))
}

// clickAroundBody handles a click outside of the screen's body: on the clock below it,
// on the actor at the right of the first line, which opens the list of accounts, or on
// a tab.
func (m *Model) clickAroundBody(msg tea.MouseMsg) tea.Cmd {
	switch {
	case msg.Y > m.noticeRow():
		clockBox := widget.Box{W: m.size.W, H: m.clock.height(m.size)}
		return m.clock.click(m.state, msg.X, msg.Y-m.noticeRow()-1, clockBox)
	case msg.Y == 0:
		_, actor := m.headerEnds()
		if msg.X >= m.size.W-actor.Width() {
			return accounts.OpenActAs(m.state)
		}
	case msg.Y == tabsRow:
		if tab := m.tabBar().At(msg.X, m.size.W); tab >= 0 {
			return m.chooseScreen(tab)
		}
	}
	return nil
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
	drawn := m.drawDialog(top)
	msg.X -= drawn.x + frameX
	msg.Y -= drawn.y + frameY
	isInside := msg.X >= 0 && msg.X < drawn.w-2*frameX && msg.Y >= 0 && msg.Y < drawn.h-2*frameY
	if widget.IsClick(msg) && !isInside {
		return nil
	}
	cmd, _ := m.updateDialog(top, msg)
	return cmd
}

package ui

import (
	"fmt"
	"strings"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// minMargin is the least number of columns of the screen that may be seen beside a dialog. A
// narrower margin is blank, because scraps of text would only distract.
const minMargin = 6

// View returns the text of the whole terminal. Bubbletea calls it after every message, so
// the text is kept, and drawn again only after Update has cleared it.
func (m *Model) View() string {
	if m.frame == "" && !m.isQuitting && m.isSizeKnown() {
		m.frame = m.state.Theme.Paint(m.drawFrame(m.layout()))
	}
	return m.frame
}

// drawFrame draws the whole terminal: header, tabs, screen, clock and footer, and the top
// dialog over them.
func (m *Model) drawFrame(l layout) string {
	switch {
	case l.isTooSmall():
		return m.tooSmallView(l)
	case m.dialogs.top() == nil:
		return m.drawWelcome(m.drawWithoutDialog(l), l)
	}

	// Draw the dialog before the footer, which shows how the dialog scrolls.
	dialog := m.dialogs.draw(m.state, l, m.screen())
	frame := m.drawWithoutDialog(l)

	// A dialog that almost fills the width covers whole rows, because the narrow rests of
	// text beside it would look broken.
	if dialog.x < minMargin {
		blank := widget.Fill("", widget.Box{W: l.terminal.W, H: dialog.h})
		frame = widget.Overlay(frame, blank, 0, dialog.y)
	}
	frame = widget.Overlay(frame, dialog.view, dialog.x, dialog.y)

	// A notice about the dialog must stay visible. If the dialog covers it, draw it above the
	// footer.
	coversNotice := dialog.y <= l.noticeRow && l.noticeRow < dialog.y+dialog.h
	if notice, _ := m.notices.aboutDialog(); l.hasNotice && coversNotice {
		rowAboveFooter := l.terminal.H - 2
		frame = widget.Overlay(frame, m.ruleWithNotice(notice), 0, rowAboveFooter)
	}
	return frame
}

// drawWithoutDialog draws the whole terminal without dialogs, from the header to the footer.
// Behind the welcome, where no screen and no clock are, it draws only the header, a notice if
// there is one, and the footer.
func (m *Model) drawWithoutDialog(l layout) string {
	head := newHeader(m.state, &m.screens, m.own != nil, l.terminal.W)
	notice, hasNotice := m.notices.log.Current()
	if m.dialogs.hasWelcome() {
		var noticeLine widget.Line
		if hasNotice {
			noticeLine = notice.Line()
		}
		return widget.JoinVertically(
			widget.Fill(head.titleLine(), widget.Box{W: l.terminal.W, H: l.noticeRow}),
			widget.Fill(noticeLine.Fit(m.state.Theme, l.terminal.W), widget.Box{W: l.terminal.W, H: 1 + l.clockHeight}),
			m.footer(l),
		)
	}

	noticeRule := m.rule(l.terminal.W)
	if hasNotice {
		noticeRule = m.ruleWithNotice(notice)
	}
	return widget.JoinVertically(
		head.titleLine(),
		head.tabLine(),
		m.rule(l.terminal.W),
		m.body(l),
		noticeRule,
		m.clock.view(m.state, m.screens.subject(m.state).Expiries, widget.Box{W: l.terminal.W, H: l.clockHeight}),
		m.footer(l),
	)
}

// footer draws the last line. It comes after everything else, because drawing a pane decides
// which of its lines the keys are about.
func (m *Model) footer(l layout) string {
	return footerHints(m.state, m.target()).View(m.state.Theme, l.terminal.W)
}

// body draws what is between the tabs and the clock: the current screen, and beside or
// above it the task of a lesson. While the database is being opened, or if that has failed,
// it draws a text that says so.
func (m *Model) body(l layout) string {
	box := l.fullBody.box
	switch {
	case m.isOpening:
		text := m.state.Theme.Render(themes.Muted, "opening the database"+themes.GlyphEllipsis)
		return widget.Fill("\n "+text, box)
	case m.openErr != nil:
		return m.openFailedView(box)
	case !m.state.HasCollection():
		return m.book.AddTask(m.state, widget.Fill("", box), box.H)
	}

	// A screen that was made narrower for a dialog ends with a vertical line. The dialog is
	// drawn later.
	view := m.screen().View(m.state)
	if m.screens.box.W < box.W {
		const hasFocus = false // the dialog has it
		rule := app.RuleDown(m.state, box.H, hasFocus)
		view = widget.Fill(widget.JoinHorizontally(view, rule), box)
	}
	return m.book.AddTask(m.state, view, box.H)
}

// openFailedView draws a text that says why the database could not be opened, and which keys
// work now.
func (m *Model) openFailedView(box widget.Box) string {
	theme := m.state.Theme
	title := widget.Fit(" "+themes.GlyphNo+" the database could not be opened", box.W)
	keys := widget.Fit("   r tries again   q quits", box.W)

	reason := widget.Safe(m.openErr.Error())
	reasonWidth := max(box.W-4, 2)
	lines := []string{"", theme.Render(themes.Bad, title), ""}
	for _, line := range widget.Wrap(reason, reasonWidth) {
		lines = append(lines, "   "+line)
	}
	lines = append(lines, "", theme.Render(themes.Muted, keys))
	return widget.Fill(strings.Join(lines, "\n"), box)
}

// drawWelcome draws the welcome of the demo over the right end of a frame, above the clock.
// In three lines it says what the signs are, and which keys to press first. It is no
// dialog: every key and click does what it does without the welcome, and ends it. A small
// terminal has no room for it.
func (m *Model) drawWelcome(frame string, l layout) string {
	if !m.isWelcoming || l.clockHeight == 1 {
		return frame
	}
	body := l.fullBody
	lines := []widget.Line{
		app.SignLegend(l.terminal.W),
		widget.Plain(" An approval is for one token, an operator for all."),
		widget.Styled(themes.Key, " e").Text(" to the next expiry  ").
			Append(themes.Key, "w").Text(" why, rule by rule  ").
			Append(themes.Key, "u").Text(" undo"),
	}
	box := widget.Box{W: min(63, body.box.W), H: len(lines) + 2}
	text := widget.DrawLines(m.state.Theme, lines, widget.FrameInner(box).W)
	welcome := widget.Frame(m.state.Theme, "Welcome", text, box, widget.HiddenCounts{})
	return widget.Overlay(frame, welcome, body.box.W-box.W, body.top+body.box.H-box.H)
}

// tooSmallView draws a text in the middle of the terminal that says which size the explorer
// needs.
func (m *Model) tooSmallView(l layout) string {
	width, height := l.terminal.W, l.terminal.H
	text := fmt.Sprintf("Ephemera needs %d×%d,\nthis terminal is %d×%d", minWidth, minHeight, width, height)
	lines := widget.Wrap(text, width)
	lines = lines[:min(len(lines), height)] // the others don't fit

	// Centre each line, and the lines as a whole.
	for i, line := range lines {
		marginWidth := max(0, (width-widget.Width(line))/2)
		margin := strings.Repeat(" ", marginWidth)
		lines[i] = m.state.Theme.Render(themes.Warn, widget.Fit(margin+line, width))
	}
	above := strings.Repeat("\n", (height-len(lines))/2)
	return widget.Fill(above+strings.Join(lines, "\n"), l.terminal)
}

// ruleWithNotice draws a horizontal line across the terminal with a notice on it, such as
// "─ bob's approval on ape-0007 expired · ! why ────". A notice that is too long is cut.
func (m *Model) ruleWithNotice(notice widget.Notice) string {
	// A notice about an expiry names the key that goes to the token and asks why.
	line := notice.Line()
	if notice.Text == m.clock.expiredText && !m.clock.expiredSubject.Empty() {
		line = line.Muted(" · ").Append(themes.Key, "!").Muted(" why")
	}
	const surroundWidth = 3 // a piece of the rule before the notice, and a blank at each side
	width := min(line.Width(), m.terminal.W-surroundWidth-1)
	text := line.Fit(m.state.Theme, width)
	return m.rule(1) + " " + text + " " + m.rule(m.terminal.W-width-surroundWidth)
}

// rule draws a horizontal line of width cells.
func (m *Model) rule(width int) string { return app.RuleAcross(m.state, width, false) }

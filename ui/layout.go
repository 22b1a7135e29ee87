package ui

import (
	"fmt"
	"strings"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// The smallest terminal that the explorer works in, in cells.
const (
	minWidth  = 40
	minHeight = 12
)

// minMargin is the least number of columns of the screen that may be seen beside a dialog. A
// narrower margin is blank, because scraps of text would only distract.
const minMargin = 6

// tabsRow is the screen row of the tabs, counted from 0.
const tabsRow = 1

// bodyArea says where the body of a screen is in the terminal. The body is what the current
// screen draws, without the lines that all screens share, such as the tabs and the clock.
type bodyArea struct {
	top int        // the terminal row of its first line, from 0
	box widget.Box // its size; it starts at the left edge of the terminal
}

// layout returns where the current screen is drawn. While a dialog is drawn beside the
// screen, the screen does not get the dialog's columns. From top to bottom, the terminal has
// these parts: header, tabs, a line, a few lines about the lesson in a small terminal, the
// body of the screen, a line, the clock, and the footer.
func (m *Model) layout() bodyArea {
	body := m.fullBody()
	pane, isBesideList := m.placeDialogPane(body)
	if isBesideList && pane.narrowsBody {
		const blankWidth = 1 // between the screen and the vertical line
		body.box.W = pane.column - blankWidth
	}
	return body
}

// fullBody returns where the current screen would be drawn if no dialog were open beside it.
// That is the part between the tabs and the clock, without the panel of a lesson.
func (m *Model) fullBody() bodyArea {
	const (
		heightAbove = 3 // header, tabs and a line
		heightBelow = 2 // a line and the footer
	)
	panelWidth, stripHeight := m.lessonPanelSize()
	top := heightAbove + stripHeight
	height := m.size.H - top - m.clockHeight() - heightBelow
	return bodyArea{
		top: top,
		box: widget.Box{W: m.size.W - panelWidth, H: max(height, 0)},
	}
}

// noticeRow returns the terminal row of the line between the body and the clock. The notice,
// a sentence about what was just done, is written on that line.
func (m *Model) noticeRow() int { return m.size.H - 2 - m.clockHeight() }

// resize remembers the size of the terminal, and gives all screens and dialogs their boxes.
// A terminal that does not know its size reports 0×0. It is treated as 80×24.
func (m *Model) resize(box widget.Box) {
	if box == (widget.Box{}) {
		box = widget.Box{W: 80, H: 24}
	}
	m.size = box
	m.tallDialog = nil // it may fit now
	m.resizeScreens()
	m.fitDialogs()
}

// resizeScreens gives all screens the box of the body.
func (m *Model) resizeScreens() {
	m.bodyBox = m.layout().box
	for _, screen := range m.screens {
		screen.Resize(m.bodyBox)
	}
}

// View returns the text of the whole terminal. Bubbletea calls it after every message, so
// the text is kept, and drawn again only after Update has cleared it.
func (m *Model) View() string {
	if m.frame == "" {
		m.frame = m.drawFrame()
	}
	return m.frame
}

// drawFrame draws the whole terminal: header, tabs, screen, clock and footer, and the top
// dialog over them. It returns "" before the size is known and after the user quit.
func (m *Model) drawFrame() string {
	if m.isQuitting || m.size.W == 0 || m.size.H == 0 {
		return ""
	}
	theme := m.state.Theme
	if m.isTooSmall() {
		return theme.Paint(m.tooSmallView())
	}

	if m.topDialog() == nil {
		return theme.Paint(widget.Fill(m.drawWelcome(m.drawWithoutDialog()), m.size))
	}
	return theme.Paint(widget.Fill(m.drawWithDialog(), m.size))
}

// drawWithDialog draws the whole terminal, and the top dialog over it. A notice about the
// dialog must stay visible. If the dialog covers the notice's row, the notice is drawn in
// the row above the footer instead.
func (m *Model) drawWithDialog() string {
	// Draw the dialog before the footer, which shows how the dialog scrolls.
	dialog := m.drawDialog()
	frame := m.drawWithoutDialog()

	// A dialog that almost fills the width covers whole rows, because the narrow rests of
	// text beside it would look broken.
	if dialog.x < minMargin {
		blank := widget.Fill("", widget.Box{W: m.size.W, H: dialog.h})
		frame = widget.Overlay(frame, blank, 0, dialog.y)
	}
	frame = widget.Overlay(frame, dialog.view, dialog.x, dialog.y)

	// Draw a notice that the dialog has covered above the footer.
	dialogEnd := dialog.y + dialog.h
	coversNotice := dialog.y <= m.noticeRow() && m.noticeRow() < dialogEnd
	if notice, hasNotice := m.noticeInDialog(); hasNotice && coversNotice {
		rowAboveFooter := m.size.H - 2
		frame = widget.Overlay(frame, m.ruleWithNotice(notice), 0, rowAboveFooter)
	}
	return frame
}

// drawWelcome draws the welcome of the demo over the right end of a frame, above the clock.
// In three lines it says what the signs are, and which keys to press first. It is no
// dialog: every key and click does what it does without the welcome, and ends it. A small
// terminal has no room for it.
func (m *Model) drawWelcome(frame string) string {
	body := m.fullBody()
	lines := []widget.Line{
		app.SignLegend(m.size.W),
		widget.Plain(" An approval is for one token, an operator for all."),
		widget.Styled(themes.Key, " e").Text(" to the next expiry  ").
			Append(themes.Key, "w").Text(" why, rule by rule  ").
			Append(themes.Key, "u").Text(" undo"),
	}
	box := widget.Box{W: min(63, body.box.W), H: len(lines) + 2}
	if !m.isWelcoming || m.clockHeight() == 1 {
		return frame
	}
	text := widget.DrawLines(m.state.Theme, lines, widget.FrameInner(box).W)
	welcome := widget.Frame(m.state.Theme, "Welcome", text, box, widget.HiddenCounts{})
	return widget.Overlay(frame, welcome, body.box.W-box.W, body.top+body.box.H-box.H)
}

// drawWithoutDialog draws the whole terminal without dialogs, from the header to the footer.
// While the welcome is open, because there is no collection yet, it draws only what is
// visible behind the welcome.
func (m *Model) drawWithoutDialog() string {
	if m.hasWelcome() {
		return m.drawBehindWelcome()
	}
	clockBox := widget.Box{W: m.size.W, H: m.clockHeight()}
	return widget.JoinVertically(
		m.header(),
		m.tabs(),
		m.rule(m.size.W),
		m.body(),
		m.noticeRule(),
		m.clock.view(m.state, m.subject().Expiries, clockBox),
		m.footer(),
	)
}

// drawBehindWelcome draws what is visible behind the welcome, where no screen and no clock
// are: the header, a notice if there is one, and the footer.
func (m *Model) drawBehindWelcome() string {
	width := m.size.W
	var noticeLine widget.Line
	if notice, isShown := m.notices.Current(); isShown {
		noticeLine = notice.Line()
	}
	noticeAndBelow := widget.Box{W: width, H: 1 + m.clockHeight()}
	return widget.JoinVertically(
		widget.Fill(m.header(), widget.Box{W: width, H: m.noticeRow()}),
		widget.Fill(noticeLine.Fit(m.state.Theme, width), noticeAndBelow),
		m.footer(),
	)
}

// body draws what is between the tabs and the clock: the current screen, and beside or
// above it the task of a lesson. While the database is being opened, or if that has failed,
// it draws a text that says so.
func (m *Model) body() string {
	box := m.fullBody().box
	switch {
	case m.isOpening:
		text := m.state.Theme.Render(themes.Muted, "opening the database"+themes.GlyphEllipsis)
		return widget.Fill("\n "+text, box)
	case m.openErr != nil:
		return m.openFailedView(box)
	case !m.state.HasCollection():
		return m.withLessonPanel(widget.Fill("", box), box)
	}

	// A screen that was made narrower for a dialog ends with a vertical line. The dialog is
	// drawn later.
	view := m.screen().View(m.state)
	if m.bodyBox.W < box.W {
		const hasFocus = false // the dialog has it
		rule := app.RuleDown(m.state, box.H, hasFocus)
		view = widget.Fill(widget.JoinHorizontally(view, rule), box)
	}
	return m.withLessonPanel(view, box)
}

// isTooSmall reports whether the terminal is too small for the explorer.
func (m *Model) isTooSmall() bool { return m.size.W < minWidth || m.size.H < minHeight }

// tooSmallView draws a text in the middle of the terminal that says which size the explorer
// needs.
func (m *Model) tooSmallView() string {
	theme := m.state.Theme
	text := fmt.Sprintf(
		"Ephemera needs %d×%d,\nthis terminal is %d×%d",
		minWidth, minHeight,
		m.size.W, m.size.H,
	)
	lines := widget.Wrap(text, m.size.W)
	lines = lines[:min(len(lines), m.size.H)] // the others don't fit

	// Centre each line, and the lines as a whole.
	for i, line := range lines {
		marginWidth := max(0, (m.size.W-widget.Width(line))/2)
		margin := strings.Repeat(" ", marginWidth)
		lines[i] = theme.Render(themes.Warn, widget.Fit(margin+line, m.size.W))
	}
	above := strings.Repeat("\n", (m.size.H-len(lines))/2)
	return widget.Fill(above+strings.Join(lines, "\n"), m.size)
}

// noticeRule draws the horizontal line below the body, with the present notice on it if
// there is one.
func (m *Model) noticeRule() string {
	notice, ok := m.notices.Current()
	if !ok {
		return m.rule(m.size.W)
	}
	return m.ruleWithNotice(notice)
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
	width := min(line.Width(), m.size.W-surroundWidth-1)
	text := line.Fit(m.state.Theme, width)
	return m.rule(1) + " " + text + " " + m.rule(m.size.W-width-surroundWidth)
}

// rule draws a horizontal line of width cells.
func (m *Model) rule(width int) string { return app.RuleAcross(m.state, width, false) }

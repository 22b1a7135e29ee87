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

// minMargin is the number of columns that must show beside a dialog. If fewer
// would, blanks cover them: scraps of text help nobody.
const minMargin = 6

// tabsRow is the screen row of the tabs, counted from 0.
const tabsRow = 1

// bodyPlace is the place of the screen's body: the box, and its first row.
type bodyPlace struct {
	top int
	box widget.Box
}

// layout places the body, without the columns that it gives to a dialog beside it. From
// top to bottom the rows are: header, tabs, rule, the lesson's strip, body, rule, clock,
// footer.
func (m *Model) layout() bodyPlace {
	body := m.wholeBody()
	if pane, ok := m.dialogPane(body); ok && pane.narrowsBody {
		body.box.W = pane.column - 1 // a blank in front of the rule
	}
	return body
}

// wholeBody places the body with the columns that a dialog beside it may take.
func (m *Model) wholeBody() bodyPlace {
	panelW, stripH := m.lessonPanelSize()
	const (
		above = 3 // header, tabs and rule
		below = 2 // rule and footer
	)
	top := above + stripH
	height := m.size.H - top - below - m.clock.height(m.size)
	return bodyPlace{top: top, box: widget.Box{W: m.size.W - panelW, H: max(height, 0)}}
}

// noticeRow returns the screen row of the rule between body and clock. The notice, a
// sentence about what was just done, stands on that rule.
func (m *Model) noticeRow() int { return m.size.H - 2 - m.clock.height(m.size) }

// resize takes the size of the terminal and gives all screens and dialogs their boxes.
// A terminal that does not know its size reports 0×0 and is taken for 80×24.
func (m *Model) resize(b widget.Box) {
	if b == (widget.Box{}) {
		b = widget.Box{W: 80, H: 24}
	}
	m.size = b
	m.resizeScreens()
	m.fitDialogs()
}

// resizeScreens gives all screens the box of the body.
func (m *Model) resizeScreens() {
	m.bodyBox = m.layout().box
	for _, s := range m.screens {
		s.Resize(m.bodyBox)
	}
}

// View returns the frame. Bubbletea asks for it after every message, so it is
// drawn only if Update may have changed it.
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
	th := m.state.Theme
	if m.isTooSmall() {
		return th.Paint(m.tooSmallView())
	}

	frame := ""
	if m.topDialog() == nil {
		frame = m.drawWithoutDialog()
	} else {
		frame = m.drawWithDialog()
	}
	return th.Paint(widget.Fill(frame, m.size))
}

// drawWithDialog draws the frame and the top dialog over it. A notice about the dialog stays
// visible: if the dialog covers the notice's line, the notice moves to the line above the
// footer.
func (m *Model) drawWithDialog() string {
	dialog := m.drawDialog() // before the footer, which shows how the dialog scrolls
	frame := m.drawWithoutDialog()

	// A dialog that almost fills the width covers whole rows, since slivers beside it
	// would look broken.
	if dialog.x < minMargin {
		blank := widget.Fill("", widget.Box{W: m.size.W, H: dialog.h})
		frame = widget.Overlay(frame, blank, 0, dialog.y)
	}
	frame = widget.Overlay(frame, dialog.view, dialog.x, dialog.y)

	coversNotice := dialog.y <= m.noticeRow() && dialog.y+dialog.h > m.noticeRow()
	if notice, hasNotice := m.noticeInDialog(); hasNotice && coversNotice {
		frame = widget.Overlay(frame, m.ruleWithNotice(notice), 0, m.size.H-2)
	}
	return frame
}

// drawWithoutDialog draws the frame behind a dialog, line by line as [Model.layout]
// places them. Behind the welcome, the first dialog of a program without a collection,
// there is nothing to show yet: only the header, a notice and the footer.
func (m *Model) drawWithoutDialog() string {
	w := m.size.W
	clockH := m.clock.height(m.size)
	if !m.hasWelcome() {
		return widget.JoinV(
			m.header(),
			m.tabs(),
			m.rule(w),
			m.body(),
			m.noticeRule(),
			m.clock.view(m.state, m.subject().Expiries, widget.Box{W: w, H: clockH}),
			m.footer(),
		)
	}

	// Behind the welcome there is no screen yet.
	var notice widget.Line
	if current, ok := m.notices.Current(); ok {
		notice = current.Line()
	}
	blank := func(height int) string { return widget.Fill("", widget.Box{W: w, H: height}) }
	return widget.JoinV(
		m.header(),
		blank(m.noticeRow()-1),
		notice.Fit(m.state.Theme, w),
		blank(clockH),
		m.footer(),
	)
}

// body draws what is between the tabs and the clock: the current screen, and beside or
// above it the panel of a lesson. While the database opens, or if it could not be
// opened, a text says so instead.
func (m *Model) body() string {
	box := m.wholeBody().box
	switch {
	case m.isOpening:
		text := m.state.Theme.Render(themes.Muted, "opening the database"+themes.GlyphEllipsis)
		return widget.Fill("\n "+text, box)
	case m.openErr != nil:
		return m.openFailedView(box)
	case !m.state.HasCollection():
		return m.withLessonPanel(widget.Fill("", box), box)
	}

	view := m.screen().View(m.state)
	if m.bodyBox.W < box.W { // a dialog beside the screen has the other columns
		rule := app.RuleDown(m.state, box.H, false)
		view = widget.Fill(widget.JoinH(view, rule), box)
	}
	return m.withLessonPanel(view, box)
}

func (m *Model) isTooSmall() bool { return m.size.W < minWidth || m.size.H < minHeight }

// tooSmallView says in the middle of the terminal which size the explorer needs.
func (m *Model) tooSmallView() string {
	th := m.state.Theme
	text := fmt.Sprintf("Ephemera needs %d×%d,\nthis terminal is %d×%d", minWidth, minHeight, m.size.W, m.size.H)
	lines := widget.Wrap(text, m.size.W)
	lines = lines[:min(len(lines), m.size.H)]
	for i, line := range lines {
		margin := strings.Repeat(" ", max(0, (m.size.W-widget.Width(line))/2))
		lines[i] = th.Render(themes.Warn, widget.Fit(margin+line, m.size.W))
	}
	above := strings.Repeat("\n", (m.size.H-len(lines))/2)
	return widget.Fill(above+strings.Join(lines, "\n"), m.size)
}

// noticeRule draws the rule below the body with the notice on it. A notice about an
// expiry names the key that explains it.
func (m *Model) noticeRule() string {
	notice, ok := m.notices.Current()
	if !ok {
		return m.rule(m.size.W)
	}
	return m.ruleWithNotice(notice)
}

// ruleWithNotice draws a rule across the terminal with a notice on it.
func (m *Model) ruleWithNotice(notice widget.Note) string {
	line := notice.Line()
	isAboutExpiry := notice.Text == m.clock.expiredText && !m.clock.expiredSubject.Empty()
	if isAboutExpiry {
		line = line.Muted(" · ").And(themes.Key, "!").Muted(" why")
	}
	width := min(line.Width(), m.size.W-4)
	return m.rule(1) + " " + line.Fit(m.state.Theme, width) + " " + m.rule(m.size.W-width-3)
}

func (m *Model) rule(width int) string { return app.RuleAcross(m.state, width, false) }

package ui

import (
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// The smallest terminal that the explorer works in, in cells.
const (
	minWidth  = 40
	minHeight = 12
)

// tabsRow is the screen row of the tabs, counted from 0.
const tabsRow = 1

// bodyArea says where the body of a screen is in the terminal. The body is what the current
// screen draws, without the lines that all screens share, such as the tabs and the clock.
type bodyArea struct {
	top int        // the terminal row of its first line, from 0
	box widget.Box // its size; it starts at the left edge of the terminal
}

// layout says where the parts of a frame are, in terminal cells. From top to bottom, they are:
// header, tabs, a line, the strip of a lesson in a small terminal, the body of the screen, a
// line, the clock, and the footer.
type layout struct {
	terminal    widget.Box
	fullBody    bodyArea // the body if no dialog is open beside it
	clockHeight int
	noticeRow   int  // the row between the body and the clock, on which the notice is written
	hasNotice   bool // a notice about the top dialog is shown
}

// newLayout divides a terminal. A lesson takes panelWidth columns at the right, or linesAbove
// lines above the body.
//
// The clock has one line in a small terminal, and otherwise four, because the scale and the
// two lanes follow. At 80×24, the size of most terminals, the lanes are worth three rows of
// the list. Without known expiries there are no lanes.
func newLayout(terminal widget.Box, panelWidth, linesAbove int, knowsExpiries bool) layout {
	const (
		heightAbove = 3 // header, tabs and a line
		heightBelow = 2 // a line and the footer
	)
	l := layout{terminal: terminal, clockHeight: 4}
	if terminal.H-linesAbove < 20 || terminal.W < 60 || !knowsExpiries {
		l.clockHeight = 1
	}
	l.noticeRow = terminal.H - 2 - l.clockHeight
	l.fullBody.top = heightAbove + linesAbove
	height := terminal.H - l.fullBody.top - l.clockHeight - heightBelow
	l.fullBody.box = widget.Box{W: terminal.W - panelWidth, H: max(height, 0)}
	return l
}

// isTooSmall reports whether the terminal is too small for the explorer.
func (l layout) isTooSmall() bool { return l.terminal.W < minWidth || l.terminal.H < minHeight }

// body returns where the current screen is drawn. While a dialog is drawn beside the screen,
// the screen does not get the dialog's columns.
func (l layout) body(dialogs *dialogStack, screen app.Screen) bodyArea {
	body := l.fullBody
	if pane, isBesideList := dialogs.pane(l, screen); isBesideList && pane.narrowsBody {
		const blankWidth = 1 // between the screen and the vertical line
		body.box.W = pane.column - blankWidth
	}
	return body
}

// dialogBox returns the largest box of a dialog in the middle of the screen. It leaves free
// a margin at both sides, the header, the footer, and the line of a notice about the dialog
// if there is one.
func (l layout) dialogBox() widget.Box {
	const (
		margins         = 4 // two columns at each side
		headerAndFooter = 2
	)
	box := widget.Box{W: max(l.terminal.W-margins, 0), H: max(l.terminal.H-headerAndFooter, 0)}
	if l.hasNotice {
		box.H = max(box.H-1, 0)
	}
	return box
}

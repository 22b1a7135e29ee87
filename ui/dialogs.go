package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// dialogStack holds the open dialogs. The top one is the only one that is visible, and gets
// the keys. A dialog is drawn over the whole screen, beside the list, or in the middle of the
// screen.
type dialogStack struct {
	open []app.Dialog // the top one last

	fitted    app.Dialog // the top dialog that got a box last
	fittedBox widget.Box // that box
	terminal  widget.Box // the size of the terminal at that time
	row       int        // where the fitted dialog was drawn in the middle; 0 before
	// tall is the last dialog that did not fit beside the list. It is drawn in the middle, and
	// stays there when it gets lower, so that it does not jump back.
	tall app.Dialog
}

// top returns the top dialog; nil if none is open.
func (d *dialogStack) top() app.Dialog {
	if len(d.open) == 0 {
		return nil
	}
	return d.open[len(d.open)-1]
}

// push opens a dialog over the others.
func (d *dialogStack) push(dialog app.Dialog) { d.open = append(d.open, dialog) }

// update hands a message to a dialog, which need not be the top one. If the dialog reports
// that it is done, update closes it.
func (d *dialogStack) update(state *app.State, dialog app.Dialog, msg tea.Msg) (cmd tea.Cmd, done bool) {
	cmd, done = dialog.Update(state, msg)
	index := slices.Index(d.open, dialog)
	if !done || index < 0 {
		return cmd, done
	}
	stopWork(dialog)
	d.open = slices.Delete(d.open, index, index+1)
	return cmd, true
}

// broadcast hands a message to every dialog.
func (d *dialogStack) broadcast(state *app.State, msg tea.Msg) (cmds []tea.Cmd) {
	for _, dialog := range slices.Clone(d.open) { // a dialog may close
		cmd, _ := d.update(state, dialog, msg)
		cmds = append(cmds, cmd)
	}
	return cmds
}

// closeAll closes all dialogs.
func (d *dialogStack) closeAll() {
	for _, dialog := range d.open {
		stopWork(dialog)
	}
	d.open = nil
}

// stopWork ends the work that a dialog has under way, such as a search.
func stopWork(dialog app.Dialog) {
	if closer, ok := dialog.(app.Closer); ok {
		closer.Close()
	}
}

// hasWelcome reports whether the welcome is open. It is the first dialog of a database that
// has no collection yet.
func (d *dialogStack) hasWelcome() bool {
	if len(d.open) == 0 {
		return false
	}
	_, ok := d.open[0].(*start.Welcome)
	return ok
}

// isFullScreen reports whether a dialog covers the whole terminal above the footer, such
// as the timeline.
func isFullScreen(dialog app.Dialog) bool {
	_, ok := dialog.(app.FullScreen)
	return ok
}

// fit gives the top dialog the largest box that it may fill in a frame. A dialog that is too
// high for the pane beside the list of screen moves to the middle.
func (d *dialogStack) fit(state *app.State, l layout, screen app.Screen) {
	if d.terminal != l.terminal {
		d.terminal = l.terminal
		d.fitted = nil
		d.tall = nil // it may fit now
	}
	top := d.top()
	if top == nil {
		d.fitted = nil
		return
	}

	// Give the dialog the width of the pane and any height, and see whether it fits.
	pane, isBesideList := d.pane(l, screen)
	if isBesideList {
		d.fitted = nil // it gets its own box below
		top.Resize(widget.Box{W: pane.box.W, H: l.terminal.H})
		if height := 1 + strings.Count(top.View(state), "\n"); height > pane.box.H {
			d.tall = top
			isBesideList = false
		}
	}

	box := l.dialogBox()
	switch {
	case isFullScreen(top): // it covers the header too
		box = widget.Box{W: l.terminal.W, H: box.H + 1}
	case isBesideList:
		box = pane.box
	}
	if top == d.fitted && box == d.fittedBox {
		return
	}
	d.row = 0 // the dialog is centred again
	d.fitted = top
	d.fittedBox = box
	top.Resize(box)
}

// dialogPane says where a dialog is drawn beside the list of the screen. The dialog ends at
// the bottom of the body.
type dialogPane struct {
	column int        // the terminal column of the dialog's left border
	box    widget.Box // the largest box that the dialog may fill
	// narrowsBody means that the screen must be drawn narrower, to end before column. It is
	// false if the dialog covers a pane of details that the screen has there anyway.
	narrowsBody bool
}

// The sizes, in cells, that decide whether and how a dialog is drawn beside the list.
const (
	minBodyWidthForPane = 100 // of the body, with room for a dialog beside the list
	minPaneWidth        = 46  // of the pane of details that a dialog may cover
	// keptDetailHeight is the number of lines of the details that stay visible above the
	// dialog: the title, the URI, a blank line, the heading of the approvals, and three
	// approvals.
	keptDetailHeight = 7
)

// pane decides where the top dialog is drawn beside the list of a screen. If the screen has a
// pane of details that is wide enough, the dialog covers the lower lines of that pane.
// Otherwise the screen gives up its right half. ok is false for a dialog that is not drawn
// beside the list or too high for that, or if the body is too narrow for two panes.
func (d *dialogStack) pane(l layout, screen app.Screen) (pane dialogPane, ok bool) {
	body := l.fullBody
	_, isPaneDialog := d.top().(app.PaneDialog)
	isListCovered := d.hasWelcome() || slices.ContainsFunc(d.open, isFullScreen)
	if !isPaneDialog || body.box.W < minBodyWidthForPane || isListCovered || d.top() == d.tall {
		return dialogPane{}, false
	}

	// Cover the pane of details, except for its title and first lines.
	if paneScreen, hasPane := screen.(app.PaneScreen); hasPane {
		column, isBesideList := paneScreen.DetailColumn(body.box.W)
		width := body.box.W - column
		if isBesideList && width >= minPaneWidth {
			height := body.box.H - keptDetailHeight
			return dialogPane{column: column, box: widget.Box{W: width, H: height}}, true
		}
	}

	// A screen without such a pane gives up its right half.
	width := min(body.box.W/2, form.FormWidth)
	return dialogPane{
		column:      body.box.W - width,
		box:         widget.Box{W: width, H: body.box.H},
		narrowsBody: true,
	}, true
}

// drawnDialog is the text of a dialog and its position on the screen, in cells.
type drawnDialog struct {
	view string
	x, y int // the left column and the top row, counted from 0
	w, h int // the size of view
}

// draw draws the top dialog, which was fitted, and decides where it goes.
func (d *dialogStack) draw(state *app.State, l layout, screen app.Screen) drawnDialog {
	top := d.top()
	view := top.View(state)
	if isFullScreen(top) {
		box := d.fittedBox
		return drawnDialog{view: widget.Fill(view, box), w: box.W, h: box.H}
	}
	drawn := drawnDialog{view: view}
	for line := range strings.SplitSeq(view, "\n") {
		drawn.w = max(drawn.w, widget.Width(line))
		drawn.h++
	}

	// A dialog beside the list fills the width of its pane, so that nothing of the screen
	// shows at its right. It ends where the body ends.
	if pane, isBesideList := d.pane(l, screen); isBesideList {
		drawn.view = widget.Fill(view, widget.Box{W: pane.box.W, H: drawn.h})
		drawn.x = pane.column
		drawn.y = l.fullBody.top + l.fullBody.box.H - drawn.h
		return drawn
	}

	// Any other dialog is centred between the tabs and the clock when it is drawn for the
	// first time, or in the whole screen if it is too high for that. Afterwards it keeps its
	// row, so that it does not jump when it grows, and moves up only if it would end below
	// the line above the footer.
	screenHeight := l.dialogBox().H
	heightAboveClock := l.noticeRow - tabsRow
	switch {
	case d.row > 0:
		d.row = min(d.row, max(0, screenHeight+1-drawn.h))
	case drawn.h <= heightAboveClock:
		d.row = tabsRow + (heightAboveClock-drawn.h)/2
	default:
		d.row = max(0, tabsRow+(screenHeight-drawn.h)/2)
	}
	drawn.x = max(0, (l.terminal.W-drawn.w)/2)
	drawn.y = d.row
	return drawn
}

package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// pushDialog opens a dialog over the others; it gets the keys from now on. A notice that
// is shown already is not about the dialog, so the dialog may cover it.
func (m *Model) pushDialog(d app.Dialog) {
	m.dialogs = append(m.dialogs, d)
	if notice, ok := m.notices.Current(); ok {
		m.notices.lastBeforeDialog = notice.ID
	}
	m.fitDialogs()
}

// openAnswered opens a dialog together with the first data that was read for it, so
// that the dialog is never drawn empty. It does nothing if another chain is shown by
// now than the one that was read.
func (m *Model) openAnswered(msg app.OpenAnsweredMsg) tea.Cmd {
	if msg.Answer.Engine != m.state.Engine {
		return nil
	}
	m.pushDialog(msg.Dialog)
	return m.deliver(msg.Answer)
}

// updateDialog hands a message to a dialog, and removes the dialog if its Update reports
// done. It returns the dialog's command also then.
func (m *Model) updateDialog(d app.Dialog, msg tea.Msg) (cmd tea.Cmd, done bool) {
	cmd, done = d.Update(m.state, msg)
	i := slices.Index(m.dialogs, d)
	if done && i >= 0 {
		stopWork(d)
		m.dialogs = slices.Delete(m.dialogs, i, i+1)
		m.fitDialogs()
	}
	return cmd, done
}

// closeDialogs removes all dialogs and ends the work that they have under way.
func (m *Model) closeDialogs() {
	for _, d := range m.dialogs {
		stopWork(d)
	}
	m.dialogs = nil
	m.fitDialogs()
}

// stopWork ends the work that a dialog has under way, such as a search. Most dialogs
// have none and don't implement [app.Closer].
func stopWork(d app.Dialog) {
	if closer, ok := d.(app.Closer); ok {
		closer.Close()
	}
}

// topDialog returns the dialog that takes the keys; nil if none is open.
func (m *Model) topDialog() app.Dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// fitDialogs gives the top dialog the largest box that it may fill, after the terminal or
// the number of dialogs has changed. The dialog is then placed anew, and the screens get
// other boxes if it is drawn beside them.
func (m *Model) fitDialogs() {
	m.topDialogPlace = dialogRow{}
	if m.bodyBox != m.layout().box {
		m.resizeScreens()
	}
	if top := m.topDialog(); top != nil {
		top.Resize(m.topBox())
	}
}

// topBox returns the largest box that the top dialog may fill. A full-screen dialog has the
// whole width, and all lines but the footer and that of a notice about the dialog. A
// laneFocus, which draws the clock's lanes, has as many lines as they need. Other dialogs
// have their place beside the list or in the middle.
func (m *Model) topBox() widget.Box {
	box := m.dialogBox()
	top := m.topDialog()
	if _, isLaneFocus := top.(*laneFocus); isLaneFocus {
		return widget.Box{W: m.size.W, H: laneFocusHeight}
	}
	if isFullScreen(top) {
		return widget.Box{W: m.size.W, H: box.H + 1}
	}
	if pane, ok := m.dialogPane(m.wholeBody()); ok {
		return pane.box
	}
	return box
}

// dialogPane is the place of a dialog that is drawn beside the list, at the bottom of the
// body.
type dialogPane struct {
	column      int        // the column of its left border, which covers the rule beside the list
	box         widget.Box // the largest box of the dialog
	narrowsBody bool       // the screen has no pane of its own, so its body ends at column
}

// The sizes, in cells, at which a dialog stands beside the list.
const (
	// minBodyForPane is the width of the body, in cells, from which an [app.PaneDialog]
	// is drawn beside the list.
	minBodyForPane = 100
	// minPaneWidth is the least width of a dialog there.
	minPaneWidth = 46
	// detailKept is the number of lines of a detail that stay visible above the dialog: its
	// title, the URI, the heading of the approvals with a blank line, and three approvals.
	detailKept = 7
	// minPaneHeight is the least height of a dialog there. In a low body it covers more of
	// the detail to have that height.
	minPaneHeight = 10
)

// dialogPane returns the place of the top dialog if it is drawn beside the list of a body:
// in the screen's pane for details if that is wide enough, otherwise in columns that the
// body gives up. ok is false for a dialog that is centred.
func (m *Model) dialogPane(body bodyPlace) (pane dialogPane, ok bool) {
	_, isPaneDialog := m.topDialog().(app.PaneDialog)
	hasRoom := body.box.W >= minBodyForPane && body.box.H >= minPaneHeight
	coversAll := m.hasWelcome() || slices.ContainsFunc(m.dialogs, isFullScreen)
	if !isPaneDialog || !hasRoom || coversAll {
		return dialogPane{}, false
	}

	// The pane for details keeps its title and first lines above the form.
	if screen, hasPane := m.screen().(app.PaneScreen); hasPane {
		column, isBeside := screen.DetailColumn(body.box.W)
		width := body.box.W - column
		if isBeside && width >= minPaneWidth {
			height := max(body.box.H-detailKept, minPaneHeight)
			return dialogPane{column: column, box: widget.Box{W: width, H: height}}, true
		}
	}

	// A screen without such a pane gives up its right half.
	width := min(body.box.W/2, form.FormWidth)
	column := body.box.W - width
	return dialogPane{column: column, box: widget.Box{W: width, H: body.box.H}, narrowsBody: true}, true
}

// isFullScreen reports whether a dialog covers the whole terminal above the footer, such
// as the timeline.
func isFullScreen(d app.Dialog) bool {
	_, ok := d.(app.FullScreen)
	return ok
}

// dialogBox returns the largest box of a dialog that is not full-screen: the
// terminal without the header, the footer, a margin, and the line of a notice
// about the dialog.
func (m *Model) dialogBox() widget.Box {
	box := widget.Box{W: max(m.size.W-4, 0), H: max(m.size.H-2, 0)}
	if _, ok := m.noticeInDialog(); ok {
		box.H = max(box.H-1, 0)
	}
	return box
}

// drawnDialog is the view of a dialog, and its place on the screen in cells.
type drawnDialog struct {
	view       string
	x, y, w, h int
}

// dialogRow is the row at which a dialog was drawn last.
type dialogRow struct {
	dialog app.Dialog
	y      int
}

// drawDialog draws the top dialog, the only one that shows, and places it: over the whole
// screen, where the clock is, beside the list, or in the middle. A dialog in the middle stays
// at its row while it grows, so its row is kept in m.topDialogPlace.
func (m *Model) drawDialog() drawnDialog {
	top := m.topDialog()
	drawn := drawnDialog{view: top.View(m.state)}
	if isFullScreen(top) {
		box := m.topBox()
		drawn.view = widget.Fill(drawn.view, box)
		drawn.w = box.W
		drawn.h = box.H
		return drawn
	}

	// Measure the dialog.
	for line := range strings.SplitSeq(drawn.view, "\n") {
		drawn.w = max(drawn.w, widget.Width(line))
		drawn.h++
	}
	if _, isLaneFocus := top.(*laneFocus); isLaneFocus {
		drawn.y = m.size.H - 1 - drawn.h // above the footer, where the clock is
		return drawn
	}
	body := m.wholeBody()
	if pane, ok := m.dialogPane(body); ok {
		drawn.view = widget.Fill(drawn.view, widget.Box{W: pane.box.W, H: drawn.h}) // nothing shows beside it
		drawn.x = pane.column
		drawn.y = body.top + body.box.H - drawn.h
		return drawn
	}

	// Any other dialog is in the middle.
	drawn.x = max(0, (m.size.W-drawn.w)/2)
	drawn.y = m.rowOfCentred(drawn.h)
	m.topDialogPlace = dialogRow{dialog: top, y: drawn.y}
	return drawn
}

// rowOfCentred returns the screen row at which the top dialog starts, if the dialog has a
// height in lines and is to be centred. A dialog that was drawn before keeps its row, unless
// its end would be off the screen. A new one is centred between the tabs and the clock, or
// in the whole screen if it is too high for that.
func (m *Model) rowOfCentred(height int) int {
	screenHeight := m.dialogBox().H
	wasDrawn := m.topDialogPlace.dialog == m.topDialog()
	if wasDrawn {
		lastRow := max(0, screenHeight+1-height) // at which its end is still on the screen
		return min(m.topDialogPlace.y, lastRow)
	}

	freeHeight := m.noticeRow() - tabsRow // between the tabs and the clock
	if height > freeHeight {
		freeHeight = screenHeight
	}
	return max(0, tabsRow+(freeHeight-height)/2)
}

package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// pushDialog opens a dialog over the others. The dialog gets the keys from now on. A batch
// pauses the clock, whose moves would come between its previews and its messages.
func (m *Model) pushDialog(dialog app.Dialog) {
	m.dialogs = append(m.dialogs, dialog)
	if _, isBatch := dialog.(*form.Batch); isBatch {
		m.clock.pause()
	}

	// A notice that is shown already is not about this dialog, so the dialog may cover it.
	if notice, ok := m.notices.Current(); ok {
		m.notices.lastIDBeforeDialog = notice.ID
	}
	m.fitDialogs()
}

// openWithAnswer opens a dialog together with the first data that was read for it, so
// that the dialog is never drawn empty. It does nothing if the data is from another chain
// than the one that is shown now.
func (m *Model) openWithAnswer(msg app.OpenAnsweredMsg) tea.Cmd {
	if msg.Answer.Engine != m.state.Engine {
		return nil
	}
	m.pushDialog(msg.Dialog)
	return m.deliver(msg.Answer)
}

// updateDialog hands a message to a dialog, and returns the command that the dialog returns.
// If the dialog reports that it is done, updateDialog also closes it.
func (m *Model) updateDialog(dialog app.Dialog, msg tea.Msg) (cmd tea.Cmd, done bool) {
	cmd, done = dialog.Update(m.state, msg)

	// The dialog is found wherever it is, because it need not be the top one.
	index := slices.Index(m.dialogs, dialog)
	if !done || index < 0 {
		return cmd, done
	}
	stopWork(dialog)
	m.dialogs = slices.Delete(m.dialogs, index, index+1)
	m.fitDialogs()
	return cmd, true
}

// closeDialogs removes all dialogs and ends the work that they have under way.
func (m *Model) closeDialogs() {
	for _, dialog := range m.dialogs {
		stopWork(dialog)
	}
	m.dialogs = nil
	m.fitDialogs()
}

// stopWork ends the work that a dialog has under way, such as a search. Most dialogs
// have none and don't implement [app.Closer].
func stopWork(dialog app.Dialog) {
	if closer, ok := dialog.(app.Closer); ok {
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

// fitDialogs fits the top dialog and the screens to each other, after the size of the
// terminal, the open dialogs or the notice has changed. It gives the top dialog the largest
// box that it may fill. If the dialog is drawn beside the screens, they get a narrower box.
func (m *Model) fitDialogs() {
	// Forget the row, so that the dialog is centred again.
	m.lastDialogRow = dialogRow{}

	if m.bodyBox != m.layout().box {
		m.resizeScreens()
	}
	if top := m.topDialog(); top != nil {
		top.Resize(m.topBox())
	}
}

// centreTallDialog moves the top dialog to the middle of the screen if it is higher than the
// pane beside the list. It stays there, so that it does not jump back when it gets lower.
func (m *Model) centreTallDialog() {
	pane, isBesideList := m.placeDialogPane(m.fullBody())
	if !isBesideList {
		return
	}
	top := m.topDialog()
	top.Resize(widget.Box{W: pane.box.W, H: m.size.H})
	if height := 1 + strings.Count(top.View(m.state), "\n"); height > pane.box.H {
		m.tallDialog = top
		m.fitDialogs()
	}
	top.Resize(m.topBox())
}

// topBox returns the largest box that the top dialog may fill.
func (m *Model) topBox() widget.Box {
	top := m.topDialog()

	// A full-screen dialog covers the header too, which a centred dialog leaves free.
	if isFullScreen(top) {
		return widget.Box{W: m.size.W, H: m.dialogBox().H + 1}
	}
	if pane, isBesideList := m.placeDialogPane(m.fullBody()); isBesideList {
		return pane.box
	}
	return m.dialogBox()
}

// dialogPane says where a dialog is drawn beside the list of the screen. The dialog ends at
// the bottom of the body, which is the part of the terminal between the tabs and the clock.
type dialogPane struct {
	column int        // the terminal column of the dialog's left border
	box    widget.Box // the largest box that the dialog may fill
	// narrowsBody means that the screen must be drawn narrower, to end before column. It is
	// false if the dialog covers a pane of details that the screen has there anyway.
	narrowsBody bool
}

// The sizes, in cells, that decide whether and how a dialog is drawn beside the list.
const (
	// minBodyWidthForPane is the least width of the body with room for a dialog beside
	// the list.
	minBodyWidthForPane = 100
	// minPaneWidth is the least width of the pane of details that a dialog may cover.
	minPaneWidth = 46
	// keptDetailHeight is the number of lines of the details that stay visible above the
	// dialog: the title, the URI, a blank line, the heading of the approvals, and three
	// approvals.
	keptDetailHeight = 7
)

// placeDialogPane decides where the top dialog is drawn beside the list of the screen.
// body is the whole part of the terminal between the tabs and the clock. If the screen
// has a pane of details that is wide enough, the dialog covers the lower lines of that
// pane. Otherwise the screen gives up its right half. ok is false for a dialog that is
// not drawn beside the list or too high for that, or if the body is too narrow for two panes.
func (m *Model) placeDialogPane(body bodyArea) (pane dialogPane, ok bool) {
	_, isPaneDialog := m.topDialog().(app.PaneDialog)
	isListCovered := m.hasWelcome() || slices.ContainsFunc(m.dialogs, isFullScreen)
	if !isPaneDialog || body.box.W < minBodyWidthForPane || isListCovered || m.topDialog() == m.tallDialog {
		return dialogPane{}, false
	}

	// Cover the pane of details, except for its title and first lines.
	if screen, hasPane := m.screen().(app.PaneScreen); hasPane {
		column, isBesideList := screen.DetailColumn(body.box.W)
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

// isFullScreen reports whether a dialog covers the whole terminal above the footer, such
// as the timeline.
func isFullScreen(dialog app.Dialog) bool {
	_, ok := dialog.(app.FullScreen)
	return ok
}

// dialogBox returns the largest box of a dialog in the middle of the screen. It leaves free
// a margin at both sides, the header, the footer, and the line of a notice about the dialog
// if there is one.
func (m *Model) dialogBox() widget.Box {
	const (
		margins         = 4 // two columns at each side
		headerAndFooter = 2
	)
	box := widget.Box{W: max(m.size.W-margins, 0), H: max(m.size.H-headerAndFooter, 0)}
	if _, ok := m.noticeInDialog(); ok {
		box.H = max(box.H-1, 0)
	}
	return box
}

// drawnDialog is the text of a dialog and its position on the screen, in cells.
type drawnDialog struct {
	view string
	x, y int // the left column and the top row, counted from 0
	w, h int // the size of view
}

// dialogRow remembers at which row of the screen a dialog was drawn last.
type dialogRow struct {
	dialog app.Dialog // nil if no dialog was drawn
	y      int        // its top row
}

// drawDialog draws the top dialog, the only one that is visible, and decides where it goes:
// over the whole screen, beside the list, or in the middle of the screen.
func (m *Model) drawDialog() drawnDialog {
	top := m.topDialog()
	view := top.View(m.state)
	if isFullScreen(top) {
		box := m.topBox()
		return drawnDialog{view: widget.Fill(view, box), w: box.W, h: box.H}
	}

	// Measure the dialog.
	dialog := drawnDialog{view: view}
	for line := range strings.SplitSeq(view, "\n") {
		dialog.w = max(dialog.w, widget.Width(line))
		dialog.h++
	}

	// A dialog beside the list fills the width of its pane, so that nothing of the screen
	// shows at its right. It ends where the body ends.
	body := m.fullBody()
	if pane, isBesideList := m.placeDialogPane(body); isBesideList {
		dialog.view = widget.Fill(view, widget.Box{W: pane.box.W, H: dialog.h})
		dialog.x = pane.column
		dialog.y = body.top + body.box.H - dialog.h
		return dialog
	}

	// Any other dialog is in the middle. It remembers its row, so that it does not jump
	// when it grows.
	dialog.x = max(0, (m.size.W-dialog.w)/2)
	dialog.y = m.centredDialogRow(dialog.h)
	m.lastDialogRow = dialogRow{dialog: top, y: dialog.y}
	return dialog
}

// centredDialogRow returns the top row on the screen of a top dialog that is drawn in the
// middle and is height lines high. When the dialog is drawn for the first time, it is
// centred between the tabs and the clock, or in the whole screen if it is too high for that.
// Afterwards it keeps its row, and moves up only if its end would be off the screen.
func (m *Model) centredDialogRow(height int) int {
	screenHeight := m.dialogBox().H
	wasDrawn := m.lastDialogRow.dialog == m.topDialog()
	if wasDrawn {
		// In its lowest row, the dialog ends right above the footer.
		lowestRow := max(0, screenHeight+1-height)
		return min(m.lastDialogRow.y, lowestRow)
	}

	heightAboveClock := m.noticeRow() - tabsRow
	if height <= heightAboveClock {
		return tabsRow + (heightAboveClock-height)/2
	}
	return max(0, tabsRow+(screenHeight-height)/2)
}

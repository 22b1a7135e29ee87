package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// LowDialogHeight is the height inside a dialog, in lines, below which the dialog leaves
// out blank lines and the keys that the footer shows.
const LowDialogHeight = 12

// TextDialog is a dialog that shows a text.
type TextDialog struct {
	title         string
	linesForWidth func(width int) []widget.Line // returns the text for a width in cells
	maxWidth      int                           // of the dialog, in cells
	scroll        *widget.Scroll
	box           widget.Box
}

// NewText returns a dialog with a text. maxWidth and the width are in cells.
func NewText(title string, maxWidth int, linesForWidth func(width int) []widget.Line) *TextDialog {
	return &TextDialog{
		title:         title,
		linesForWidth: linesForWidth,
		maxWidth:      maxWidth,
		scroll:        widget.NewScroll(),
	}
}

// NewLog returns the dialog with the lines of all notices, or with a text that there are
// none.
func NewLog(notices []widget.Line) *TextDialog {
	if len(notices) == 0 {
		notices = []widget.Line{widget.Muted("there are no notices yet")}
	}
	const maxWidth = 100
	return NewText("Notices", maxWidth, func(int) []widget.Line { return notices })
}

// Resize wraps the text to the box. The dialog takes only as many lines of it as the text needs.
func (d *TextDialog) Resize(box widget.Box) {
	d.box = widget.Box{W: min(box.W, d.maxWidth), H: box.H}
	inner := widget.FrameInner(d.box)
	d.scroll.Resize(inner)
	d.scroll.RefreshLines(d.linesForWidth(inner.W))

	// The number of lines is known once the text is wrapped.
	const borders = 2
	d.box.H = min(box.H, d.scroll.Lines()+borders)
	d.scroll.Resize(widget.FrameInner(d.box))
}

// Commands lists the keys that close the dialog and scroll its text.
func (d *TextDialog) Commands(*app.State) []app.Command {
	closing := app.KeysForHelp(app.GroupHere, app.Bind("esc", "close", "esc"))
	return append(closing, keysToScroll(d.scroll.Hidden())...)
}

// keysToScroll lists the keys that scroll a text. It returns nil if the whole text is in
// view.
func keysToScroll(hidden widget.HiddenCounts) []app.Command {
	if hidden == (widget.HiddenCounts{}) {
		return nil
	}
	return app.KeysForHelp(app.GroupMove,
		app.Bind("j ↓", "read on", "j", "down"),
		app.Bind("k ↑", "read back", "k", "up"))
}

// Update scrolls the text, or closes the dialog.
func (d *TextDialog) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if keyMsg, isKey := msg.(tea.KeyMsg); isKey {
		switch keyMsg.String() {
		case "esc", "q", "?", "enter":
			return nil, true
		}
	}
	d.scroll.Update(msg)
	return nil, false
}

// View draws the text in its frame. The frame counts the lines above those in view; the
// text itself counts those below.
func (d *TextDialog) View(state *app.State) string {
	hidden := widget.HiddenCounts{Above: d.scroll.Hidden().Above}
	return widget.Frame(state.Theme, d.title, d.scroll.View(state.Theme), d.box, hidden)
}

package form

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// LowDialogHeight is the height inside a dialog, in lines, below which the dialog leaves
// out blank lines and the keys that the footer shows.
const LowDialogHeight = 12

// ConfirmDialog is a dialog with a question and two buttons, for something that undo
// cannot bring back. At first its cursor is on Cancel.
type ConfirmDialog struct {
	title         string
	question      string
	yesLabel      string         // the label of the button that confirms
	confirm       func() tea.Cmd // is called if the user confirms
	scroll        *widget.Scroll // shows the question
	IsYesSelected bool           // the cursor is on the button that confirms
	box           widget.Box
}

// NewConfirm returns a question with a button that confirms, labelled yesLabel, and one
// that cancels. confirm is called on the goroutine of Update if the user confirms.
func NewConfirm(title, question, yesLabel string, confirm func() tea.Cmd) *ConfirmDialog {
	return &ConfirmDialog{
		title:    title,
		question: question,
		yesLabel: yesLabel,
		confirm:  confirm,
		scroll:   widget.NewScroll(),
	}
}

const (
	questionWidth = 60 // the largest width of a question, in cells
	linesAround   = 5  // lines of the frame, the buttons, and the blank lines around the text
)

// BesideList marks the question as an [app.PaneDialog].
func (c *ConfirmDialog) BesideList() {}

// Resize gives the dialog its largest box. A text that is too long scrolls, so that the
// buttons below it are always in view.
func (c *ConfirmDialog) Resize(box widget.Box) {
	width := min(box.W, questionWidth)
	inner := widget.FrameInner(widget.Box{W: width, H: box.H})
	textWidth := max(inner.W-1, 2) // a space stands in front of each line
	var lines []widget.Line
	for _, line := range widget.Wrap(c.question, textWidth) {
		lines = append(lines, widget.Plain(line))
	}

	// The box leaves the text at least one line.
	textHeight := max(min(len(lines), box.H-linesAround), 1)
	c.scroll.Resize(widget.Box{W: textWidth, H: textHeight})
	c.scroll.Set(lines)
	c.box = widget.Box{W: width, H: min(box.H, textHeight+linesAround)}
}

// questionKeys lists the keys of a question, for the footer and for help.
var questionKeys = app.KeysForHelp(app.GroupHere,
	app.Bind("enter", "choose", "enter"),
	app.Bind("esc", "cancel", "esc", "q", "n"),
	app.Bind("tab ← →", "the other button", "tab", "left", "right", "h", "l"))

// Commands lists the keys of the question, with those that scroll a text that is too
// long.
func (c *ConfirmDialog) Commands(*app.State) []app.Command {
	return slices.Concat(questionKeys, keysToScroll(c.scroll.Hidden()))
}

// Update handles a key, or scrolls the text by the wheel. It returns true if the question
// is answered, and the command of confirm if the answer is yes.
func (c *ConfirmDialog) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if keyMsg, isKey := msg.(tea.KeyMsg); isKey {
		return c.pressKey(keyMsg)
	}
	c.scroll.Update(msg)
	return nil, false
}

// pressKey handles a key. Enter presses the button under the cursor, y confirms, and esc,
// q and n cancel. Other keys move the cursor to the other button or scroll the text. It
// returns true if the question is answered, and the command of confirm if the answer is
// yes.
func (c *ConfirmDialog) pressKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "enter":
		if c.IsYesSelected {
			return c.confirm(), true
		}
		return nil, true
	case "tab", "shift+tab", "left", "right", "h", "l":
		c.IsYesSelected = !c.IsYesSelected
	case "y":
		return c.confirm(), true
	case "esc", "q", "n":
		return nil, true
	default:
		c.scroll.Update(msg)
	}
	return nil, false
}

// cancelText is the label of the button that cancels a question.
const cancelText = "Cancel"

// button returns the label of a button with two spaces on both sides.
func button(text string) string { return "  " + text + "  " }

// View draws the question in its frame: the text, and below it the buttons, with the one
// under the cursor highlighted.
func (c *ConfirmDialog) View(state *app.State) string {
	theme := state.Theme
	drawButton := func(text string, isChosen bool) string {
		if isChosen {
			return theme.Render(themes.Selected, button(text))
		}
		return theme.Render(themes.Muted, button(text))
	}

	// Draw the text, then the two buttons below it.
	var lines []string
	for line := range strings.SplitSeq(c.scroll.View(theme), "\n") {
		lines = append(lines, " "+line)
	}
	if c.box.H > linesAround { // otherwise there is no room for blank lines
		lines = slices.Concat([]string{""}, lines, []string{""})
	}
	buttons := " " + drawButton(cancelText, !c.IsYesSelected) + " " + drawButton(c.yesLabel, c.IsYesSelected)
	lines = append(lines, buttons)
	hidden := widget.HiddenCounts{Above: c.scroll.Hidden().Above}
	return widget.Frame(theme, c.title, strings.Join(lines, "\n"), c.box, hidden)
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

// TextDialog is a dialog that shows a text.
type TextDialog struct {
	title         string
	linesForWidth func(width int) []widget.Line // returns the text for a width in cells
	maxWidth      int                           // of the dialog, in cells
	scroll        *widget.Scroll
	box           widget.Box
}

// NewText returns a dialog with a text. The dialog is at most maxWidth cells wide.
// linesForWidth returns the lines of the text for a width in cells.
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

// Resize gives the dialog its largest box, and wraps the text to it. The dialog takes
// only as many lines of the box as the text needs.
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

// Update scrolls the text. It returns true for a key that closes the dialog: esc, q, ?
// or enter.
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

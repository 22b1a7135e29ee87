package form

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

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
// that cancels. confirm is called in Update if the user confirms.
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

// Commands lists the keys of the question.
func (c *ConfirmDialog) Commands(*app.State) []app.Command {
	keys := app.KeysForHelp(app.GroupHere,
		app.Bind("enter", "choose", "enter"),
		app.Bind("esc", "cancel", "esc", "q", "n"),
		app.Bind("tab ← →", "the other button", "tab", "left", "right", "h", "l"))
	return append(keys, keysToScroll(c.scroll.Hidden())...)
}

// Update handles a key, or scrolls the text by the wheel. Enter presses the button under the
// cursor, y confirms, and esc, q and n cancel. Other keys move the cursor to the other button or
// scroll the text.
func (c *ConfirmDialog) Update(_ *app.State, msg tea.Msg) (cmd tea.Cmd, mustClose bool) {
	keyMsg, isKey := msg.(tea.KeyMsg)
	if !isKey {
		c.scroll.Update(msg)
		return nil, false
	}
	switch keyMsg.String() {
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

// View draws the text in its frame, and below it the buttons.
func (c *ConfirmDialog) View(state *app.State) string {
	theme := state.Theme
	var lines []string
	for line := range strings.SplitSeq(c.scroll.View(theme), "\n") {
		lines = append(lines, " "+line)
	}
	if c.box.H > linesAround { // otherwise there is no room for blank lines
		lines = slices.Concat([]string{""}, lines, []string{""})
	}

	cancelRole, yesRole := themes.Selected, themes.Muted
	if c.IsYesSelected {
		cancelRole, yesRole = themes.Muted, themes.Selected
	}
	cancel := theme.Render(cancelRole, "  Cancel  ")
	yes := theme.Render(yesRole, "  "+c.yesLabel+"  ")
	lines = append(lines, " "+cancel+" "+yes)
	hidden := widget.HiddenCounts{Above: c.scroll.Hidden().Above}
	return widget.Frame(theme, c.title, strings.Join(lines, "\n"), c.box, hidden)
}

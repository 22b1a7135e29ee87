package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Chooser is a dialog with a list that typed text searches.
type Chooser struct {
	Title      string
	List       *widget.Chooser
	Rows       int                                    // the number of items that the dialog has lines for
	openChosen func(st *app.State, id string) tea.Cmd // is called with the ID of the chosen item
	box        widget.Box
}

// NewChooser returns a chooser of items. openChosen runs in Update with the ID of the
// chosen item.
func NewChooser(
	title, prompt string,
	items []widget.Item,
	openChosen func(*app.State, string) tea.Cmd,
) *Chooser {
	chooser := &Chooser{
		Title:      title,
		List:       widget.NewChooser(items...),
		Rows:       len(items),
		openChosen: openChosen,
	}
	chooser.List.Prompt = prompt
	return chooser
}

// ChooserWidth is the width of a chooser, in cells, unless its items need more.
const ChooserWidth = 76

// Resize gives the chooser its largest box. The chooser takes the width of its widest
// item, at least ChooserWidth, and a line for each of its rows.
func (c *Chooser) Resize(box widget.Box) {
	const (
		linesAround = 4 // the frame, the search text and a line to spare
		maxWidth    = 96
	)
	frameWidth := box.W - widget.FrameInner(box).W
	neededWidth := min(c.List.NaturalWidth()+frameWidth, maxWidth)
	c.box = widget.Box{
		W: min(box.W, max(ChooserWidth, neededWidth)),
		H: min(box.H, c.Rows+linesAround),
	}
	c.List.Resize(widget.FrameInner(c.box))
}

// Update handles a key or the mouse, and runs openChosen for the chosen item.
func (c *Chooser) Update(state *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch c.List.Update(msg) {
	case widget.ChooserPick:
		item, _ := c.List.Current() // there is one, because the user picked it
		return c.openChosen(state, item.ID), true
	case widget.ChooserCancel:
		return nil, true
	}
	return nil, false
}

// Typing is true: letters go to the query.
func (c *Chooser) Typing() bool { return true }

// View draws the list in a frame.
func (c *Chooser) View(state *app.State) string { return c.Framed(state, c.Title) }

// Framed draws the list in a frame with a title.
func (c *Chooser) Framed(state *app.State, title string) string {
	return widget.Frame(state.Theme, title, c.List.View(state.Theme), c.box, c.List.Hidden())
}

// Commands lists the keys of the list.
func (c *Chooser) Commands(*app.State) []app.Command {
	return app.KeysForHelp(app.GroupHere, c.List.Keys.Bindings()...)
}

// OpenCopy returns the command that opens a dialog with a list of texts, such as an
// address. The text that the user chooses is copied to the clipboard.
func OpenCopy(state *app.State, copyItems []app.CopyItem) tea.Cmd {
	items := make([]widget.Item, len(copyItems))
	for i, item := range copyItems {
		items[i] = widget.Item{ID: item.Name, Title: item.Name, Detail: human.Plural(len(item.Text), "byte")}
	}
	return app.OpenDialog(NewChooser("Copy", "what to copy", items, func(st *app.State, name string) tea.Cmd {
		for _, item := range copyItems {
			if item.Name == name {
				return app.CopyText(st, item)
			}
		}
		return nil
	}))
}

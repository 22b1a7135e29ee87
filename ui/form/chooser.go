package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Chooser is a dialog with a list to search: the palette, who to act as, the
// themes.
type Chooser struct {
	Title string
	List  *widget.Chooser
	// pick is what choosing an item does; moved, which can be nil, is called
	// with the item under the cursor; cancel, which can be nil, puts back what
	// moved has changed.
	pick   func(st *app.State, id string) tea.Cmd
	Moved  func(st *app.State, id string) tea.Cmd
	Cancel func(st *app.State) tea.Cmd
	box    widget.Box
	Rows   int
}

// NewChooser makes a list of items to choose from; pick runs in Update, with the key of the item.
func NewChooser(title, prompt string, items []widget.Item, pick func(*app.State, string) tea.Cmd) *Chooser {
	c := &Chooser{Title: title, List: widget.NewChooser(items...), pick: pick, Rows: len(items)}
	c.List.Prompt = prompt
	return c
}

// ChooserWidth is how wide a chooser is where its items need no more.
const ChooserWidth = 76

func (c *Chooser) Resize(b widget.Box) {
	frame := b.W - widget.FrameInner(b).W
	c.box = widget.Box{W: min(b.W, max(ChooserWidth, min(c.List.Natural()+frame, FormWidth+8))), H: min(b.H, c.Rows+4)}
	c.List.Resize(widget.FrameInner(c.box))
}

func (c *Chooser) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	event := widget.ChooserNone
	if click, ok := msg.(tea.MouseMsg); ok && widget.Clicked(click) {
		if c.List.Click(click.Y) {
			event = widget.ChooserPick
		}
	} else {
		event = c.List.Update(msg)
	}
	switch event {
	case widget.ChooserPick:
		item, ok := c.List.Current()
		if !ok {
			return nil, false
		}
		return c.pick(st, item.ID), true
	case widget.ChooserCancel:
		if c.Cancel != nil {
			return c.Cancel(st), true
		}
		return nil, true
	case widget.ChooserMove:
		if item, ok := c.List.Current(); ok && c.Moved != nil {
			return c.Moved(st, item.ID), false
		}
	}
	return nil, false
}

// Typing tells that letters are for the search.
func (c *Chooser) Typing() bool { return true }

func (c *Chooser) View(st *app.State) string {
	return c.Framed(st, c.Title)
}

// Framed draws the list in a frame with a title.
func (c *Chooser) Framed(st *app.State, title string) string {
	return widget.Frame(st.Theme, title, c.List.View(st.Theme), c.box, c.List.Hidden())
}

func (c *Chooser) Commands(*app.State) []app.Command {
	return app.Listed(app.GroupHere, c.List.Keys.Bindings()...)
}

// OpenCopy lets a person choose what to copy.
func OpenCopy(st *app.State, what []app.CopyItem) tea.Cmd {
	items := make([]widget.Item, len(what))
	for i, c := range what {
		items[i] = widget.Item{ID: c.Name, Title: c.Name, Detail: app.Plural(len(c.Text), "byte")}
	}
	return app.OpenDialog(NewChooser("Copy", "what to copy", items, func(st *app.State, id string) tea.Cmd {
		for _, c := range what {
			if c.Name == id {
				return app.CopyText(st, c)
			}
		}
		return nil
	}))
}

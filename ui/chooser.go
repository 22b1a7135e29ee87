package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// chooser is a dialog with a list to search: the palette, who to act as, the
// themes.
type chooser struct {
	title string
	list  *widget.Chooser
	// pick is what choosing an item does; moved, which can be nil, is called
	// with the item under the cursor; cancel, which can be nil, puts back what
	// moved has changed.
	pick   func(d *Desk, id string) tea.Cmd
	moved  func(d *Desk, id string) tea.Cmd
	cancel func(d *Desk) tea.Cmd
	box    widget.Box
	rows   int
}

func newChooser(title, prompt string, items []widget.Item, pick func(*Desk, string) tea.Cmd) *chooser {
	c := &chooser{title: title, list: widget.NewChooser(items...), pick: pick, rows: len(items)}
	c.list.Prompt = prompt
	return c
}

// chooserWidth is how wide a chooser is where its items need no more.
const chooserWidth = 76

func (c *chooser) Resize(b widget.Box) {
	frame := b.W - widget.FrameInner(b).W
	c.box = widget.Box{W: min(b.W, max(chooserWidth, min(c.list.Natural()+frame, formWidth+8))), H: min(b.H, c.rows+4)}
	c.list.Resize(widget.FrameInner(c.box))
}

func (c *chooser) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	event := widget.ChooserNone
	if click, ok := msg.(tea.MouseMsg); ok && clicked(click) {
		if c.list.Click(click.Y) {
			event = widget.ChooserPick
		}
	} else {
		event = c.list.Update(msg)
	}
	switch event {
	case widget.ChooserPick:
		item, ok := c.list.Current()
		if !ok {
			return nil, false
		}
		return c.pick(d, item.ID), true
	case widget.ChooserCancel:
		if c.cancel != nil {
			return c.cancel(d), true
		}
		return nil, true
	case widget.ChooserMove:
		if item, ok := c.list.Current(); ok && c.moved != nil {
			return c.moved(d, item.ID), false
		}
	}
	return nil, false
}

func (c *chooser) View(d *Desk) string {
	return c.framed(d, c.title)
}

func (c *chooser) framed(d *Desk, title string) string {
	view := c.list.View(d.Theme)
	return widget.FrameHiding(d.Theme, title, view, true, c.box, c.list.Hidden())
}

func (c *chooser) Commands(*Desk) []Command { return listed(groupHere, c.list.Keys.Bindings()...) }

// newPalette lists commands by name, and behind them those that cannot be done
// now, with the reason.
func newPalette(commands []Command) *chooser {
	var items, off []widget.Item
	do := map[string]func() tea.Cmd{}
	for _, c := range commands {
		item := widget.Item{ID: c.Name, Title: c.Name, Detail: c.Group, Hint: c.Binding.Help().Key}
		why := c.not()
		switch {
		case c.Name == "":
			continue
		case why != "":
			item.Detail, item.Off = why, true
			off, do[c.Name] = append(off, item), func() tea.Cmd { return say(levelInfo, why) }
		default:
			items, do[c.Name] = append(items, item), c.Do
		}
	}
	return newChooser("Commands", "what do you want to do?", append(items, off...), func(_ *Desk, id string) tea.Cmd { return do[id]() })
}

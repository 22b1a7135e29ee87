package widget

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Item is something to choose.
type Item struct {
	ID       string // identifies the item for the owner
	Title    string
	Detail   string // a few words more, searched too
	Hint     string // the key that does the same without the chooser, such as "t"; may be empty
	Disabled bool   // it would do nothing now; Detail gives the reason
	Keywords string // further phrases to search for, with commas between them; they do not show
}

// ChooserEvent is what a key did to a chooser.
type ChooserEvent int

// The events of a chooser.
const (
	ChooserNone   ChooserEvent = iota
	ChooserMove                // another item is under the cursor, so a preview is out of date
	ChooserPick                // the user chose the item under the cursor
	ChooserCancel              // the user cancels
)

// ChooserKeys are the keys of a chooser. All other keys edit its search text.
type ChooserKeys struct {
	Up     key.Binding // moves the cursor to the item above
	Down   key.Binding // moves the cursor to the item below
	Pick   key.Binding // chooses the item under the cursor
	Cancel key.Binding
}

// Bindings lists the keys.
func (k ChooserKeys) Bindings() []key.Binding {
	return []key.Binding{k.Pick, k.Cancel, k.Up, k.Down}
}

// Chooser is a list with a search text on top, such as the command palette. It lists the items
// that match the text, the best match first. choosersearch.go says which match, and
// chooserview.go draws them.
type Chooser struct {
	Keys    ChooserKeys
	Prompt  string // shown while the search text is empty
	items   []Item
	query   Edit    // the search text
	matches []match // the items that match the search text, the best first
	cursor  int     // index into matches
	top     int     // index into matches of the first one in view
	box     Box
}

// match is an item that the search found.
type match struct {
	itemIndex int // index into the chooser's items
	rank      int // the lower, the better
}

// NewChooser makes a chooser with the cursor on the first item.
func NewChooser(items ...Item) *Chooser {
	c := &Chooser{
		Prompt: "type to search",
		query:  NewEdit(),
		Keys: ChooserKeys{
			Up:     bind("↑", "up", "up", "ctrl+p", "shift+tab"),
			Down:   bind("↓", "down", "down", "ctrl+n", "tab"),
			Pick:   bind("enter", "choose", "enter"),
			Cancel: bind("esc", "cancel", "esc"),
		},
	}
	c.Set(items)
	return c
}

// Set replaces the items. The search text stays, and the cursor stays on the item with the
// same ID if that is still found.
func (c *Chooser) Set(items []Item) {
	previous, _ := c.Current()
	c.items = items
	c.search()
	c.Select(previous.ID)
}

// SelectFirst puts the cursor on the best match.
func (c *Chooser) SelectFirst() { c.cursor = 0 }

// Select puts the cursor on an item if it is in the list.
func (c *Chooser) Select(id string) {
	i := slices.IndexFunc(c.matches, func(m match) bool { return c.items[m.itemIndex].ID == id })
	if i >= 0 {
		c.cursor = i
	}
}

// Resize gives the chooser its box.
func (c *Chooser) Resize(box Box) { c.box = box }

// Current returns the item under the cursor; there is none if nothing matches.
func (c *Chooser) Current() (Item, bool) {
	if c.cursor >= len(c.matches) {
		return Item{}, false
	}
	current := c.matches[c.cursor]
	return c.items[current.itemIndex], true
}

// Query returns the search text.
func (c *Chooser) Query() string { return c.query.Value() }

// HiddenCounts counts the items that the last View had no room for.
func (c *Chooser) Hidden() HiddenCounts { return countHidden(c.top, c.box.H-1, len(c.matches)) }

// Update handles a key, a paste and the mouse, whose coordinates count from the top left
// corner of the box. A click chooses the item under it, and the wheel moves the cursor.
func (c *Chooser) Update(msg tea.Msg) ChooserEvent {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		if IsClick(msg) {
			return c.click(msg.Y)
		}
		return c.move(WheelTurn(msg))
	case tea.KeyMsg:
		return c.press(msg)
	}
	return ChooserNone
}

// press handles a key. The keys of the chooser move the cursor, choose an item or cancel.
// All other keys, and a pasted text, edit the search text. A new text puts the cursor on the
// best match.
func (c *Chooser) press(msg tea.KeyMsg) ChooserEvent {
	switch {
	case msg.Paste:
	case key.Matches(msg, c.Keys.Up):
		return c.move(-1)
	case key.Matches(msg, c.Keys.Down):
		return c.move(1)
	case key.Matches(msg, c.Keys.Cancel):
		return ChooserCancel
	case key.Matches(msg, c.Keys.Pick):
		if _, hasItem := c.Current(); !hasItem {
			return ChooserNone
		}
		return ChooserPick
	}
	oldText := c.query.Value()
	c.query.Update(msg)
	if c.query.Value() == oldText {
		return ChooserNone
	}
	c.search()
	c.cursor = 0
	c.top = 0
	return ChooserMove
}

// move moves the cursor down by a number of items, or up by a negative one. Behind the
// last item it starts again at the first.
func (c *Chooser) move(steps int) ChooserEvent {
	count := len(c.matches)
	if count == 0 || steps == 0 {
		return ChooserNone
	}

	// Above the first item the remainder is negative, so count is added to it.
	remainder := (c.cursor + steps) % count
	c.cursor = (remainder + count) % count
	return ChooserMove
}

// click chooses the item at a line of the box, if there is one.
func (c *Chooser) click(line int) ChooserEvent {
	// The first line is the search text.
	index := c.top + line - 1
	if line < 1 || line >= c.box.H || index >= len(c.matches) {
		return ChooserNone
	}
	c.cursor = index
	return ChooserPick
}

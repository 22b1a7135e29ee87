package widget

import (
	"math"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// ListKeys are the keys that move in a list or a text, and those that mark rows of a list,
// that is select them.
type ListKeys struct {
	Up       key.Binding
	Down     key.Binding
	PageUp   key.Binding
	PageDown key.Binding
	HalfUp   key.Binding // half a page up
	HalfDown key.Binding // half a page down
	Top      key.Binding // to the first row
	Bottom   key.Binding // to the last row
	Mark     key.Binding // marks the row under the cursor, or unmarks it
	MarkOn   key.Binding // marks the row under the cursor and the next one, or the one above
}

// bind returns the binding of keys that do the same. shown is how the hints and the help
// name the keys, and action what they do.
func bind(shownKeys, action string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shownKeys, action))
}

// newListKeys returns the keys that every list and text has: arrows, the letters of vi,
// page keys, and space.
func newListKeys() ListKeys {
	return ListKeys{
		Up:       bind("k ↑", "up", "k", "up"),
		Down:     bind("j ↓", "down", "j", "down"),
		PageUp:   bind("pgup", "page up", "pgup"),
		PageDown: bind("pgdn", "page down", "pgdown"),
		HalfUp:   bind("ctrl+u", "half a page up", "ctrl+u"),
		HalfDown: bind("ctrl+d", "half a page down", "ctrl+d"),
		Top:      bind("g", "first", "g", "home"),
		Bottom:   bind("G", "last", "G", "end"),
		Mark:     bind("space", "select", " "),
		MarkOn:   bind("shift+↓ ↑", "select on", "shift+down", "shift+up"),
	}
}

// Moves lists the keys that move, the most useful first.
func (k ListKeys) Moves() []key.Binding {
	return []key.Binding{k.Down, k.Up, k.HalfDown, k.HalfUp, k.PageDown, k.PageUp, k.Top, k.Bottom}
}

// Bindings lists all keys.
func (k ListKeys) Bindings() []key.Binding { return append(k.Moves(), k.Mark, k.MarkOn) }

// linesPerTurn is how many lines the wheel scrolls at a time.
const linesPerTurn = 3

// stepsToEnd is the step, in lines, of the keys that go to an end. No text has so many
// lines.
const stepsToEnd = math.MaxInt32

// stepOf returns by how many lines a key or the wheel moves in a view of height lines:
// down by a positive number, up by a negative one, and 0 for a message that does not move.
// A page is one line less than the view, so that a line of the page before stays in view.
func (k ListKeys) stepOf(msg tea.Msg, height int) int {
	if mouseMsg, isMouse := msg.(tea.MouseMsg); isMouse {
		return linesPerTurn * WheelTurn(mouseMsg)
	}
	keyMsg, isKey := msg.(tea.KeyMsg)
	page := max(1, height-1)
	halfPage := (page + 1) / 2
	switch {
	case !isKey:
		return 0
	case key.Matches(keyMsg, k.Up):
		return -1
	case key.Matches(keyMsg, k.Down):
		return 1
	case key.Matches(keyMsg, k.PageUp):
		return -page
	case key.Matches(keyMsg, k.PageDown):
		return page
	case key.Matches(keyMsg, k.HalfUp):
		return -halfPage
	case key.Matches(keyMsg, k.HalfDown):
		return halfPage
	case key.Matches(keyMsg, k.Top):
		return -stepsToEnd
	case key.Matches(keyMsg, k.Bottom):
		return stepsToEnd
	}
	return 0
}

// firstInView returns the index of the first line to show of a list of count lines, in a view
// of height lines. It differs from top, the present one, only as much as is needed to have the
// line of the cursor in view and no empty lines below the list.
func firstInView(top, cursor, height, count int) int {
	topWithCursor := clamp(top, cursor-height+1, cursor)
	return clamp(topWithCursor, 0, max(0, count-height))
}

// IsClick reports whether the left button was pressed.
func IsClick(msg tea.MouseMsg) bool {
	return msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft
}

// WheelTurn returns 1 if the wheel was turned down, -1 if up, and else 0.
func WheelTurn(msg tea.MouseMsg) int {
	switch msg.Button {
	case tea.MouseButtonWheelDown:
		return 1
	case tea.MouseButtonWheelUp:
		return -1
	}
	return 0
}

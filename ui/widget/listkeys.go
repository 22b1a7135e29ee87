package widget

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// ListKeys are the keys that move in a list or a text, and mark a row of a list.
type ListKeys struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom, Mark key.Binding
}

func newListKeys() ListKeys {
	bind := func(shown, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, what))
	}
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
	}
}

// Moves lists the keys that move, for help texts, the most useful first.
func (k ListKeys) Moves() []key.Binding {
	return []key.Binding{k.Down, k.Up, k.HalfDown, k.HalfUp, k.PageDown, k.PageUp, k.Top, k.Bottom}
}

// Bindings lists all of them.
func (k ListKeys) Bindings() []key.Binding { return append(k.Moves(), k.Mark) }

// step says how many lines a key or the wheel moves where h of them show; ok is
// false for what moves by no number of lines.
func (k ListKeys) step(msg tea.Msg, h int) (d int, ok bool) {
	page := max(1, h-1)
	switch msg := msg.(type) {
	case tea.MouseMsg:
		d = 3 * Wheeled(msg)
		return d, d != 0
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, k.Up):
			return -1, true
		case key.Matches(msg, k.Down):
			return 1, true
		case key.Matches(msg, k.PageUp):
			return -page, true
		case key.Matches(msg, k.PageDown):
			return page, true
		case key.Matches(msg, k.HalfUp):
			return -(page + 1) / 2, true
		case key.Matches(msg, k.HalfDown):
			return (page + 1) / 2, true
		}
	}
	return 0, false
}

// window is the first of n lines to show where h of them have room: the one
// before, or as near to it as shows the line of the cursor and wastes no room.
func window(top, cursor, h, n int) int {
	return clamp(clamp(top, cursor-h+1, cursor), 0, max(0, n-h))
}

// Clicked tells whether the left button went down.
func Clicked(msg tea.MouseMsg) bool {
	return msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft
}

// Wheeled gives which way the wheel was turned: 1 is down, 0 is no wheel.
func Wheeled(msg tea.MouseMsg) int {
	switch msg.Button {
	case tea.MouseButtonWheelDown:
		return 1
	case tea.MouseButtonWheelUp:
		return -1
	}
	return 0
}

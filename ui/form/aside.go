package form

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Some dialogs show a list and, below it, a text about what is under its
// cursor. The letters and arrows move in the list, so the text scrolls with
// these, and with the wheel.
var asideKeys = []string{"ctrl+d", "ctrl+u", "pgdown", "pgup"}

// ReadAside scrolls the text and tells whether the message was for it.
func ReadAside(text *widget.Scroll, msg tea.Msg) bool {
	if key, ok := msg.(tea.KeyMsg); ok && !slices.Contains(asideKeys, key.String()) {
		return false
	}
	return text.Update(msg)
}

// ReadAsideOn lists the keys that scroll, where there is more than shows.
func ReadAsideOn(text *widget.Scroll) []app.Command {
	if text.Hidden() == (widget.Hidden{}) {
		return nil
	}
	return app.Listed(app.GroupHere, app.Bind("ctrl+d", "read on", "ctrl+d", "pgdown"), app.Bind("ctrl+u", "read back", "ctrl+u", "pgup"))
}

// LowDialog is the height inside a dialog below which it leaves out air and the
// keys that the footer names as well.
const LowDialog = 12

// LayAside gives the text its lines and, of the height that the list leaves,
// what it needs; it stays where it was scrolled to.
func LayAside(text *widget.Scroll, lines []widget.Line, w, room int) {
	text.Resize(widget.Box{W: w, H: max(0, room)})
	text.Keep(lines)
	text.Resize(widget.Box{W: w, H: max(0, min(text.Lines(), room))})
}

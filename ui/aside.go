package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// Some dialogs show a list and, below it, a text about what is under its
// cursor. The letters and arrows move in the list, so the text scrolls with
// these, and with the wheel.
var asideKeys = []string{"ctrl+d", "ctrl+u", "pgdown", "pgup"}

// readAside scrolls the text and tells whether the message was for it.
func readAside(text *widget.Scroll, msg tea.Msg) bool {
	if key, ok := msg.(tea.KeyMsg); ok && !slices.Contains(asideKeys, key.String()) {
		return false
	}
	return text.Update(msg)
}

// readAsideOn lists the keys that scroll, where there is more than shows.
func readAsideOn(text *widget.Scroll) []Command {
	if text.Hidden() == (widget.Hidden{}) {
		return nil
	}
	return listed(groupHere, bind("ctrl+d", "read on", "ctrl+d", "pgdown"), bind("ctrl+u", "read back", "ctrl+u", "pgup"))
}

// lowDialog is the height inside a dialog below which it leaves out air and the
// keys that the footer names as well.
const lowDialog = 12

// layAside gives the text its lines and, of the height that the list leaves,
// what it needs; it stays where it was scrolled to.
func layAside(text *widget.Scroll, lines []widget.Line, w, room int) {
	text.Resize(widget.Box{W: w, H: max(0, min(asideHeight(lines, w), room))})
	text.Keep(lines)
}

// asideHeight is how high a text is when all of it shows.
func asideHeight(lines []widget.Line, w int) (h int) {
	for _, l := range lines {
		h += len(widget.WrapLine(l, w))
	}
	return h
}

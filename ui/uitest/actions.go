package uitest

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// UnderCursor moves the cursor from the first row to the first one that begins with a
// text.
func (d *Driver) UnderCursor(text string) {
	d.T.Helper()
	d.Press("g")
	const maxRows = 60
	for range maxRows {
		for _, l := range strings.Split(d.Screen(), "\n") {
			if strings.HasPrefix(l, "▸ "+text) {
				return
			}
		}
		d.Press("j")
	}
	d.T.Fatalf("the cursor finds no %q:\n%s", text, d.Screen())
}

// Reads pages down through a dialog and returns all screens.
func (d *Driver) Reads() string {
	const maxPages = 6
	var screens []string
	for range maxPages {
		screens = append(screens, d.Screen())
		d.Press("pgdown")
	}
	return strings.Join(screens, "\n")
}

// Line returns a line of the screen, counted from 0.
func (d *Driver) Line(y int) string { return strings.Split(d.Screen(), "\n")[y] }

// Click clicks the first place where a text shows, from a line on.
func (d *Driver) Click(text string, firstLine int) {
	d.T.Helper()
	for y, line := range strings.Split(d.Screen(), "\n") {
		if at := strings.Index(line, text); at >= 0 && y >= firstLine {
			d.ClickAt(widget.Width(line[:at]), y)
			return
		}
	}
	d.T.Fatalf("there is no %q to click on:\n%s", text, d.Screen())
}

// ClickAt clicks a cell, counted from 0.
func (d *Driver) ClickAt(x, y int) {
	d.T.Helper()
	d.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionRelease})
}

// Wheel turns the wheel down by one over a cell.
func (d *Driver) Wheel(x, y int) {
	d.T.Helper()
	d.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
}

// Filter types a filter and leaves the field.
func (d *Driver) Filter(text string) {
	d.T.Helper()
	d.Press("/")
	d.Types(text)
	d.Press("enter")
}

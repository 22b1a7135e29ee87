package uitest

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// UnderCursor moves down until the screen shows a text in the line of the
// cursor.
func (d *Driver) UnderCursor(text string) {
	d.T.Helper()
	d.Press("g")
	for range 60 {
		for _, l := range strings.Split(d.Screen(), "\n") {
			if strings.HasPrefix(l, "▸ "+text) {
				return
			}
		}
		d.Press("j")
	}
	d.T.Fatalf("the cursor finds no %q:\n%s", text, d.Screen())
}

// Reads pages through what the dialog says and gives all of it.
func (d *Driver) Reads() string {
	var all []string
	for range 6 {
		all = append(all, d.Screen())
		d.Press("pgdown")
	}
	return strings.Join(all, "\n")
}

// Line is one row of the screen, counted from 0.
func (d *Driver) Line(y int) string { return strings.Split(d.Screen(), "\n")[y] }

// Click presses the left button on the first place where a text shows, as far
// down as from the line given.
func (d *Driver) Click(text string, from int) {
	d.T.Helper()
	for y, line := range strings.Split(d.Screen(), "\n") {
		if at := strings.Index(line, text); at >= 0 && y >= from {
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

package ui

import (
	"ephemera/ui/app"
	"ephemera/ui/lessons"
	"ephemera/ui/widget"
)

// beside tells that the panel stands beside the screen, with room for all of
// the task, and not above it.
func (m *Model) beside() bool { return m.size.W >= lessons.BesideW && m.size.H >= lessons.BesideH }

// panel is the place of the lesson's panel: its width beside the screen, or its
// height above it.
func (m *Model) panel() (w, h int) {
	switch {
	case m.book.Run == nil:
		return 0, 0
	case m.beside():
		return min(48, m.size.W*3/8), 0
	case m.size.H >= lessons.StripLeastH:
		return 0, lessons.StripH
	}
	return 0, 1
}

// withPanel puts the panel of the lesson to a screen.
func (m *Model) withPanel(body string, box widget.Box) string {
	w, h := m.panel()
	run := m.book.Run
	switch {
	case run == nil:
		return body
	case w > 0:
		side := widget.Box{W: w - 3, H: box.H}
		gap := widget.Fill("", widget.Box{W: 1, H: box.H})
		return widget.JoinH(body, app.RuleDown(m.desk, box.H, false), gap, run.Panel(m.desk, m.book, side))
	case h > 0:
		return widget.JoinV(run.Strip(m.desk, m.book, widget.Box{W: m.size.W, H: h}), body)
	}
	return body
}

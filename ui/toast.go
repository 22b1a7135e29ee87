package ui

import (
	"ephemera/ui/widget"
)

// say shows a notice at once. It stays until another takes its place, so that
// nothing is missed by looking away, and the log keeps it.
func (m *Model) say(l widget.Level, text string) {
	m.notes.Push(l, text, m.desk.Now.Format("15:04:05"))
	m.fitDialogs()
}

// hush takes a notice away that is over.
func (m *Model) hush(n widget.Note) {
	m.notes.Expire(n.ID)
	m.fitDialogs()
}

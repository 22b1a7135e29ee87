package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/lessons"
)

// hint gives the next hint, in a dialog where the panel cannot show it.
func (m *Model) hint(run *lessons.Run) tea.Cmd {
	if run.Session.Over() {
		return nil
	}
	if len(run.Session.Hint()) == 0 {
		return app.Say(app.LevelInfo, "there is nothing to do here but to answer")
	}
	if m.beside() {
		return nil
	}
	return app.OpenDialog(&lessons.HintReader{Run: run, TextDialog: run.HintReading()})
}

package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// The levels of notices.
const (
	LevelInfo = widget.Info
	LevelGood = widget.Done
	LevelWarn = widget.Warn
	LevelBad  = widget.Fail
)

// SayMsg shows a notice.
type SayMsg struct {
	Level widget.Level
	Text  string
}

// Say gives the command that shows a notice.
func Say(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return SayMsg{l, text} }
}

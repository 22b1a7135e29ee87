package app

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// BackgroundMsg carries a command that keys don't wait for.
type BackgroundMsg struct{ Cmd tea.Cmd }

// Background returns a command that runs cmd and lets keys through meanwhile. It
// is for work that goes on by itself after its first part. Keys wait for every
// other command; see the root's keys.go.
func Background(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return BackgroundMsg{cmd} }
}

// TimerMsg asks for a message after a delay.
type TimerMsg struct {
	Delay time.Duration
	Msg   tea.Msg
}

// After returns a command that brings a message after a delay. Keys don't wait
// for it.
func After(delay time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg { return TimerMsg{Delay: delay, Msg: msg} }
}

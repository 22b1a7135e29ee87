package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Command is something a person can do right now: a key, a line of help and an
// entry of the palette in one.
type Command struct {
	// Binding holds the keys and their help; a command without keys is only in
	// the palette.
	Binding key.Binding
	// Name is the entry in the palette; empty keeps it out of there.
	Name string
	// Group is the heading under which help lists it.
	Group string
	// Do does it. nil stands for keys that a widget handles itself and that
	// are listed for help alone.
	Do func() tea.Cmd
}

// bind makes a binding; shown is what help prints for the keys.
func bind(shown, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, what))
}

// find gives the command that a key stands for.
func find(commands []Command, msg tea.KeyMsg) (Command, bool) {
	for _, c := range commands {
		if c.Do != nil && key.Matches(msg, c.Binding) {
			return c, true
		}
	}
	return Command{}, false
}

// listed wraps the keys of a widget for help.
func listed(group string, bindings ...key.Binding) []Command {
	out := make([]Command, len(bindings))
	for i, b := range bindings {
		out[i] = Command{Binding: b, Group: group}
	}
	return out
}

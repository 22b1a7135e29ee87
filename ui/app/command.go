package app

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Command is something a person can do: a key, a line of help and an entry of the
// palette in one. One that cannot be done now has a disabled binding, whose help
// says why; see [Command.Unless].
type Command struct {
	// Binding holds the keys and their help; a command without keys is only in
	// the palette.
	Binding key.Binding
	// Name is the entry in the palette; empty keeps it out of there.
	Name string
	// Group is the heading under which help lists it.
	Group string
	// Do does it. nil stands for keys that a widget handles itself and that
	// are listed for help alone, and for what cannot be done now.
	Do func() tea.Cmd
}

// NewCommand makes a command; see the fields for what is what.
func NewCommand(b key.Binding, name, group string, do func() tea.Cmd) Command {
	return Command{Binding: b, Name: name, Group: group, Do: do}
}

// Here makes a command of a screen; shown is what help prints for its keys, and
// short what they do.
func Here(shown, short, name string, do func() tea.Cmd, keys ...string) Command {
	return NewCommand(Bind(shown, short, keys...), name, GroupHere, do)
}

// Unless gives the command as one that cannot be done now, if not, and says why.
// Only the palette lists it then, and its keys say why.
func (c Command) Unless(not bool, why string) Command {
	if not {
		keys := c.Binding.Keys()
		c.Binding, c.Do = key.NewBinding(key.WithKeys(keys...), key.WithHelp(c.Binding.Help().Key, why), key.WithDisabled()), nil
	}
	return c
}

// Reason says why the command cannot be done now; it is empty where it can.
func (c Command) Reason() string {
	if c.Name == "" || c.Do != nil {
		return ""
	}
	return c.Binding.Help().Desc
}

// Bind makes a binding; shown is what help prints for the keys.
func Bind(shown, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, what))
}

// Find gives the command that a key stands for.
func Find(commands []Command, msg tea.KeyMsg) (Command, bool) {
	for _, c := range commands {
		if c.Do != nil && key.Matches(msg, c.Binding) {
			return c, true
		}
	}
	return Command{}, false
}

// WhyNot says why nothing comes of a key that would do something at another time.
func WhyNot(commands []Command, msg tea.KeyMsg) string {
	for _, c := range commands {
		if slices.Contains(c.Binding.Keys(), msg.String()) {
			return c.Reason()
		}
	}
	return ""
}

// Listed wraps the keys of a widget for help.
func Listed(group string, bindings ...key.Binding) []Command {
	out := make([]Command, len(bindings))
	for i, b := range bindings {
		out[i] = Command{Binding: b, Group: group}
	}
	return out
}

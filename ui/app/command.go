package app

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Groups of commands, the headings of help.
const (
	GroupHere    = "On this screen"
	GroupClock   = "Clock"
	GroupScreens = "Screens"
	GroupProgram = "Everywhere"
	GroupMove    = "Moving"
	GroupAsk     = "Asking" // those that only look
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
	// QueuedWrite tells that Do only puts a write into the queue. Its key needs
	// nothing that is being read, and doesn't wait for it.
	QueuedWrite bool
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

// Key makes a command of a dialog; shown is what help prints for its keys.
func Key(shown, short string, do func() tea.Cmd, keys ...string) Command {
	return Here(shown, short, "", do, keys...)
}

// Pair makes the commands of keys that go both ways, which share a line of help. do
// is told by for the first of them, and its opposite for the others; both are
// written apart by spaces.
func Pair(shown, short string, do func(by int) tea.Cmd, by int, first, others string) []Command {
	one := func(by int) func() tea.Cmd { return func() tea.Cmd { return do(by) } }
	return []Command{Key(shown, short, one(by), strings.Fields(first)...), Key("", "", one(-by), strings.Fields(others)...)}
}

// Close are the keys that close a dialog in which nothing is typed.
var Close = Command{Binding: Bind("esc", "close", "esc", "q"), Group: GroupHere}

// Press does what a key of a dialog is for; done tells that it closes the dialog, and
// ok that it is for something.
func Press(commands []Command, msg tea.KeyMsg) (cmd tea.Cmd, done, ok bool) {
	if key.Matches(msg, Close.Binding) {
		return nil, true, true
	}
	c, ok := Find(commands, msg)
	if ok {
		cmd = c.Do()
	}
	return cmd, false, ok
}

// Unless gives the command as one that cannot be done now, if not, and says why.
// Only the palette lists it then, and its keys say why.
func (c Command) Unless(not bool, why string) Command {
	if not {
		c.Binding.SetHelp(c.Binding.Help().Key, why)
		c.Binding.SetEnabled(false)
		c.Do = nil
	}
	return c
}

// AsQueuedWrite returns the command as one that only puts a write into the queue.
func (c Command) AsQueuedWrite() Command {
	c.QueuedWrite = true
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

// ClaimsKey tells whether one of the commands has the key, also where it cannot be done now.
func ClaimsKey(commands []Command, key string) bool {
	return slices.ContainsFunc(commands, func(c Command) bool { return slices.Contains(c.Binding.Keys(), key) })
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

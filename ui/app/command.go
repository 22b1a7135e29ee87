package app

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The groups of commands, which are the headings of help.
const (
	GroupHere    = "On this screen" // the keys of one screen or dialog
	GroupClock   = "Clock"
	GroupScreens = "Screens"
	GroupProgram = "Everywhere"
	GroupMove    = "Moving"
	GroupAsk     = "Asking" // commands that only look
)

// Command is something that the user can do. It is at the same time a key, a line of help
// and an entry in the palette, which is the dialog that lists commands by name. A command
// that cannot be carried out now has a disabled binding; see [Command.DisabledIf].
type Command struct {
	Binding key.Binding // the keys and their label; a command without keys is only in the palette
	Name    string      // the entry in the palette; empty for none
	Phrases string      // see [Command.FoundBy]
	Group   string      // the heading in help
	// Do carries out the command. It is nil for a disabled command, and for the commands of
	// [KeysForHelp], which are only listed in help.
	Do func() tea.Cmd
	// QueuedWrite means that Do only adds a write to the [Queue], so that the key need not
	// wait for what is being read.
	QueuedWrite bool
}

// ScreenCommand returns an enabled command that works while no dialog is open. name is
// its entry in the palette, and do carries it out. shownKeys, label and keys are those of
// [Bind].
func ScreenCommand(shownKeys, label, name string, do func() tea.Cmd, keys ...string) Command {
	return Command{Binding: Bind(shownKeys, label, keys...), Name: name, Group: GroupHere, Do: do}
}

// InGroup puts commands under another heading of help. It changes the slice and returns it.
func InGroup(group string, commands []Command) []Command {
	for i := range commands {
		commands[i].Group = group
	}
	return commands
}

// DialogCommand returns a command of a dialog, which is not in the palette.
func DialogCommand(shownKeys, label string, do func() tea.Cmd, keys ...string) Command {
	return ScreenCommand(shownKeys, label, "", do, keys...)
}

// OppositeCommands returns two commands of a dialog with opposite effects, such as moving
// to the right and to the left. The forwardKeys call move(steps), and the backwardKeys
// call move(-steps). Both are lists of keys separated by spaces, such as "right l". Help
// has one line for both commands, with the texts shownKeys and label.
func OppositeCommands(
	shownKeys, label string,
	move func(steps int) tea.Cmd,
	steps int,
	forwardKeys, backwardKeys string,
) []Command {
	return []Command{
		DialogCommand(shownKeys, label, func() tea.Cmd { return move(steps) }, strings.Fields(forwardKeys)...),
		DialogCommand("", "", func() tea.Cmd { return move(-steps) }, strings.Fields(backwardKeys)...),
	}
}

// Close lists the keys that close a dialog without text fields.
var Close = Command{Binding: Bind("esc", "close", "esc", "q"), Group: GroupHere}

// PressKey carries out the first enabled command of a dialog that has the pressed key. cmd is
// what the command returns. done reports whether the key closes the dialog, as esc and q do,
// so the dialog must have no text field for q. ok reports whether the key does anything.
func PressKey(commands []Command, msg tea.KeyMsg) (cmd tea.Cmd, done, ok bool) {
	if key.Matches(msg, Close.Binding) {
		return nil, true, true
	}
	command, ok := FindCommand(commands, msg)
	if !ok {
		return nil, false, false
	}
	return command.Do(), false, true
}

// DisabledIf returns the command unchanged, or disabled if condition is true. The palette
// lists a disabled command with the reason. Its keys show the reason as a notice.
func (c Command) DisabledIf(condition bool, reason string) Command {
	if condition {
		c.Binding.SetHelp(c.Binding.Help().Key, reason)
		c.Binding.SetEnabled(false)
		c.Do = nil
	}
	return c
}

// FoundBy returns the command with other phrases by which the palette and the help find it, in
// small letters, with commas between them. The palette lists a command with phrases on every
// screen, once its own screen was read. So a command that acts at once on a row that only its
// own screen shows must have none.
func (c Command) FoundBy(phrases string) Command {
	c.Phrases = phrases
	return c
}

// AsQueuedWrite returns the command as one that only adds to the write queue.
func (c Command) AsQueuedWrite() Command {
	c.QueuedWrite = true
	return c
}

// Reason says why the command is disabled; empty if it is not. Only a command with a name can
// be disabled: one without a name that does nothing is a line of help, see [KeysForHelp].
func (c Command) Reason() string {
	if c.Name == "" || c.Do != nil {
		return ""
	}
	return c.Binding.Help().Desc
}

// Bind returns a binding of keys. shownKeys is what help prints for the keys, such as
// "j ↓". label is what help says about them, such as "down". If no keys are given, the
// keys are the words of shownKeys.
func Bind(shownKeys, label string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = strings.Fields(shownKeys)
	}
	var binding key.Binding // without options, which take memory at every key
	binding.SetKeys(keys...)
	binding.SetHelp(shownKeys, label)
	return binding
}

// FindCommand returns the first enabled command that the pressed key belongs to. The second
// result is false if there is none.
func FindCommand(commands []Command, msg tea.KeyMsg) (Command, bool) {
	for _, command := range commands {
		if command.Do != nil && key.Matches(msg, command.Binding) {
			return command, true
		}
	}
	return Command{}, false
}

// HasKey reports whether a command has a key, even if it is disabled.
func HasKey(commands []Command, key string) bool {
	return slices.ContainsFunc(commands, func(command Command) bool {
		return slices.Contains(command.Binding.Keys(), key)
	})
}

// DisabledReason says why the command that has a key is disabled. It is empty if the command
// is enabled, or if no command has the key.
func DisabledReason(commands []Command, msg tea.KeyMsg) string {
	for _, command := range commands {
		if slices.Contains(command.Binding.Keys(), msg.String()) {
			return command.Reason()
		}
	}
	return ""
}

// KeysForHelp returns a command for each binding, so that help lists its keys under the
// heading group. The commands do nothing, because a widget handles these keys by itself.
func KeysForHelp(group string, bindings ...key.Binding) []Command {
	commands := make([]Command, len(bindings))
	for i, binding := range bindings {
		commands[i] = Command{Binding: binding, Group: group}
	}
	return commands
}

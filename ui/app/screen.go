package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// Kind tells the screens apart. Where each has its tab and its key is the
// root's to know.
type Kind int

// The kinds of screens.
const (
	KindTokens Kind = iota
	KindApprovals
	KindOperators
	KindCollection
	KindHistory
	KindConsole
	KindLessons
	KindAccounts
)

// Screen is one of the eight screens. Screens live as long as the program, so
// that coming back finds everything as it was left.
//
// Every method runs on bubbletea's goroutine, one at a time, and neither waits nor
// does I/O. The commands that Update gives, and the [Read] that Needs gives, run on
// other goroutines and know only what they captured.
type Screen interface {
	// Kind tells which screen it is, and Name is the word on the tab; see [Tab].
	Kind() Kind
	Name() string
	// Resize gives the screen its box; it comes before the first View.
	Resize(widget.Box)
	// Refresh says that what is shown may be out of date: the screen was turned
	// to, or something changed while it was shown.
	Refresh(*State)
	// Needs gives what is to be read for the screen now, nil when it lacks
	// nothing. The root asks after every message, and again after each answer.
	// One Read at a time is under way; its answer comes to Update.
	Needs(*State) Read
	// Update takes keys that no command took, the mouse (with rows counted
	// from the screen's top), the answers to what the screen asked, and the
	// outcomes of writes.
	Update(*State, tea.Msg) tea.Cmd
	// View fills the box. It changes nothing but what scrolls.
	View(*State) string
	// Commands lists what can be done here now.
	Commands(*State) []Command
	// Typing tells that a text field has the focus and takes every key.
	Typing() bool
}

// Tab is which screen something is; every screen embeds it.
type Tab struct {
	kind Kind
	name string
}

// NewTab makes the tab of a screen, with the word on it.
func NewTab(k Kind, name string) Tab { return Tab{k, name} }

// Kind tells which screen it is.
func (t Tab) Kind() Kind { return t.kind }

// Name is the word on the tab.
func (t Tab) Name() string { return t.name }

// Dialog is what stands over the screens: a form, a question, a list. The top
// one of the stack takes every key. Its methods run where those of a [Screen] do.
type Dialog interface {
	// Resize tells the largest box that the dialog may take.
	Resize(widget.Box)
	// Update takes keys, the mouse (with columns and rows counted from inside
	// the frame) and the answers of the dialog's commands. done tells that the
	// dialog is finished and goes.
	Update(*State, tea.Msg) (cmd tea.Cmd, done bool)
	// View draws the dialog, in any size up to its box.
	View(*State) string
	// Commands lists its keys for help.
	Commands(*State) []Command
}

// What follows are optional interfaces. The root looks for them in screens and
// dialogs; a type that lacks one behaves as the comment says.

// Typist is a dialog with text fields. Typing reports whether letters go to a
// field now. Without it, no dialog is typed in.
type Typist interface {
	Typing() bool
}

// TypingScreen lists the keys that work while its text field has the focus.
// Without it, the footer lists the commands of the screen.
type TypingScreen interface {
	Screen
	TypingCommands(*State) []Command
}

// Lister is a screen or a dialog with a list. Moving in a list that has rows
// waits for nothing that is read for the row under the cursor, and no key waits for
// a search that the list goes on with.
type Lister interface {
	List() *widget.Table
}

// SubjectScreen reports what is under its cursor. Without it, why and the other
// views open without a subject.
type SubjectScreen interface {
	Subject() Subject
}

// Closer is a dialog with work under way, which Close ends.
type Closer interface {
	Close()
}

// FullScreen marks a dialog that takes the whole terminal except for the line of
// the keys. Other dialogs are centred.
type FullScreen interface {
	FullScreen()
}

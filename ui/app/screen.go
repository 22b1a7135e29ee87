package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// Kind identifies a screen. The order of the keys is the root's.
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

// Screen is one of the eight screens. A screen keeps its state while another is
// shown.
//
// Its methods run on bubbletea's goroutine, one at a time. They neither wait nor
// do I/O: the commands that Update returns, and the [Read] that Needs returns, do
// that on other goroutines.
type Screen interface {
	// Kind identifies the screen, and Name is the word on its tab; see [Tab].
	Kind() Kind
	Name() string
	// Resize gives the screen its box. It comes before the first View.
	Resize(widget.Box)
	// Refresh says that what is shown may be out of date.
	Refresh(*State)
	// Needs returns the Read of what is missing on the screen; nil if nothing is.
	// The root asks after every message and runs one Read at a time. Its answer
	// comes to Update.
	Needs(*State) Read
	// Update takes keys without a command, the mouse with rows counted from the
	// screen's top, the answers to what the screen asked, and the outcomes of
	// writes.
	Update(*State, tea.Msg) tea.Cmd
	// View fills the box. It changes nothing but what scrolls.
	View(*State) string
	// Commands returns what can be done here now.
	Commands(*State) []Command
	// Typing reports whether a text field has the focus and takes every key.
	Typing() bool
}

// Tab gives a screen its Kind and Name. Every screen embeds it.
type Tab struct {
	kind Kind
	name string
}

// NewTab returns the tab of a screen.
func NewTab(kind Kind, name string) Tab { return Tab{kind: kind, name: name} }

// Kind identifies the screen.
func (t Tab) Kind() Kind { return t.kind }

// Name is the word on the tab.
func (t Tab) Name() string { return t.name }

// Dialog is a form, a question or a list over the screens. The top dialog takes
// every key. Its methods run like those of a [Screen].
type Dialog interface {
	// Resize gives the dialog its largest box.
	Resize(widget.Box)
	// Update takes keys, the mouse with columns and rows counted from inside the
	// frame, and the answers to what the dialog asked. done closes the dialog.
	Update(*State, tea.Msg) (cmd tea.Cmd, done bool)
	// View draws the dialog, in any size up to its box.
	View(*State) string
	// Commands lists the keys for help.
	Commands(*State) []Command
}

// The following interfaces are optional. The root looks for them in screens and
// dialogs. Each comment says what happens without the interface.

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

// Lister is a screen or a dialog with a list. Keys that move in a list with rows
// don't wait for the detail of a row, and no key waits for the rest of a search.
// Without it, every key waits for every reading.
type Lister interface {
	List() *widget.Table
}

// SubjectScreen reports what is under its cursor. Without it, why and the other
// views open without a subject, and no mark of the clock's lanes stands out.
type SubjectScreen interface {
	Subject() Subject
}

// Closer is a dialog with work under way, which Close ends. Without it, closing a
// dialog ends nothing.
type Closer interface {
	Close()
}

// PaneScreen is a screen with a pane right of its list. DetailColumn returns the column
// of the rule between them, in a body of width cells; ok is false if the pane is not
// beside the list there. Without it, the screen gives the columns at its right to a
// [PaneDialog].
type PaneScreen interface {
	DetailColumn(width int) (column int, ok bool)
}

// PaneDialog marks a dialog about what is on the screen, such as the form of a message. In
// a wide terminal it is drawn beside the list. Without it, a dialog is centred.
type PaneDialog interface {
	BesideList()
}

// FullScreen marks a dialog that takes the whole terminal except for the line of
// the keys. Without it, a dialog is centred.
type FullScreen interface {
	FullScreen()
}

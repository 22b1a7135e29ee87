package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// Kind identifies a screen. The explorer decides the order of their keys.
type Kind int

// The kinds of screens. Those up to KindCollection show what the contract stores.
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
// do I/O: the commands that Update returns, and the [Read] that NextRead returns, do
// that on other goroutines.
type Screen interface {
	// Kind identifies the screen; see [Tab].
	Kind() Kind
	// Name returns the word on the tab of the screen.
	Name() string
	// Resize gives the screen its box. It comes before the first View.
	Resize(widget.Box)
	// Refresh says that what is shown may be out of date.
	Refresh(*State)
	// NextRead returns the function that reads what is missing on the screen; nil if
	// nothing is. The explorer calls NextRead after every message and runs one Read at a
	// time. Update gets the message that the Read returns.
	NextRead(*State) Read
	// Update handles a message. The screen gets the keys that no command has, the
	// mouse with rows counted from the screen's top, the answers to what it asked,
	// and the outcomes of all writes.
	Update(*State, tea.Msg) tea.Cmd
	// View draws the screen and fills its box. It changes nothing but scroll positions.
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
	// Update handles a message. The dialog gets keys, the mouse with columns and rows
	// counted from inside the frame, and the answers to what it asked. If done is
	// true, the explorer closes the dialog.
	Update(*State, tea.Msg) (cmd tea.Cmd, done bool)
	// View draws the dialog, in any size up to its box.
	View(*State) string
	// Commands lists the keys for help.
	Commands(*State) []Command
}

// The following interfaces are optional. The explorer looks for them in screens and
// dialogs. Each comment says what happens without the interface.

// Typist is a dialog with text fields. Typing reports whether letters go to a field now. In a
// dialog without this interface, letters are keys of commands.
type Typist interface {
	Typing() bool
}

// TypingScreen is a screen that lists the keys which work while its text field has the focus.
// The footer shows them. For a screen without this interface, it shows the screen's commands.
type TypingScreen interface {
	Screen
	TypingCommands(*State) []Command
}

// Lister is a screen or a dialog with a list. Keys that move in a list with rows don't wait
// until the detail of a row is read, and no key waits for the rest of a search. On a screen
// without this interface, every key waits for every reading.
type Lister interface {
	List() *widget.Table
}

// SubjectScreen is a screen that reports what is under its cursor. On a screen without this
// interface, "why" and similar dialogs open without a subject, and the clock highlights no
// expiry.
type SubjectScreen interface {
	Subject() Subject
}

// Closer is a dialog that can have work under way, such as a search. The explorer calls Close
// when the dialog is closed, to end that work.
type Closer interface {
	Close()
}

// PaneScreen is a screen that can have a pane of details at the right of its list.
// DetailColumn returns the column of the line between them if the screen is width cells
// wide. ok is false if the pane is not beside the list in that width. A [PaneDialog] is
// drawn over that pane. On a screen without this interface, it is drawn in place of the
// right half of the screen.
type PaneScreen interface {
	DetailColumn(width int) (column int, ok bool)
}

// PaneDialog marks a dialog about what is on the screen, such as the form of a message. In
// a wide terminal it is drawn beside the list. A dialog without this interface is centred.
// BesideList does nothing; it only marks the dialog.
type PaneDialog interface {
	BesideList()
}

// FullScreen marks a dialog that takes the whole terminal except for the line of the keys.
// A dialog without this interface is centred. The method does nothing; it only marks the
// dialog.
type FullScreen interface {
	FullScreen()
}

// ClockStopper marks a dialog that pauses the clock when it opens, such as a batch, because a
// move would come between its previews and its messages. The method does nothing; it only
// marks the dialog.
type ClockStopper interface {
	StopsClock()
}

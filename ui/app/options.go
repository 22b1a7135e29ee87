package app

import (
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/themes"
)

// Options is what the explorer is started with.
type Options struct {
	// Open gives the engine. It runs in a command, after the first frame. A
	// database without a collection gives an engine whose Config says so.
	Open func() (Engine, error)
	// Theme is what to draw with, ThemeOptions what others are made with.
	Theme        *themes.Theme
	ThemeOptions themes.Options
	// InMemory tells that nothing is kept.
	InMemory bool
	// Module is the compiled contract that a new collection runs; nil for the
	// built-in one.
	Module *chain.Module
	// ReadModule reads a compiled contract from a file. It runs in a command; nil
	// where files cannot be read.
	ReadModule func(path string) (*chain.Module, error)
	// MadeUp tells that what is opened is the demo, so that a newcomer is told
	// what to try.
	MadeUp bool
	// ReadOnly tells that what is tried is not kept: the database takes no write.
	ReadOnly bool
	// Actor is the name or address of who acts first; one that there is not takes
	// the first account.
	Actor string
	// Times is how times are written at first.
	Times TimeForm
	// HiddenColumns are the titles of the columns that are hidden at first, by the
	// names of the screens.
	HiddenColumns map[string][]string
	// NoMotion stills what moves by itself.
	NoMotion bool
	// Demo opens the demo, for the door of the welcome.
	Demo func() (Engine, error)
	// Scratch opens an empty chain in memory, for lessons; nil where there are
	// none. Lessons reads those that there are, one's own among them; nil where
	// there are only the program's. Progress keeps how far the learner is.
	Scratch  func() (*chain.Chain, error)
	Lessons  func() ([]lesson.Lesson, error)
	Progress lesson.Storage
	// Import reads a dump of a contract's storage into the empty database that
	// Open gave, with the rules, prefix and clock of g; an empty prefix is taken
	// from the dump. progress is told how many records are in. It runs in a
	// command, and a failed one leaves the database empty. nil where dumps
	// cannot be read.
	Import func(path string, g chain.Genesis, progress func(n int)) error
	// Save lets write fill a file. Without replace it fails with fs.ErrExist where
	// there is a file of that name. It runs in a command; nil where files cannot
	// be written.
	Save func(path string, replace bool, write func(io.Writer) error) error
	// Export writes the contract's storage as the command of that name does.
	Export func(v *chain.View, w io.Writer, withClock bool) error
	// Backup writes the whole database that Open gave to a file, as Save does; nil
	// where it is in memory.
	Backup func(path string, replace bool) error
	// Media is a folder of pictures, named as the last part of a token's image URI;
	// empty for none.
	Media string
	// Wall is the time of day, for the genesis of a new collection and for
	// toasts. The core never sees it.
	Wall func() time.Time
	// Copy hands a text to the clipboard of the terminal; nil where there is
	// none.
	Copy func(text string) error
	// After gives a message after a while; nil is tea.Tick. Tests hand in one
	// that does not wait.
	After func(time.Duration, tea.Msg) tea.Cmd
}

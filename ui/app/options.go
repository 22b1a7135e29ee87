package app

import (
	"io"
	"time"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/themes"
)

// Options are the settings that the explorer starts with, and the functions by which it
// reaches databases, files and the clipboard. They are part of the [State]. If a function is
// nil, the explorer does not offer what needs it. All functions except WallTime may block, so
// they run in commands.
type Options struct {
	// ThemeName is a name of [themes.Names], or auto, which asks the terminal for
	// its background.
	ThemeName    string
	Theme        *themes.Theme  // the colours and signs with which everything is drawn
	ThemeOptions themes.Options // the settings for making another theme
	NoColor      bool
	NoMouse      bool
	NoMotion     bool     // nothing on the screen flashes or moves by itself
	Times        TimeForm // the form in which times are written
	// Media is a folder of pictures, named as the last part of a token's image
	// URI; empty for none.
	Media string
	// HiddenColumns are the titles of the hidden columns, by the names of the
	// screens.
	HiddenColumns map[string][]string

	Demo       bool // shows the demo and greets newcomers
	MemoryOnly bool // the first database is gone when the program ends
	ReadOnly   bool // changes are tried but not kept
	// FirstActor is the name or address of the first actor. If there is no such
	// account, the first account acts.
	FirstActor string
	// Module is the compiled contract that a new collection runs; nil for the
	// built-in one.
	Module *chain.Module

	// Open opens the database. The Config of its engine reports whether there is a
	// collection.
	Open      func() (Engine, error)
	OpenDemo  func() (Engine, error)          // opens the demo in memory
	Scratch   func() (*chain.Chain, error)    // opens an empty chain in memory, for lessons
	Lessons   func() ([]lesson.Lesson, error) // reads the lessons
	LessonDir string                          // the folder with the user's own lessons; empty for the usual one
	// Progress returns the storage of a learner's progress. It is nil if no progress is
	// stored.
	Progress func(learner string) lesson.Storage
	Learner  string // the name of the learner; empty for none
	// Import reads a dump into the empty database that Open opened, with the
	// rules, prefix and clock of genesis. An empty prefix is taken from the dump. It
	// reports the number of imported records to progress, and returns notes for the user.
	// If it fails, the database stays empty.
	Import func(path string, genesis chain.Genesis, progress func(records int)) (notes []string, err error)
	// Export writes the contract's storage as the command export does.
	Export func(view *chain.View, w io.Writer, withClock bool) error
	// Backup writes the whole database to a file. Without replace, it fails with
	// [fs.ErrExist] if the file exists.
	Backup func(path string, replace bool) error
	// Save creates a file and lets write fill it. Without replace, it fails with
	// [fs.ErrExist] if the file exists.
	Save       func(path string, replace bool, write func(io.Writer) error) error
	ReadModule func(path string) (*chain.Module, error) // reads a compiled contract from a file
	// Copy hands a text to the clipboard of the terminal.
	Copy func(text string) error
	// WallTime returns the time of day, for notices and the genesis of a new
	// collection; nil for the real one. The core never sees it.
	WallTime func() time.Time

	// KeepActor stores the last actor, by name or address, for the next start.
	KeepActor func(account string) error
	// KeepColumns stores the hidden columns, in the form of HiddenColumns, for the next
	// start.
	KeepColumns func(map[string][]string) error
}

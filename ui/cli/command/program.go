// Package command is what all commands share: the flags that every one of them
// takes, how a database is opened and closed around a command's work, how arguments
// are read, how answers and complaints are written, and what the exit status is.
//
// A command's work runs inside [App.Action] or one of what builds on it, so that
// errors before it are about how the program was called. Its answer goes through
// [App.PrintAnswer], which escapes what a terminal could act on; everything that goes
// wrong is an error that it returns, which [App.Report] tells in one sentence and
// makes a status of. An error that another argument would have prevented is
// [UsageErrorf].
//
// The package knows no command, and not how a database is kept: [Program] holds
// functions for that, which main fills in.
package command

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/ui/app"
)

// Program is what the commands need from outside: main fills it in.
type Program struct {
	// Open opens a database. Its errors are shown as they are; an [InUse]
	// can be waited for.
	Open func(Where) (*Database, error)
	// Disk does what is done to a database that is not open.
	Disk Disk
	// Progress keeps how far the learner is in the lessons, Learner how far one
	// of several is, by name.
	Progress lesson.Storage
	Learner  func(name string) lesson.Storage
	// Explore runs the explorer on a database until the user leaves it.
	Explore func(context.Context, Where, app.Options) error

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Where names a database.
type Where struct {
	// Dir is the directory of the database.
	Dir string
	// Create makes a database where there is none.
	Create bool
	// Memory asks for a new and empty one that is gone at the end.
	Memory bool
	// ReadOnly refuses every write.
	ReadOnly bool
	// TryWrites lets writes be tried in memory, over a database that takes none.
	TryWrites bool
	// Wait is how long to wait for a database that another process has.
	Wait time.Duration
	// DiscardImport first removes what an interrupted import has left.
	DiscardImport bool
	// Compare has the built-in contract answer all that a compiled one does.
	Compare bool
	// CallLimit is how long a call of a compiled contract may take; 0 is the
	// usual limit.
	CallLimit time.Duration
	// Compiling is [chain.Options.Compiling].
	Compiling func(file string) (ctx context.Context, end func())
}

// Options are those with which the chain in it is opened. Compiled contracts are kept
// in the cache directory of XDG for the next start.
func (w Where) Options() chain.Options {
	modules := filepath.Join(xdg.CacheHome, "ephemera", "wasm")
	return chain.Options{Discard: w.DiscardImport, CacheDir: modules, TimeLimit: w.CallLimit, Compare: w.Compare, Compiling: w.Compiling}
}

// App is one run of the program.
type App struct {
	Program
	Ctx       context.Context
	Global    globals
	Started   bool        // a command's own work has begun: its usage was right
	out       *textWriter // in front of stdout
	OutputErr error       // why stdout did not take an answer

	// Held is a database that stays open over several commands, as in a
	// lesson; nil where each command opens its own.
	Held *Database
}

// globals are the flags that every command takes.
type globals struct {
	DB               string
	OnDisk           bool // --db was given, and not its default taken
	Memory, ReadOnly bool
	Compare          bool
	CallLimit        time.Duration
	Contract         string // for a collection that the explorer creates
	Wait             wait
	JSON             bool // answers are compact, on a terminal too
	Explorer         app.Options
}

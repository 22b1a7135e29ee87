// Package command is what all commands share: the global flags, opening and closing a
// database around an action, reading arguments, printing answers and errors, and the exit
// status.
//
// The action of a command runs inside [App.Action] or a function that builds on it, so that
// errors before it are about how the program was called. It prints its answer with
// [App.PrintAnswer], which escapes what a terminal could act on. It returns every error, and
// [App.Report] prints the error in one sentence and chooses the exit status. An error that
// another argument would avoid is a [UsageErrorf].
//
// The package must not know a single command, or how a database is stored. Main passes the
// functions that open and store a database in [Program]. A kind of argument that several
// commands parse belongs in values.go, the status of an error in status.go.
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

// Program is what main passes to the commands.
type Program struct {
	// Open opens a database. It fails with an [InUse] error as long as another process
	// has the database open.
	Open func(OpenOptions) (*Database, error)
	// Restore fills a missing or empty directory with the database in a backup. It fails with
	// a [BadFile] for a file that is not a backup.
	Restore func(dir string, r io.Reader, progress func(bytes uint64)) error
	// Rescue replaces a damaged database by a new one from the records that can still be
	// read. It first calls check with the new one. If check fails, the old one stays.
	Rescue func(dir string, check func(*Database) error) (Rescued, error)
	// Progress returns the storage of a learner's progress in the lessons. The name is
	// empty for a user who gives none.
	Progress func(learner string) lesson.Storage
	// Explore runs the explorer on a database until the user leaves it.
	Explore func(context.Context, OpenOptions, app.Options) error

	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// OpenOptions says which database is opened, and how.
type OpenOptions struct {
	Dir            string
	Create         bool                                                // creates a missing database
	Memory         bool                                                // uses a new and empty database in memory
	ReadOnly       bool                                                // refuses every write
	TryWrites      bool                                                // accepts writes and keeps them in memory alone
	Wait           time.Duration                                       // for a database that another process has open
	DiscardImport  bool                                                // first removes the records of an interrupted import
	Compare        bool                                                // also asks the built-in contract what a compiled one is asked
	CallLimit      time.Duration                                       // for a call of a compiled contract; 0 means the usual one
	BeginCompiling func(file string) (ctx context.Context, end func()) // see [chain.Options]
}

// ChainOptions returns the options for opening the chain in the database. Compiled
// contracts are cached in the cache directory of XDG.
func (o OpenOptions) ChainOptions() chain.Options {
	return chain.Options{
		Discard:        o.DiscardImport,
		CacheDir:       filepath.Join(xdg.CacheHome, "ephemera", "wasm"),
		TimeLimit:      o.CallLimit,
		Compare:        o.Compare,
		BeginCompiling: o.BeginCompiling,
	}
}

// App is the state of the program while it runs one command line.
type App struct {
	Program
	Ctx       context.Context // done when the user interrupts the program
	Global    globals         // the flags that several commands have
	Started   bool            // the action has begun, so the usage was right
	KeepsJSON bool            // the answer stays JSON on a terminal, as that of the contract does
	out       *textWriter     // escapes what goes to stdout; nil before the first answer
	OutputErr error           // the first error of stdout; nil for none

	// SharedDatabase is an open database that several commands use, as in a lesson. It is nil
	// if each command opens its own.
	SharedDatabase *Database
}

// globals are the flags that several commands have.
type globals struct {
	OpenOptions OpenOptions // the database that the flags name
	OnDisk      bool        // --db was given
	Contract    string      // file of the compiled contract for a collection that the explorer creates
	JSON        bool        // answers are JSON, compact on a terminal too
	Text        bool        // answers are lines for people
	AllFlags    bool        // help lists the flags, too, that most people never need
	Explorer    app.Options
}

// Package cli is Ephemera without a screen: one command for each thing that
// the explorer can do, in the same words, JSON in and JSON out.
//
// A command's answer is one JSON value on stdout, also when the contract
// refuses: a refusal is an answer. A notion has one name in all of them, the
// contract's own where it has one (owner, spender, sender, token_id, expires);
// an address has its account's name beside it (owner_name); what there is not is
// left out, but for the contract's own answers, which are printed as it gives
// them. why, probe, matrix and history answer in
// words, and with --json as the others; run, learn and completions are for
// people and shells only. Everything else that goes wrong is one sentence on
// stderr. The exit status tells the two apart (see status.go).
// Without colours, frames and redrawing, this is also the plain line mode for
// people who use a screen reader.
//
// The package knows the chain and its messages. It must never know how a
// database is kept: main hands it the ways to open one and to start the
// explorer. The wall clock is asked for the block in which a new collection
// begins, and for what is told to people, such as the pace of an import or how
// long a learner takes; it never moves a block.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/ui/crash"
)

// Program is what the commands need from outside: main fills it in.
type Program struct {
	// Open opens a database. Its errors are shown as they are; an [*InUseError]
	// can be waited for.
	Open func(Where) (*Database, error)
	// Disk does what is done to a database that is not open.
	Disk Disk
	// Progress keeps how far the learner is in the lessons, Learner how far one
	// of several is, by name.
	Progress lesson.Keeper
	Learner  func(name string) lesson.Keeper
	// Explore runs the explorer until the person leaves it.
	Explore func(context.Context, Explorer) error

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Where names a database.
type Where struct {
	// Dir is the directory of the database; it is made where it is missing.
	Dir string
	// Memory asks for a new and empty one that is gone at the end.
	Memory bool
	// ReadOnly refuses every write.
	ReadOnly bool
	// Tries lets writes be tried in memory, over a database that takes none.
	Tries bool
	// Wait asks to wait for a database that another process has.
	Wait bool
	// Discard first removes what an interrupted import has left.
	Discard bool
	// Compare has the built-in contract answer all that a compiled one does.
	Compare bool
	// CallLimit is how long a call of a compiled contract may take; 0 is the
	// usual limit.
	CallLimit time.Duration
}

// Database is an open database: the chain in it, and what only its keeper can
// tell or do.
type Database struct {
	*chain.Chain
	// Store tells how it is kept; nil for one in memory.
	Store func() (Store, error)
	// Discard removes what a failed import has left, and nothing else.
	Discard func() error
	// Maintenance does what is done to a database as a whole.
	Maintenance Maintenance
}

// Store is how a database is kept on the disk.
type Store struct {
	Dir      string // told as the directory of the database
	ReadOnly bool   `wire:"readonly"`
	Schema   uint64 `wire:"schema"`
	// Badger is the version of the module; empty where the build has none.
	Badger string `wire:"badger"`
	// Disk, Tables and Log are bytes: all of it, and of its parts.
	Disk   uint64 `wire:"disk_bytes"`
	Tables uint64 `wire:"table_bytes"`
	Log    uint64 `wire:"log_bytes"`
}

// Explorer is what a person asked of the explorer.
type Explorer struct {
	// Demo asks for the made-up collection in memory.
	Demo  bool
	Where Where
	// Theme is a name of themes.Names, or auto.
	Theme                      string
	NoColor, NoMouse, NoMotion bool
	// Module is the compiled contract that a new collection runs; nil for the
	// built-in one.
	Module *chain.Module
}

// app is one run of the program.
type app struct {
	Program
	ctx     context.Context
	global  globals
	started bool        // a command's own work has begun: its usage was right
	out     *textWriter // in front of stdout
	unsaid  error       // why stdout did not take an answer

	// held is a database that stays open over several commands, as in a
	// lesson; nil where each command opens its own.
	held *Database
}

// Run does what the arguments ask for, the program's name left out, and gives
// the exit status. An interruption (SIGINT, SIGTERM, SIGQUIT) ends a command between
// two transactions, and one that does not come to its end, because it waits for a
// pipe or for a terminal that takes nothing, some seconds later; a second one ends it at once. A terminal that goes away
// (SIGHUP) ends it too, however often that is said, unless it was started to
// outlive its terminal.
func (p Program) Run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	defer stop()
	defer context.AfterFunc(ctx, func() {
		stop()
		time.AfterFunc(stuckAfter, func() { os.Exit(interrupted) }) // what was committed is on the disk
	})()
	if !signal.Ignored(syscall.SIGHUP) {
		var end func()
		ctx, end = signal.NotifyContext(ctx, syscall.SIGHUP)
		defer end()
	}
	a := &app{Program: p}
	return a.report(a.run(ctx, args))
}

// stuckAfter is how long an interrupted command may take to end: longer than any
// transaction, and than to remove what an import has left.
const stuckAfter = 4 * time.Second

func (a *app) run(ctx context.Context, args []string) (err error) {
	a.ctx = ctx
	defer func() {
		if r := recover(); r != nil {
			err = crash.Caught("running a command", r)
		}
	}()
	root := a.root()
	root.SetArgs(args)
	err = root.ExecuteContext(ctx)
	switch {
	case a.unsaid == nil:
	case errors.Is(err, a.unsaid):
		return a.unsaid // once, however many writes have met it
	default:
		return errors.Join(err, a.unsaid)
	}
	if err != nil && !a.started && !errors.As(err, new(*usageError)) {
		err = &usageError{err.Error()} // cobra's own, about the arguments
	}
	return err
}

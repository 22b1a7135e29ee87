package command

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// Execute runs the command of root that words name. An error before its action has begun is
// about how the program was called, so it becomes a [*UsageError].
func (a *App) Execute(root *cobra.Command, words []string) error {
	root.SetArgs(words)
	root.SetIn(a.Stdin)
	root.SetOut(a.Answers())
	root.SetErr(a.Stderr)
	err := root.Execute()
	if err == nil || a.Started || IsError[*UsageError](err) {
		return err
	}
	return &UsageError{Text: err.Error(), Err: err} // of cobra
}

// commandFunc is what cobra calls to run a command.
type commandFunc func(cmd *cobra.Command, args []string) error

// Action returns the function that cobra calls for a command, and that calls run with the
// arguments. Errors before that are about how the command was called; see [App.Execute].
func (a *App) Action(run func(args []string) error) commandFunc {
	return func(cmd *cobra.Command, args []string) error {
		if err := requireTextInFlags(cmd); err != nil {
			return err
		}
		a.Started = true
		return run(args)
	}
}

// WithDatabase is [App.WithCollection] as the action of a command.
func (a *App) WithDatabase(fn func(db *Database, args []string) error) commandFunc {
	return a.Action(func(args []string) error {
		return a.WithCollection(func(db *Database) error { return fn(db, args) })
	})
}

// WithView is [App.WithDatabase] for a command that only reads the latest state.
func (a *App) WithView(fn func(view *chain.View, args []string) error) commandFunc {
	return a.WithDatabase(func(db *Database, args []string) error {
		return db.View(func(view *chain.View) error { return fn(view, args) })
	})
}

// WithCollection calls fn with the database of the global flags, and closes it afterwards.
// It fails with [chain.ErrNoCollection] if there is no database, or no collection in it.
func (a *App) WithCollection(fn func(*Database) error) error {
	err := a.UseDatabase(a.Global.OpenOptions, func(db *Database) error {
		if _, ok := db.Config(); !ok {
			return chain.ErrNoCollection
		}
		return fn(db)
	})
	if IsError[NoDatabase](err) {
		return chain.ErrNoCollection
	}
	return err
}

// UseDatabase opens a database, calls fn with it, and closes it afterwards, even if fn
// panics. It waits for another process as long as openOptions.Wait allows. If a.SharedDatabase
// is set, it calls fn with that database instead and leaves it open.
func (a *App) UseDatabase(openOptions OpenOptions, fn func(*Database) error) (err error) {
	if a.SharedDatabase != nil {
		return fn(a.SharedDatabase)
	}
	openOptions.BeginCompiling = a.announceCompilation
	db, err := RetryWhileLocked(a.Ctx, openOptions.Wait, func() (*Database, error) {
		return a.Open(openOptions)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return fn(db)
}

// OptionsToFill returns how to open the database of the global flags to fill it. A missing
// database is created, and the records of an interrupted import are removed.
func (a *App) OptionsToFill() OpenOptions {
	openOptions := a.Global.OpenOptions
	openOptions.Create = true
	openOptions.DiscardImport = !openOptions.ReadOnly
	return openOptions
}

// OpenInMemory opens an empty chain in memory, such as that of a lesson. Global flags apply to
// it, such as the limit for calls of a compiled contract.
func (a *App) OpenInMemory() (*chain.Chain, error) {
	openOptions := a.Global.OpenOptions
	openOptions.Memory = true
	openOptions.BeginCompiling = a.announceCompilation
	db, err := a.Open(openOptions)
	if err != nil {
		return nil, err
	}
	return db.Chain, nil
}

// announceCompilation shows on the terminal that the contract in a file is being compiled,
// from half a second on until the caller calls end. The caller must stop the compilation when
// ctx is done, because then the user has interrupted the program.
func (a *App) announceCompilation(file string) (ctx context.Context, end func()) {
	show, clearLine := a.TerminalLine()
	lineShown := make(chan struct{}) // closed when the message is on the terminal
	timer := time.AfterFunc(time.Second/2, func() {
		show("compiling %s", widget.Safe(file))
		close(lineShown)
	})
	return a.Ctx, func() {
		if timer.Stop() { // before the message was shown
			return
		}
		<-lineShown // so that the line is not cleared before it is written
		clearLine()
	}
}

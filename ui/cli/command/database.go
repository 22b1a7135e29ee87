package command

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// WhereToFill returns the database of the global flags, for a command that fills an empty
// one. A missing database is created, and what an interrupted import has left is removed.
func (a *App) WhereToFill() Where {
	where := a.Global.Where
	where.Create = true
	where.DiscardImport = !where.ReadOnly
	return where
}

// commandFunc is what cobra calls to run a command with its arguments.
type commandFunc func(cmd *cobra.Command, args []string) error

// Action returns the action of a command, which calls run with the arguments after it has
// checked the flags and set a.Started. Errors before that are about how the command was
// called.
func (a *App) Action(run func(args []string) error) commandFunc {
	return func(cmd *cobra.Command, args []string) error {
		if err := requireTextInFlags(cmd); err != nil {
			return err
		}
		a.Started = true
		return run(args)
	}
}

// Execute runs the command below root that words name, and returns its error. An error from
// before the command has begun is about how the program was called, so it becomes a
// [*UsageError].
func (a *App) Execute(root *cobra.Command, words []string) error {
	root.SetArgs(words)
	root.SetIn(a.Stdin)
	root.SetOut(a.Answers())
	root.SetErr(a.Stderr)
	err := root.Execute()
	isFromCobra := err != nil && !a.Started && !Is[*UsageError](err)
	if isFromCobra {
		return &UsageError{Text: err.Error(), Err: err}
	}
	return err
}

// WithDatabase is [App.Action] for a function that needs a database with a collection.
func (a *App) WithDatabase(fn func(db *Database, args []string) error) commandFunc {
	return a.Action(func(args []string) error {
		return a.WithCollection(func(db *Database) error { return fn(db, args) })
	})
}

// WithView returns the function of a command that opens the database and calls fn with a
// view of its latest state, and the arguments.
func (a *App) WithView(fn func(v *chain.View, args []string) error) commandFunc {
	return a.WithDatabase(func(db *Database, args []string) error {
		return db.View(func(v *chain.View) error { return fn(v, args) })
	})
}

// WithCollection calls fn with a database that has a collection, and closes it afterwards.
// It creates none, and fails with [chain.ErrNoCollection] if there is none.
func (a *App) WithCollection(fn func(*Database) error) error {
	err := a.UseDatabase(a.Global.Where, func(db *Database) error {
		if _, ok := db.Config(); !ok {
			return chain.ErrNoCollection
		}
		return fn(db)
	})
	if Is[NoDatabase](err) {
		return chain.ErrNoCollection
	}
	return err
}

// UseDatabase calls fn with a database and closes it afterwards, also if fn panics. A
// database that stays open over several commands is used instead.
func (a *App) UseDatabase(w Where, fn func(*Database) error) (err error) {
	if a.Held != nil {
		return fn(a.Held)
	}
	w.Compiling = a.compiling
	db, err := RetryWhileLocked(a.Ctx, w.Wait, func() (*Database, error) { return a.Open(w) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return fn(db)
}

// longestModule is how many bytes are read of a file with a contract. It is more than a
// contract may have, so a longer one is refused as too long.
const longestModule = 16 << 20

// ContractFlag adds a flag for the file of a compiled contract to a command. Its name is
// --contract, except for import, where that is an address.
func ContractFlag(cmd *cobra.Command, name string, file *string, usage string) {
	cmd.Flags().StringVar(file, name, "", usage)
	_ = cmd.MarkFlagFilename(name, "wasm") // fails only for an unknown flag
}

// ContractUsage is the help of the flag that names a compiled contract.
const ContractUsage = "run the compiled contract in `FILE`, .wasm, in place of the built-in one"

// ReadModule reads a compiled contract from a file. It returns nil if the name is empty.
func ReadModule(name string) (*chain.Module, error) {
	if name == "" {
		return nil, nil
	}
	file, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	code, err := io.ReadAll(io.LimitReader(file, longestModule))
	if err != nil {
		return nil, Unreadable(name, err)
	}
	return &chain.Module{File: filepath.Base(name), Code: code}, nil
}

// WarnAboutRules prints a warning to stderr if the rules of a compiled contract are
// unknown, or differ from those in force.
func (a *App) WarnAboutRules(v *chain.View) error {
	_, isCompiled, err := v.Module()
	if err != nil || !isCompiled {
		return err
	}
	difference, err := v.RulesDifference()
	switch {
	case difference == "":
	case v.Rules == "":
		a.Errorf("warning: %s; so no permission is judged", widget.Safe(difference))
	default:
		a.Errorf("warning: %s; the rules in force are %s", widget.Safe(difference), v.Rules)
	}
	return err
}

// OpenInMemory opens an empty chain for a lesson.
func (a *App) OpenInMemory() (*chain.Chain, error) {
	where := a.Global.Where
	where.Memory = true
	where.Compiling = a.compiling
	db, err := a.Open(where)
	if err != nil {
		return nil, err
	}
	return db.Chain, nil
}

// compiling is called when a contract begins to be compiled, and end when that is over.
// From half a second on, it shows the name of the file on the terminal, until end. ctx is
// done if the user interrupts the program.
func (a *App) compiling(file string) (ctx context.Context, end func()) {
	show, clearLine := a.OnTerminal()
	isShown := make(chan struct{})
	notice := time.AfterFunc(time.Second/2, func() {
		show("compiling %s", widget.Safe(file))
		close(isShown)
	})
	end = func() {
		if notice.Stop() {
			return // the notice was not shown
		}
		<-isShown // so that the line is not cleared before it is written
		clearLine()
	}
	return a.Ctx, end
}

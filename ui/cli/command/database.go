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

// Where is what the global flags say of the database.
func (a *App) Where() Where {
	return Where{
		Dir: a.Global.DB, Memory: a.Global.Memory, ReadOnly: a.Global.ReadOnly, Wait: time.Duration(a.Global.Wait),
		Compare: a.Global.Compare, CallLimit: a.Global.CallLimit,
	}
}

// WhereToFill is [App.Where] for a command that fills an empty database: one that
// is not there is made, and what an interrupted import has left is removed.
func (a *App) WhereToFill() Where {
	where := a.Where()
	where.Create = true
	where.DiscardImport = !where.ReadOnly
	return where
}

// commandFunc is what a command does with its arguments.
type commandFunc func(cmd *cobra.Command, args []string) error

// Action makes a command's work of a function. What fails before it is about
// how the command was called.
func (a *App) Action(fn commandFunc) commandFunc {
	return func(cmd *cobra.Command, args []string) error {
		if err := requireTextInFlags(cmd); err != nil {
			return err
		}
		a.Started = true
		return fn(cmd, args)
	}
}

// WithDatabase is begins for work on a database that is there.
func (a *App) WithDatabase(fn func(db *Database, args []string) error) commandFunc {
	return a.Action(func(_ *cobra.Command, args []string) error {
		return a.WithCollection(func(db *Database) error { return fn(db, args) })
	})
}

// WithView is InDatabase for work that only reads.
func (a *App) WithView(fn func(v *chain.View, args []string) error) commandFunc {
	return a.WithDatabase(func(db *Database, args []string) error {
		return db.View(func(v *chain.View) error { return fn(v, args) })
	})
}

// WithCollection opens a database that holds a collection. It makes none: a question
// about nothing should leave nothing behind.
func (a *App) WithCollection(fn func(*Database) error) error {
	err := a.UseDatabase(a.Where(), func(db *Database) error {
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

// UseDatabase opens a database for fn and closes it after, also when fn panics.
func (a *App) UseDatabase(w Where, fn func(*Database) error) (err error) {
	if a.Held != nil {
		return fn(a.Held)
	}
	w.Compiling = a.compiling
	var db *Database
	err = RetryWhileLocked(a.Ctx, w.Wait, func() (err error) { db, err = a.Open(w); return err })
	if err != nil {
		return err
	}
	defer func() {
		if closing := db.Close(); closing != nil {
			err = errors.Join(err, closing)
		}
	}()
	return fn(db)
}

// longestModule is the most that is read of a file with a contract, in bytes:
// more than any is, and what is longer is told to be too long.
const longestModule = 16 << 20

// ContractFlag adds a flag for the file of a compiled contract to a command:
// --contract, but for import, where that is an address.
func ContractFlag(cmd *cobra.Command, name string, file *string, usage string) {
	cmd.Flags().StringVar(file, name, "", usage)
	_ = cmd.MarkFlagFilename(name, "wasm") // fails only for a flag that is not there
}

// ContractUsage is the help of the flag that names a compiled contract.
const ContractUsage = "run the compiled contract in `FILE`, .wasm, in place of the built-in one"

// ReadModule reads a compiled contract; without a name there is none.
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

// WarnAboutRules says on stderr where the rules of a compiled contract are not known, or
// not wholly those in force.
func (a *App) WarnAboutRules(db *Database) error {
	return db.View(func(v *chain.View) error {
		_, isCompiled, err := v.Module()
		if err != nil || !isCompiled {
			return err
		}
		difference, err := v.RulesDifference()
		if difference != "" {
			a.Errorf("warning: %s; the rules in force are %s", widget.Safe(difference), v.Rules)
		}
		return err
	})
}

// OpenInMemory opens an empty chain for a lesson.
func (a *App) OpenInMemory() (*chain.Chain, error) {
	db, err := a.Open(Where{Memory: true, Compare: a.Global.Compare, CallLimit: a.Global.CallLimit, Compiling: a.compiling})
	if err != nil {
		return nil, err
	}
	return db.Chain, nil
}

// compiling lets the person interrupt the compiler, and says that it is at work
// once they have waited for half a second.
func (a *App) compiling(file string) (ctx context.Context, end func()) {
	show, clear := a.OnTerminal()
	shown := make(chan struct{})
	notice := time.AfterFunc(time.Second/2, func() {
		show("compiling %s", widget.Safe(file))
		close(shown)
	})
	return a.Ctx, func() {
		if !notice.Stop() {
			<-shown
			clear()
		}
	}
}

package command

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// longestModule is the most that is read of a file with a contract, in bytes:
// more than any is, and what is longer is told to be too long.
const longestModule = 16 << 20

// ContractFlag adds a flag for the file of a compiled contract to a command:
// --contract, but for import, where that is an address.
func ContractFlag(cmd *cobra.Command, name string, file *string, usage string) {
	cmd.Flags().StringVar(file, name, "", usage)
	_ = cmd.MarkFlagFilename(name, "wasm") // fails only for a flag that is not there
}

// RunsContract is the help of the flag that names a compiled contract.
const RunsContract = "run the compiled contract in `FILE`, .wasm, in place of the built-in one"

// ModuleIn reads a compiled contract; without a name there is none.
func ModuleIn(name string) (*chain.Module, error) {
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

// WarnOfRules says on stderr where the rules of a compiled contract are not known, or
// not wholly those in force.
func (a *App) WarnOfRules(db *Database) error {
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

// InMemory opens an empty chain for a lesson.
func (a *App) InMemory() (*chain.Chain, error) {
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

package storage

import (
	"cmp"
	"context"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/dump"
	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

func exportCommand(app *command.App) *cobra.Command {
	var includesClock, force bool
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Export the contract's storage as a chain's dump",
		Long: `Writes the contract's storage, {"models":[{"key":HEX,"value":BASE64},...]}, to
stdout or to a file that only its owner may read. Before it writes anything, it
reads every file of the database against its checksums and compares the number
of tokens with the one that the contract counts. With --with-clock, a member
"ephemera" that chains ignore holds the clock, the rules and the names of
accounts, and import takes them from it.`,
		Example: `  ephemera export state.json
  ephemera export | head -c 300`,
		Args: command.ArgCount(0, 1, "at most one FILE"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			fileName := "-" // stdout
			if len(args) > 0 {
				fileName = args[0]
			}
			return app.FileOrStdout(fileName, force, func(w io.Writer) error {
				return db.View(func(view *chain.View) error {
					return Export(app.Ctx, db, view, w, includesClock)
				})
			})
		}),
	}

	cmd.Flags().BoolVar(&includesClock, "with-clock", false, "add the clock, the rules and flavour, and the names of accounts")
	command.AddForceFlag(cmd, &force)
	return cmd
}

// Export writes the contract's storage in a view of db to w, and if includesClock is set the
// clock, the rules and the accounts. It stops with an error when ctx is done. It fails before
// it writes anything if a file of the database is damaged, or if the number of tokens differs
// from the one that the contract stores.
func Export(
	ctx context.Context,
	db *command.Database,
	view *chain.View,
	w io.Writer,
	includesClock bool,
) error {
	if err := db.Verify(); err != nil {
		return err
	}
	if err := view.CheckTokenCount(); err != nil {
		return err
	}

	records := stopOnCancel(ctx, view.Records())
	if !includesClock {
		return dump.Write(w, nil, records)
	}

	// The note is a member of the dump for what the contract's storage does not contain.
	accounts, err := view.Accounts()
	if err != nil {
		return err
	}
	var noted *chain.StoredModule
	module, isCompiled, err := view.Module()
	if err != nil {
		return err
	}
	if isCompiled {
		noted = &module
	}
	note := wire.Encode(command.Note{
		Module:   noted,
		Clock:    view.Clock,
		Rules:    view.Rules,
		Flavour:  view.Flavour,
		Prefix:   view.Prefix,
		Contract: view.Self,
		Accounts: accounts,
	})
	return dump.Write(w, note, records)
}

// stopOnCancel returns the items of seq. When ctx is done, it yields the error of ctx and ends.
func stopOnCancel[T any](ctx context.Context, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range seq {
			err = cmp.Or(err, ctx.Err())
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

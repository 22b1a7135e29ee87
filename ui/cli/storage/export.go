package storage

import (
	"context"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/dump"
	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

func exportCommand(a *command.App) *cobra.Command {
	var withClock, force bool
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the contract's storage as a chain prints it",
		Long: `Writes the contract's storage, {"models":[{"key":HEX,"value":BASE64},...]}, to
stdout or to a file that only its owner may read. Before it writes anything, it
reads every file of the database against its checksums and compares the number
of tokens with the one that the contract counts. With --with-clock, a member
"ephemera" that chains ignore holds the clock, the rules and the names of
accounts, and import takes them from it.`,
		Example: `  ephemera export state.json
  ephemera export | head -c 300`,
		Args: command.ArgCount(0, 1, "at most one FILE"),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			if len(args) == 0 {
				args = []string{"-"}
			}
			return a.FileOrStdout(args[0], force, func(w io.Writer) error {
				if err := db.Verify(); err != nil {
					return err
				}
				return db.View(func(v *chain.View) error { return Export(a.Ctx, v, w, withClock) })
			})
		}),
	}
	cmd.Flags().BoolVar(&withClock, "with-clock", false, "add the clock, the rules and flavour, and the names of accounts")
	command.ForceFlag(cmd, &force)
	return cmd
}

// Export writes the contract's storage until ctx is over. It writes nothing if the
// number of tokens differs from the one that the contract stores.
func Export(ctx context.Context, v *chain.View, w io.Writer, withClock bool) error {
	if err := v.CheckTokenCount(); err != nil {
		return err
	}
	var note []byte
	if withClock {
		accounts, err := v.Accounts()
		if err != nil {
			return err
		}
		note = wire.Encode(command.Note{Clock: v.Clock, Rules: v.Rules, Flavour: v.Flavour, Prefix: v.Prefix, Contract: v.Self, Accounts: accounts})
	}
	return dump.Write(w, note, untilStopped(ctx, v.Records()))
}

// untilStopped walks what seq walks, and ends with the context's error once it
// is over.
func untilStopped[T any](ctx context.Context, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range seq {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

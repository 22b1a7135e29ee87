package cli

import (
	"bufio"
	"context"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/wire"
)

// note is what an export adds of what is not the contract's own: where the clock
// stands, and who is who.
type note struct {
	Clock    chain.Clock     `wire:"clock"`
	Prefix   string          `wire:"prefix"`
	Contract cw721.Address   `wire:"contract"` // its own address
	Accounts []chain.Account `wire:"accounts"`
}

func noteOf(v *chain.View) ([]byte, error) {
	accounts, err := v.Accounts()
	return wire.Encode(note{v.Clock, v.Prefix, v.Self, accounts}), err
}

func (a *app) exportCommand() *cobra.Command {
	var withClock bool
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the contract's storage as a chain prints it",
		Long: `Writes the contract's storage, {"models":[{"key":HEX,"value":BASE64},...]}, to
stdout or to a file. The file is replaced as a whole once all of it is written,
and only its owner may read it. With --with-clock, a member "ephemera" that
chains ignore holds the clock and the names of accounts, and import takes both
from it.`,
		Example: `  ephemera export state.json
  ephemera export | head -c 300`,
		Args: wants(0, 1, "at most one FILE"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			return a.onCollection(func(db *Database) error {
				return db.View(func(v *chain.View) (err error) {
					var note []byte
					if withClock {
						if note, err = noteOf(v); err != nil {
							return err
						}
					}
					all := func(w io.Writer) error {
						return dump.Write(w, note, untilStopped(cmd.Context(), v.Records()))
					}
					if len(args) == 0 {
						args = []string{"-"}
					}
					return a.fileOrStdout(args[0], all)
				})
			})
		}),
	}
	cmd.Flags().BoolVar(&withClock, "with-clock", false, "add where the clock stands, and the names of accounts")
	return cmd
}

// fileOrStdout is toFile, and - is stdout.
func (a *app) fileOrStdout(name string, write func(io.Writer) error) error {
	if name == "-" {
		return a.write(func(w *bufio.Writer) error { return write(w) })
	}
	return toFile(name, write)
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

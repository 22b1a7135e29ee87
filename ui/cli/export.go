package cli

import (
	"bufio"
	"context"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/dump"
)

func (a *app) exportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the contract's storage as a chain prints it",
		Long: `Writes the contract's storage, {"models":[{"key":HEX,"value":BASE64},...]}, to
stdout or to a file. The file is replaced as a whole once all of it is written,
and only its owner may read it.`,
		Example: `  ephemera export state.json
  ephemera export | head -c 300`,
		Args: wants(0, 1, "at most one FILE"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			return a.onCollection(func(db *Database) error {
				return db.View(func(v *chain.View) error {
					all := func(w io.Writer) error {
						return dump.Write(w, untilStopped(cmd.Context(), v.Records()))
					}
					if len(args) == 1 && args[0] != "-" {
						return toFile(args[0], all)
					}
					return a.write(func(w *bufio.Writer) error { return all(w) })
				})
			})
		}),
	}
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

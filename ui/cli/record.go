package cli

import (
	"io"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/scenario"
)

func (a *app) recordCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "record FILE",
		Short: "Write what happened as a scenario that plays the same",
		Long: `Writes what happened, from the beginning to where the history stands, as a
scenario: every message with its block, its sender and its answer. What was
undone is not in it. The end of the name says how: .yaml, .jsonl or .jsonl.gz.`,
		Example: `  ephemera record story.yaml && ephemera run story.yaml`,
		Args:    wants(1, 1, "one FILE"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			format, err := scenario.FormatOf(args[0])
			if err != nil {
				return err
			}
			return a.onCollection(func(db *Database) error {
				return db.View(func(v *chain.View) error {
					header, steps, err := scenario.Record(v)
					if err != nil {
						return err
					}
					return toFile(args[0], forAll, func(w io.Writer) error {
						return scenario.Write(w, format, header, untilStopped(cmd.Context(), steps))
					})
				})
			})
		}),
	}
}

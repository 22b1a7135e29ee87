package scenarios

import (
	"github.com/spf13/cobra"

	"ephemera/core/scenario"
	"ephemera/ui/cli/command"
)

func recordCommand(a *command.App) *cobra.Command {
	var force, full bool
	cmd := &cobra.Command{
		Use:   "record FILE",
		Short: "Write what happened as a scenario that plays the same",
		Long: `Writes what happened, from the beginning to where the history stands, as a
scenario: every message with its block, its sender and its answer. What was
undone is not in it. The end of the name says how: .yaml, .jsonl or .jsonl.gz.
Only its owner may read the file. One that is there is replaced with --force
alone, as a whole: it may have been written by hand; - is stdout, in YAML. What
an import brought is written beside it, as NAME.state.json. A message that was carried out is
expected to be; with --full its whole answer is.`,
		Example: `  ephemera record story.yaml && ephemera run story.yaml`,
		Args:    command.Wants(1, 1, "one FILE"),
		RunE: a.Begins(func(_ *cobra.Command, args []string) error {
			return a.OnCollection(func(db *command.Database) error {
				return a.Record(db, args[0], force, scenario.Part{Full: full})
			})
		}),
	}
	cmd.Flags().BoolVar(&full, "full", false, "expect whole answers")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	return cmd
}

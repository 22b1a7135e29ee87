// Package scenarios has the commands for tests. "run" plays scenario files and prints
// the outcome of each step for people, as JSON or as JUnit. "record" writes the history
// as a scenario. "schema" prints the JSON Schema of scenarios and of messages. Package
// core/scenario reads, plays and compares scenarios.
//
// Of "run", the flags are in run.go, what is printed of a step or scenario in report.go, and
// what --update, --shrink, --junit and the judging of a suite add, each in a file of its own.
package scenarios

import (
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/cli/command"
)

// Commands returns the commands of this package.
func Commands(app *command.App) []*cobra.Command {
	return []*cobra.Command{runCommand(app), recordCommand(app), schemaCommand(app)}
}

func recordCommand(app *command.App) *cobra.Command {
	var force bool
	var startAt string
	var part scenario.HistoryPart
	cmd := &cobra.Command{
		Use:   "record FILE",
		Short: "Write the history as a scenario that plays the same",
		Long: `Writes the history, from its beginning to the current node, as a scenario: every
message with its block, its sender and its answer. Undone messages are left out.
With --from it begins after POINT: the name of a snapshot, or the number of a
node. The collection at POINT, or an imported one, is written beside the
scenario, as NAME.state.json.

The end of the name chooses the format: .yaml, .jsonl or .jsonl.gz; - is stdout,
in YAML. Only its owner may read the file. An existing file may have been written
by hand, and is replaced only with --force. The scenario expects each accepted
message to be accepted; with --full it expects its whole answer. --checks adds
the owners, grants and roles at the end.`,
		Example: `  ephemera record story.yaml && ephemera run story.yaml
  ephemera record --from before-the-sale --checks sale.yaml`,
		Args: command.ArgCount(1, 1, "one FILE"),
	}
	cmd.RunE = app.WithDatabase(func(db *command.Database, args []string) (err error) {
		if startAt != "" {
			if part.StartAt, err = db.FindNode(startAt); err != nil {
				return fmt.Errorf("--from: %w", err)
			}
		}
		return app.RecordHistory(db, args[0], force, part)
	})

	flags := cmd.Flags()
	flags.StringVar(&startAt, "from", "", "begin with the collection at `POINT`, a snapshot or a node")
	flags.BoolVar(&part.AddsQueries, "checks", false, "end with queries for owners, grants and roles")
	flags.BoolVar(&part.FullAnswers, "full", false, "expect whole answers")
	command.AddForceFlag(cmd, &force)
	command.CompleteFlag(cmd, "from", app.Complete(command.PointsOfHistory))
	return cmd
}

func schemaCommand(app *command.App) *cobra.Command {
	var rules, flavour string
	cmd := &cobra.Command{
		Use:   "schema scenario|messages",
		Short: "Print the JSON Schema of scenario files or of messages",
		Long: `Prints a JSON Schema for editors: of scenario files, or of the contract's
messages in the form that cosmwasm-schema gives them, as ts-codegen reads it.`,
		Example: `  ephemera schema scenario
  ephemera schema messages --flavour base`,
		Args:      command.ArgCount(1, 1, "scenario or messages"),
		ValidArgs: []string{"scenario", "messages"},
		RunE: app.Action(func(args []string) error {
			switch args[0] {
			case "scenario":
				_, err := app.Answers().Write(scenario.Schema)
				return err
			case "messages":
				contract := cw721.Contract{Rules: cw721.Rules(rules), Flavour: cw721.Flavour(flavour)}
				if !contract.Rules.IsKnown() || !contract.Flavour.IsKnown() {
					return command.UsageErrorf(
						"--rules, --flavour: expected one of %s, and base or metadata-onchain",
						command.JoinNames(cw721.AllRules()),
					)
				}
				app.KeepsJSON = true
				return app.PrintAnswer(contract.Schema())
			}
			return command.UsageErrorf("schema: %q has no schema, expected scenario or messages", args[0])
		}),
	}
	rulesUsage := "`RULES` of the contract: " + command.JoinNames(cw721.AllRules())
	flags := cmd.Flags()
	flags.StringVar(&rules, "rules", string(cw721.RulesStandard), rulesUsage)
	flags.StringVar(&flavour, "flavour", string(cw721.FlavourOnchain), "`FLAVOUR` of token metadata: base, metadata-onchain")
	return cmd
}

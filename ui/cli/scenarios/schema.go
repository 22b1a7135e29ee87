package scenarios

import (
	"bufio"

	"github.com/spf13/cobra"

	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/cli/command"
)

func schemaCommand(a *command.App) *cobra.Command {
	var rules, flavour string
	cmd := &cobra.Command{
		Use:   "schema scenario|messages",
		Short: "Print the JSON Schema of scenario files or of messages",
		Long: `Prints a JSON Schema for editors: of scenario files, or of the contract's
messages in the form that cosmwasm-schema gives them, as ts-codegen reads it.`,
		Example: `  ephemera schema scenario
  ephemera schema messages --flavour base`,
		Args:      command.Wants(1, 1, "scenario or messages"),
		ValidArgs: []string{"scenario", "messages"},
		RunE: a.Begins(func(_ *cobra.Command, args []string) error {
			contract := cw721.Contract{Rules: cw721.Rules(rules), Flavour: cw721.Flavour(flavour)}
			switch {
			case args[0] == "scenario":
				return a.Write(func(w *bufio.Writer) error {
					_, err := w.Write(scenario.Schema)
					return err
				})
			case args[0] != "messages":
				return command.Misused("schema: %q has no schema, expected scenario or messages", args[0])
			case !contract.Rules.Known() || !contract.Flavour.Known():
				return command.Misused("--rules, --flavour: expected one of %s, and base or metadata-onchain", command.Joined(cw721.AllRules()))
			}
			return a.Print(contract.Schema())
		}),
	}
	cmd.Flags().StringVar(&rules, "rules", string(cw721.RulesStandard), "`RULES` of the contract: "+command.Joined(cw721.AllRules()))
	cmd.Flags().StringVar(&flavour, "flavour", string(cw721.FlavourOnchain), "`FLAVOUR` of token metadata: base, metadata-onchain")
	return cmd
}

package cli

import (
	"bufio"

	"github.com/spf13/cobra"

	"ephemera/core/scenario"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "schema scenario",
		Short:     "Print the JSON Schema of scenario files, for editors",
		Example:   `  ephemera schema scenario`,
		Args:      cobra.MatchAll(wants(1, 1, "scenario"), cobra.OnlyValidArgs),
		ValidArgs: []string{"scenario"},
		RunE: a.begins(func(*cobra.Command, []string) error {
			return a.write(func(w *bufio.Writer) error {
				_, err := w.Write(scenario.Schema)
				return err
			})
		}),
	}
}

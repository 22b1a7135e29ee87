package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

// unknownFlag says that a flag is none of a command's, and which was likely
// meant.
func unknownFlag(cmd *cobra.Command, name string) string {
	var names []string
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	near := wire.Nearest(strings.ToLower(name), names)
	if near != "" {
		near = "--" + near
	}
	return fmt.Sprintf("--%s is no flag of %s%s", name, cmd.CommandPath(), command.Meant(near))
}

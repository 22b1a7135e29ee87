// Package ask holds the commands that answer questions about permissions and change
// nothing: why somebody may do something, who else could, what an expiry changes,
// which grants surprise, who gained what between two states. The answers are those
// of core/explain and core/reach, in JSON and in words; no rule stands here.
package ask

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands are the commands of this package.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{whyCommand(a), whoCanCommand(a), probeCommand(a), danglingCommand(a), diffCommand(a)}
}

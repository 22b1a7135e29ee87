// Package storage holds the commands for a database as a whole: what fills an empty
// one (init, import, generate), what copies it (export, backup), and what looks
// after it (info, doctor). A database stays empty when filling it fails, and a file
// is replaced when the new one is whole. How records lie on the disk is unknown
// here: main hands in what does that, as [command.Disk] and [command.Maintenance].
package storage

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands are the commands of this package.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{
		initCommand(a), importCommand(a), generateCommand(a), exportCommand(a), backupCommand(a), infoCommand(a), doctorCommand(a),
	}
}

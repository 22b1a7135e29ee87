// Package storage holds the commands for a database as a whole. Some fill an empty one
// (init, import, generate), some copy it (export, backup), and some check it (info, doctor).
// If filling a database fails, it stays empty. A file is replaced only when the new one is
// complete. The package does not know how records lie on the disk: main passes functions for
// that as [command.Disk] and [command.Maintenance].
package storage

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands returns the commands of this package.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{
		initCommand(a),
		importCommand(a),
		generateCommand(a),
		exportCommand(a),
		backupCommand(a),
		infoCommand(a),
		doctorCommand(a),
	}
}

// Package storage holds the commands for a database as a whole. Some fill an empty one
// (init, import, generate), some copy it (export, backup), and some check it (info, doctor).
// If filling a database fails, it stays empty. A file is replaced only when the new one is
// complete. The package does not know how records lie on the disk: main passes functions for
// that in [command.Program] and [command.Database].
package storage

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands returns the commands of this package.
func Commands(app *command.App) []*cobra.Command {
	return []*cobra.Command{
		initCommand(app),
		importCommand(app),
		generateCommand(app),
		exportCommand(app),
		backupCommand(app),
		infoCommand(app),
		doctorCommand(app),
	}
}

// Package act holds the commands that act on the collection in a database and walk
// its history: messages and queries, the clock, the accounts, undo, snapshots and
// branches. What they do is one call of the chain; what they print is in package
// answer. It never searches or explains (package ask), and knows nothing of files.
package act

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands are the commands of this package.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{
		execCommand(a), queryCommand(a), migrateCommand(a), clockCommand(a), accountsCommand(a),
		historyCommand(a), undoCommand(a), redoCommand(a), snapshotCommand(a), gotoCommand(a), branchCommand(a),
	}
}

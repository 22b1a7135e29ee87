// Package act holds the commands that act on the collection in a database and walk
// through its history: messages and queries, the clock, the accounts, undo, snapshots
// and branches. Each command calls the chain once and prints its result in the JSON of
// package answer. The commands that explain permissions are in package ask, those for
// files and whole databases in package storage.
package act

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands returns the commands of this package.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{
		execCommand(a),
		queryCommand(a),
		migrateCommand(a),
		clockCommand(a),
		accountsCommand(a),
		historyCommand(a),
		undoCommand(a),
		redoCommand(a),
		snapshotCommand(a),
		gotoCommand(a),
		branchCommand(a),
	}
}

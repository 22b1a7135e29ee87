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
func Commands(app *command.App) []*cobra.Command {
	return []*cobra.Command{
		execCommand(app),
		queryCommand(app),
		migrateCommand(app),
		clockCommand(app),
		accountsCommand(app),
		historyCommand(app),
		undoCommand(app),
		redoCommand(app),
		snapshotCommand(app),
		gotoCommand(app),
		branchCommand(app),
	}
}

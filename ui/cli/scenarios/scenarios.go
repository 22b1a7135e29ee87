// Package scenarios holds the commands for tests: run plays scenario files and tells
// how each step went, for people, as JSON and as JUnit; record writes one of what
// happened; schema describes the files for editors. What a step means and whether an
// answer is as expected is for core/scenario to say.
package scenarios

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands are the commands of this package.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{runCommand(a), recordCommand(a), schemaCommand(a)}
}

// Package learn plays lessons line by line, without a screen, and tells a teacher
// what a class did in them. Tasks, goals and misconceptions are those of
// core/lesson. Inside a lesson a learner uses other commands of the program, which
// the root hands in, on a chain in memory that ends with the lesson. Progress is
// kept in files of the learner's own; nothing leaves the machine.
package learn

import (
	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

// Commands are the commands of this package; sayable gives those of which a learner
// can use some inside a lesson.
func Commands(a *command.App, sayable func(*command.App) []*cobra.Command) []*cobra.Command {
	return []*cobra.Command{learnCommand(a, sayable), classCommand(a)}
}

package learn

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
)

func learnNewCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "new FILE",
		Short: "Write a lesson to begin your own with",
		Long: `Writes a lesson with one task and comments that say what each part is for. It
can be played as it is. A file that is there already is left alone.`,
		Example: `  ephemera learn new mine.yaml`,
		Args:    command.ArgCount(1, 1, "one FILE"),
		RunE: a.Action(func(_ *cobra.Command, args []string) error {
			if _, err := os.Stat(args[0]); err == nil {
				return command.UsageErrorf("%s: is there already, expected the name of a new file", args[0])
			}
			return a.FileOrStdout(args[0], false, func(w io.Writer) error {
				_, err := io.WriteString(w, lesson.Skeleton())
				return err
			})
		}),
	}
}

func learnCheckCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Tell what is wrong with a lesson of your own, and what it teaches",
		Long: `Looks whether a file is a good lesson: its solution solves it, no task is solved
before it begins, every goal has words. It also plays the tasks on contracts
that are wrong in one rule, and says which misconceptions they show to be wrong.`,
		Example: `  ephemera learn check my-lesson.yaml`,
		Args:    command.ArgCount(1, 1, "one FILE"),
		RunE: a.Action(func(_ *cobra.Command, args []string) error {
			l, err := readLesson(a, args[0])
			if err != nil {
				return err
			}
			faults, err := l.Faults(a.OpenInMemory)
			if err != nil {
				return err
			}
			err = a.WriteText(func(w *bufio.Writer) error { return printFaults(w, l, faults) })
			return command.RefusedIf(len(faults) > 0, err)
		}),
	}
}

// printFaults prints what is wrong with a lesson, or else what it shows.
func printFaults(w *bufio.Writer, l lesson.Lesson, faults []string) error {
	for _, f := range faults {
		prose(w, f)
	}
	if len(faults) > 0 {
		return nil
	}
	prose(w, fmt.Sprintf("%s is a good lesson. Misconceptions that it shows to be wrong:", l.Title))
	shown := 0
	for _, lie := range lesson.Misconceptions() {
		tasks, err := l.Catches(lie)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			shown++
			prose(w, fmt.Sprintf("task %d: %s (that %s)", t+1, lie, lie.Belief()))
		}
	}
	if shown == 0 {
		prose(w, "none; `ephemera help teaching` lists them")
	}
	return nil
}

func readLesson(a *command.App, name string) (lesson.Lesson, error) {
	file, err := a.ScenarioInput(name)
	if err != nil {
		return lesson.Lesson{}, err
	}
	defer file.Close()
	return lesson.Read(file.Name(), file)
}

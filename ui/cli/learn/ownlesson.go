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

// learnNewCommand makes the command that writes the beginning of a user's own lesson.
func learnNewCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "new FILE",
		Short: "Write a lesson to start your own from",
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

// learnCheckCommand makes the command that checks a lesson in a file.
func learnCheckCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Check a lesson of your own, and list what it teaches",
		Long: `Looks whether a file is a good lesson: its solution solves it, no task is solved
before it begins, every goal has words, no right answer names a misconception.
It warns where a title or a story gives an answer away. It also plays the tasks on contracts
that are wrong in one rule, and says which misconceptions they show to be wrong.`,
		Example: `  ephemera learn check my-lesson.yaml`,
		Args:    command.ArgCount(1, 1, "one FILE"),
		RunE: a.Action(func(_ *cobra.Command, args []string) error {
			return checkLesson(a, args[0])
		}),
	}
}

// checkLesson prints what gives answers of the lesson in a file away, and what is wrong with
// it or else the misconceptions that it disproves. With a fault the exit status is that of a refusal.
func checkLesson(a *command.App, file string) error {
	l, err := readLesson(a, file)
	if err != nil {
		return err
	}
	faults, err := l.Faults(a.OpenInMemory)
	if err != nil {
		return err
	}
	err = a.WriteText(func(w *bufio.Writer) error {
		for _, warning := range l.Giveaways() {
			writeWrapped(w, "warning: "+warning)
		}
		if len(faults) == 0 {
			return writeDisproved(w, l)
		}
		for _, fault := range faults {
			writeWrapped(w, fault)
		}
		return nil
	})
	return command.RefusedIf(len(faults) > 0, err)
}

// writeDisproved writes which misconceptions a lesson disproves, and in which tasks.
func writeDisproved(w *bufio.Writer, l lesson.Lesson) error {
	writeWrapped(w, fmt.Sprintf("%s is a good lesson. Misconceptions that it shows to be wrong:", l.Title))
	hasAny := false
	for _, misconception := range lesson.Misconceptions() {
		tasks, err := l.Catches(misconception)
		if err != nil {
			return err
		}
		for _, task := range tasks {
			hasAny = true
			writeWrapped(w, fmt.Sprintf("task %d: %s (that %s)", task+1, misconception, misconception.Belief()))
		}
	}
	if !hasAny {
		writeWrapped(w, "none; `ephemera help teaching` lists them")
	}
	return nil
}

// readLesson reads a lesson from a scenario file, or from stdin if the name is "-".
func readLesson(a *command.App, name string) (lesson.Lesson, error) {
	file, err := a.ScenarioInput(name)
	if err != nil {
		return lesson.Lesson{}, err
	}
	defer file.Close()
	return lesson.Read(file.Name(), file)
}

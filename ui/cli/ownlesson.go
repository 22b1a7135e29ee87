package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/widget"
)

func (a *app) learnNewCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "new FILE",
		Short: "Write a lesson to begin your own with",
		Long: `Writes a lesson with one task and comments that say what each part is for. It
can be played as it is. A file that is there already is left alone.`,
		Example: `  ephemera learn new mine.yaml`,
		Args:    wants(1, 1, "one FILE"),
		RunE: a.begins(func(_ *cobra.Command, args []string) error {
			if _, err := os.Stat(args[0]); err == nil {
				return misused("%s: is there already, expected the name of a new file", args[0])
			}
			return toFile(args[0], forAll, func(w io.Writer) error {
				_, err := io.WriteString(w, lesson.Skeleton())
				return err
			})
		}),
	}
}

func (a *app) learnCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Tell what is wrong with lessons of your own, and what they teach",
		Long: `Looks whether a file is a good lesson: its solution solves it, no task is solved
before it begins, every goal has words. It also plays the tasks on contracts
that are wrong in one rule, and says which misconceptions they show to be wrong.`,
		Example: `  ephemera learn check my-lesson.yaml`,
		Args:    wants(1, -1, "one or more files"),
		RunE: a.begins(func(_ *cobra.Command, args []string) error {
			failed := false
			for _, name := range args {
				faults, err := a.checkLesson(name)
				if err != nil {
					return err
				}
				failed = failed || faults
			}
			if failed {
				return &silent{refused}
			}
			return nil
		}),
	}
}

// checkLesson tells of one file, and whether there is something wrong with it.
func (a *app) checkLesson(name string) (failed bool, err error) {
	l, err := readLesson(name)
	if err != nil {
		return false, err
	}
	faults, err := l.Faults(a.inMemory)
	if err != nil {
		return false, err
	}
	caught := []string{}
	for _, lie := range lesson.Lies() {
		if len(faults) > 0 {
			break // it need not play
		}
		tasks, err := l.Catches(lie)
		if err != nil {
			return false, err
		}
		if len(tasks) > 0 {
			caught = append(caught, fmt.Sprintf("%s (task %s)", lie, counted(tasks)))
		}
	}
	return len(faults) > 0, a.writeText(func(w *bufio.Writer) error {
		word := "ok  "
		if len(faults) > 0 {
			word = "FAIL"
		}
		fmt.Fprintf(w, "%s %s: %s, %d tasks\n", word, widget.Safe(name), widget.Safe(l.Title), len(l.Tasks)) // Flush gives its error
		for _, f := range faults {
			for _, line := range widget.SafeLines(f, linesShown) {
				fmt.Fprintf(w, "     %s\n", line)
			}
		}
		switch {
		case len(caught) > 0:
			prose(w, "     shows to be wrong: "+strings.Join(caught, ", "))
		case len(faults) == 0:
			prose(w, "     shows none of the misconceptions to be wrong; `help teaching` lists them")
		}
		return nil
	})
}

// counted writes numbers of tasks, from 1.
func counted(tasks []int) string {
	var all []string
	for _, t := range tasks {
		all = append(all, fmt.Sprint(t+1))
	}
	return strings.Join(all, ", ")
}

func readLesson(name string) (lesson.Lesson, error) {
	file, err := os.Open(name)
	if err != nil {
		return lesson.Lesson{}, unreadable(name, err)
	}
	defer file.Close()
	return lesson.Read(name, file)
}

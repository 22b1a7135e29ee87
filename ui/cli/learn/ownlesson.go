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

func learnNewCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "new FILE",
		Short: "Write a lesson to start your own from",
		Long: `Writes a lesson with one task, and comments that explain each part. It can be
played as it is. An existing file is not replaced.`,
		Example: `  ephemera learn new mine.yaml`,
		Args:    command.ArgCount(1, 1, "one FILE"),
		RunE: app.Action(func(args []string) error {
			if _, err := os.Stat(args[0]); err == nil {
				return command.UsageErrorf("%s: exists already, expected the name of a new file", args[0])
			}
			return app.FileOrStdout(args[0], false, func(w io.Writer) error {
				_, err := io.WriteString(w, lesson.Skeleton())
				return err
			})
		}),
	}
}

func learnCheckCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Check a lesson of your own, and list what it teaches",
		Long: `Checks that a lesson is sound: its solution solves it, no task is solved before
it begins, every goal has words, no right answer names a misconception. It warns
if a title or a story gives an answer away. It also plays the tasks on contracts
that are wrong in one rule, and lists the misconceptions that they disprove.`,
		Example: `  ephemera learn check my-lesson.yaml`,
		Args:    command.ArgCount(1, 1, "one FILE"),
		RunE: app.Action(func(args []string) error {
			return checkLesson(app, args[0])
		}),
	}
}

// checkup is what "learn check" finds in a lesson, in JSON.
type checkup struct {
	Title     string     `wire:"title"`
	Faults    []string   `wire:"faults"`    // sentences, why the lesson cannot be used as it is
	Warnings  []string   `wire:"warnings"`  // sentences, of places that may give an answer away
	Disproved []disproof `wire:"disproved"` // empty for a lesson with faults
}

// disproof is a misconception that a task shows to be wrong.
type disproof struct {
	Task          uint64               `wire:"task"` // from 1
	Misconception lesson.Misconception `wire:"misconception"`
	Belief        string               `wire:"belief"` // the misconception as a sentence
}

// checkLesson prints what is wrong with the lesson in a file, and if nothing is, which
// misconceptions it disproves. It refuses a lesson with faults.
func checkLesson(app *command.App, fileName string) error {
	checkedLesson, err := readLesson(app, fileName)
	if err != nil {
		return err
	}

	findings := checkup{Title: checkedLesson.Title, Warnings: checkedLesson.Giveaways()}
	findings.Faults, err = checkedLesson.Faults(app.OpenInMemory)
	if err != nil {
		return err
	}
	hasFaults := len(findings.Faults) > 0
	if !hasFaults {
		findings.Disproved, err = disproofsOf(checkedLesson)
	}
	if err != nil {
		return err
	}

	err = app.AnswerOr(findings, findings.write)
	return command.RefusedIf(hasFaults, err)
}

// disproofsOf returns the misconceptions that a lesson disproves, once for each task that does.
func disproofsOf(checkedLesson lesson.Lesson) ([]disproof, error) {
	var disproofs []disproof
	for _, misconception := range checkedLesson.Misconceptions() {
		taskIndexes, err := checkedLesson.TasksAgainst(misconception)
		if err != nil {
			return nil, err
		}
		for _, taskIndex := range taskIndexes {
			disproofs = append(disproofs, disproof{
				Task:          uint64(taskIndex) + 1,
				Misconception: misconception,
				Belief:        checkedLesson.Belief(misconception),
			})
		}
	}
	return disproofs, nil
}

func (c checkup) write(w *bufio.Writer) {
	for _, warning := range c.Warnings {
		writeWrapped(w, "warning: "+warning)
	}
	for _, fault := range c.Faults {
		writeWrapped(w, fault)
	}
	if len(c.Faults) > 0 {
		return
	}
	writeWrapped(w, fmt.Sprintf("%s is a good lesson. Misconceptions that it shows to be wrong:", c.Title))
	for _, disproved := range c.Disproved {
		text := fmt.Sprintf("task %d: %s (that %s)", disproved.Task, disproved.Misconception, disproved.Belief)
		writeWrapped(w, text)
	}
	if len(c.Disproved) == 0 {
		writeWrapped(w, "none; `ephemera help teaching` lists them")
	}
}

// readLesson reads a lesson from a scenario file, or from stdin if the name is "-".
func readLesson(app *command.App, fileName string) (lesson.Lesson, error) {
	file, err := app.ScenarioInput(fileName)
	if err != nil {
		return lesson.Lesson{}, err
	}
	defer file.Close()
	return lesson.Read(file.Name(), file)
}

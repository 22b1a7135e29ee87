// Package learn has the commands for lessons: "learn" plays a lesson line by line, and
// "class" reports what the learners of a class did. Tasks, goals and misconceptions are
// those of core/lesson. Inside a lesson a learner uses some of the program's other
// commands, which package cli passes in, on a chain in memory that ends with the lesson.
// Progress is stored in the learner's own files, and nothing is sent anywhere.
//
// What a learner can type is in line.go, what is said in say.go, and which commands a lesson
// allows in command.go.
package learn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// Commands returns the commands "learn" and "class". makeCommands makes the commands of the
// whole program. Some of them can be used inside a lesson.
func Commands(app *command.App, makeCommands func(*command.App) []*cobra.Command) []*cobra.Command {
	return []*cobra.Command{learnCommand(app, makeCommands), classCommand(app)}
}

// lessonHelp lists what a learner can type inside a lesson.
const lessonHelp = `  a number              to answer a question
  exec --as WHO MSG     to send a message; MSG needs no quotes
  query MSG             to ask; clock, why, probe, undo, redo as usual
  hint                  for a hint, and again for a clearer one
  task, restart         to repeat the task, or to begin it again
  name, name NUMBER     to list the rules that can be wrong, and to name one, in
                        "find the mistake"
  help, quit            for this list, or to end; the lesson goes on next time`

func learnCommand(app *command.App, makeCommands func(*command.App) []*cobra.Command) *cobra.Command {
	var startsOver, repeatsWrong bool
	c := &course{makeCommands: makeCommands}
	cmd := &cobra.Command{
		Use:   "learn [LESSON | find [SEED]]",
		Short: "Take a lesson in plain text, or list the lessons",
		Long: `Lists the lessons, or plays one: it tells a story, asks a question, and reads
commands of this program from stdin, one a line. After each it says which goals
are reached. Nothing is coloured or redrawn, which suits screen readers and slow
lines. A lesson has a collection of its own in memory; yours is not touched.

A challenge has a goal and no steps; learn challenges lists them. A message that
is undone does not count.

learn find plays "find the mistake": the contract is wrong in one rule, and you
play until an answer betrays it, then name the rule. SEED is a number from 1;
without it the next one is played.

LESSON is a number, a name from the list, or a scenario file of your own. Files
in ephemera/lessons in the XDG configuration directory are in the list, too.

Progress is saved after every line, separately for each --learner. With --result
it is also written to a file for the teacher; see help teaching.

In a lesson, type
` + lessonHelp,
		Example: `  ephemera learn
  ephemera learn 1
  ephemera learn 1 --learner ana --result ana.json
  ephemera learn 1 --wrong
  ephemera learn challenges
  ephemera learn find 7
  ephemera learn my-lesson.yaml`,
		Args: command.ArgCount(0, 2, "at most one LESSON, or find and a SEED"),
		RunE: app.Action(func(args []string) error {
			return c.listOrPlay(app, args, startsOver, repeatsWrong)
		}),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			lessons, _ := LoadLessons(app.Global.Explorer.LessonDir) // a shell cannot show an error
			var ids []string
			for _, offered := range lessons {
				ids = append(ids, offered.ID)
			}
			return ids, cobra.ShellCompDirectiveDefault
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&startsOver, "again", false, "play the lesson from its beginning")
	flags.BoolVar(&repeatsWrong, "wrong", false, "play only the tasks again whose question was answered wrongly")
	flags.StringVar(&c.resultFile, "result", "", "write what the learner did to `FILE`")
	cmd.MarkFlagsMutuallyExclusive("again", "wrong")
	AddFlags(cmd, &app.Global.Explorer)
	cmd.AddCommand(learnNewCommand(app), learnCheckCommand(app))
	return cmd
}

// listOrPlay lists all lessons without arguments, and the challenges for the argument
// "challenges". For other arguments it plays the lesson that they name, from its first task if
// startsOver is set and otherwise from the learner's next one, or with repeatsWrong only the
// tasks whose question was answered wrongly.
func (c *course) listOrPlay(app *command.App, args []string, startsOver, repeatsWrong bool) error {
	if err := c.load(app); err != nil {
		return err
	}

	// Without the name of a lesson, list the lessons.
	switch {
	case len(args) == 0:
		// Write the result first, if --result names a file.
		err := c.writeResult()
		if errors.Is(err, lesson.ErrNothingDone) {
			return command.UsageErrorf("--result: %v", err)
		}
		if err != nil {
			return err
		}
		return c.printLessons(app, func(lesson.Lesson) bool { return true })
	case args[0] == "challenges":
		return c.printLessons(app, lesson.Lesson.IsChallenge)
	case app.Global.JSON:
		return command.UsageErrorf("--json: expected without LESSON, as a lesson is played in words")
	}

	// Play the lesson. The flags say which of its tasks.
	chosenLesson, err := c.chooseLesson(app, args)
	if err != nil {
		return err
	}
	switch {
	case repeatsWrong:
		return repeatWrong(app, c, chosenLesson)
	case startsOver:
		return playLesson(app, c, chosenLesson, 0)
	}
	return playLesson(app, c, chosenLesson, c.progress.NextTask(chosenLesson))
}

// listedLesson is a lesson in the JSON list of lessons.
type listedLesson struct {
	Number   uint64 `wire:"number"` // the place in the list of all lessons, from 1
	ID       string `wire:"id"`
	Title    string `wire:"title"`
	About    string `wire:"about"`
	Progress string `wire:"progress"` // such as "task 2 of 4 is next"
}

func (c *course) printLessons(app *command.App, isWanted func(lesson.Lesson) bool) error {
	list := []listedLesson{} // not nil, as an empty list is [] in JSON
	for i, candidate := range c.lessons {
		if !isWanted(candidate) {
			continue
		}
		list = append(list, listedLesson{
			Number:   uint64(i) + 1,
			ID:       candidate.ID,
			Title:    candidate.Title,
			About:    candidate.About,
			Progress: c.progress[candidate.ID].Describe(len(candidate.Tasks)),
		})
	}

	return app.AnswerOr(list, func(w *bufio.Writer) {
		for _, listed := range list {
			fmt.Fprintf(
				w,
				"%d. %s (%s, %s). %s\n",
				listed.Number,
				listed.Title,
				listed.ID,
				listed.Progress,
				listed.About,
			)
		}
		fmt.Fprintln(w, "`ephemera learn 1` plays the first.")
	})
}

// chooseLesson returns the lesson that the arguments name: by its number or name in the
// list, by its file, or, with "find", by the seed of a game of "find the mistake". It adds a
// lesson that is not in the list, so that the result for the teacher includes it.
func (c *course) chooseLesson(app *command.App, args []string) (lesson.Lesson, error) {
	lessonArg := args[0] // a number from the list, an ID, or the name of a file
	switch {
	case lessonArg == "find" && len(args) == 1:
		return c.progress.NextGame(c.lessons), nil
	case lessonArg == "find":
		seed, err := strconv.ParseUint(args[1], 10, 64)
		if err != nil || seed == 0 {
			return lesson.Lesson{}, command.UsageErrorf("SEED: expected a number from 1, got %q", args[1])
		}
		game, err := lesson.Game(seed)
		if err != nil {
			return lesson.Lesson{}, err
		}
		c.addLesson(game)
		return game, nil
	case len(args) > 1:
		return lesson.Lesson{}, command.UsageErrorf(
			"expected at most one LESSON, or find and a SEED, got %q as well",
			args[1],
		)
	}

	number, err := strconv.Atoi(lessonArg)
	if err == nil && number >= 1 && number <= len(c.lessons) {
		return c.lessons[number-1], nil
	}
	if i := c.indexOfLesson(lessonArg); i >= 0 {
		return c.lessons[i], nil
	}
	if !strings.Contains(lessonArg, ".") {
		return lesson.Lesson{}, command.UsageErrorf(
			"LESSON: %q is no lesson, expected a number from 1 to %d, a name from `ephemera learn`, or a scenario file",
			lessonArg,
			len(c.lessons),
		)
	}

	ownLesson, err := readLesson(app, lessonArg)
	if err != nil {
		return lesson.Lesson{}, err
	}
	c.addLesson(ownLesson)
	return ownLesson, nil
}

func (c *course) addLesson(newLesson lesson.Lesson) {
	if c.indexOfLesson(newLesson.ID) < 0 {
		c.lessons = append(c.lessons, newLesson)
	}
}

func (c *course) indexOfLesson(id string) int {
	return slices.IndexFunc(c.lessons, func(l lesson.Lesson) bool { return l.ID == id })
}

// textWidth is the largest width of a line of prose, in cells of the terminal.
const textWidth = 78

// writeWrapped writes a text in lines that are no wider than [textWidth]. It ignores
// errors, so w must keep its error for later, as a [bufio.Writer] does.
func writeWrapped(w io.Writer, text string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		for _, line := range widget.Wrap(widget.Safe(paragraph), textWidth) {
			fmt.Fprintln(w, line)
		}
	}
}

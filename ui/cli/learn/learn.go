// Package learn plays lessons line by line, without a screen, and tells a teacher
// what a class did in them. Tasks, goals and misconceptions are those of
// core/lesson. Inside a lesson a learner uses other commands of the program, which
// the root hands in, on a chain in memory that ends with the lesson. Progress is
// kept in files of the learner's own; nothing leaves the machine.
package learn

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

func learnCommand(a *command.App, sayable func(*command.App) []*cobra.Command) *cobra.Command {
	var afresh bool
	var course course
	cmd := &cobra.Command{
		Use:   "learn [LESSON]",
		Short: "Take a lesson in plain text, or list the lessons",
		Long: `Lists the lessons, or plays one: it tells a story, asks a question, and reads
commands from stdin, one a line, in the words of this program. After each it
says what is reached. No colours and nothing redrawn, so it suits screen readers
and slow lines. A lesson has a collection of its own in memory; yours is left
alone.

LESSON is a number, a name from the list, or a scenario file of your own. Files
in ephemera/lessons in the XDG configuration directory are in the list, too.

What is done is kept at once, for each --learner apart. With --result it is also
written to a file for the teacher; see help teaching.

In a lesson, say
  a number              to answer a question
  exec --as WHO MSG     to send a message; MSG needs no quotes
  query MSG             to ask; clock, why, probe, undo, redo as usual
  hint                  for help, and again for more
  task, restart         to hear the task again, and to begin it anew
  help, quit            to list this, and to end; the lesson goes on next time`,
		Example: `  ephemera learn
  ephemera learn 1
  ephemera learn 1 --learner ana --result ana.json
  ephemera learn my-lesson.yaml`,
		Args: command.ArgCount(0, 1, "at most one LESSON"),
		RunE: a.Action(func(cmd *cobra.Command, args []string) error {
			course.sayable = sayable
			if err := open(a, &course); err != nil {
				return err
			}
			if len(args) == 0 {
				return errors.Join(listLessons(a, course.all, course.progress), course.hand())
			}
			l, err := chooseLesson(a, course.all, args[0])
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(course.all, func(known lesson.Lesson) bool { return known.ID == l.ID }) {
				course.all = append(course.all, l) // so that the teacher is told of it
			}
			from := course.progress.NextTask(l)
			if afresh {
				from = 0
			}
			return learn(a, cmd.Context(), &course, l, from)
		}),
		ValidArgsFunction: completeLessons,
	}
	cmd.Flags().BoolVar(&afresh, "again", false, "play it from the beginning")
	cmd.Flags().StringVar(&course.learner, "learner", "", "`NAME` of the learner, whose progress is kept apart")
	cmd.Flags().StringVar(&course.result, "result", "", "write what the learner did to `FILE`")
	cmd.AddCommand(learnNewCommand(a), learnCheckCommand(a))
	return cmd
}

func completeLessons(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
	all, _ := Lessons() // a shell that completes has nowhere to say why not
	for _, l := range all {
		ids = append(ids, l.ID)
	}
	return ids, cobra.ShellCompDirectiveDefault
}

// listLessons says in one sentence each which lessons there are.
func listLessons(a *command.App, all []lesson.Lesson, p lesson.Progress) error {
	return a.WriteText(func(w *bufio.Writer) error {
		for i, l := range all {
			fmt.Fprintf(w, "%d. %s (%s, %s). %s\n", i+1, l.Title, l.ID, howFar(p, l), l.About) // Flush gives its error
		}
		_, err := fmt.Fprintf(w, "`ephemera learn 1` plays the first.\n")
		return err
	})
}

func howFar(p lesson.Progress, l lesson.Lesson) string {
	m := p[l.ID]
	switch {
	case m.Done && m.Asked > 0:
		return fmt.Sprintf("done, %d of %d predictions right", m.Right, m.Asked)
	case m.Done:
		return "done"
	case m.Tasks > 0 || len(m.First) > 0:
		return fmt.Sprintf("task %d of %d is next", min(m.Tasks+1, len(l.Tasks)), len(l.Tasks))
	}
	return fmt.Sprintf("%d tasks", len(l.Tasks))
}

// chooseLesson finds the lesson that an argument means.
func chooseLesson(a *command.App, all []lesson.Lesson, arg string) (lesson.Lesson, error) {
	if n, err := strconv.Atoi(arg); err == nil && n >= 1 && n <= len(all) {
		return all[n-1], nil
	}
	for _, l := range all {
		if l.ID == arg {
			return l, nil
		}
	}
	if !strings.Contains(arg, ".") {
		return lesson.Lesson{}, command.UsageErrorf("LESSON: %q is no lesson, expected a number from 1 to %d, a name from `ephemera learn`, or a scenario file", arg, len(all))
	}
	return readLesson(a, arg)
}

// prose writes text in lines that a terminal holds.
func prose(w *bufio.Writer, text string) {
	const width = 78
	for line := range strings.SplitSeq(text, "\n") {
		for _, l := range widget.Wrap(widget.Safe(line), width) {
			fmt.Fprintln(w, l) // Flush gives its error
		}
	}
}

var errQuit = errors.New("the learner wants to end")

// Commands are the commands of this package; sayable gives those of which a learner
// can use some inside a lesson.
func Commands(a *command.App, sayable func(*command.App) []*cobra.Command) []*cobra.Command {
	return []*cobra.Command{learnCommand(a, sayable), classCommand(a)}
}

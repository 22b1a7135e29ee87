package cli

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/widget"
)

func (a *app) classCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "class",
		Short:   "Put the results of a class side by side",
		Example: `  ephemera class report ana.json`,
		Args:    wants(0, 0, "report"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.classReportCommand())
	return cmd
}

func (a *app) classReportCommand() *cobra.Command {
	var asCSV bool
	cmd := &cobra.Command{
		Use:   "report [--csv] FILE...",
		Short: "Report what learners did, and what they believe",
		Long: `Reads the files that learn --result writes, one for each learner, and tells who
did which lesson, which questions were hard, and who believes what. There are no
names in it but those that were given, and nothing leaves this machine.`,
		Example: `  ephemera class report ana.json
  ephemera class report --csv ana.json`,
		Args: wants(1, -1, "one or more files"),
		RunE: a.begins(func(_ *cobra.Command, args []string) error {
			var results []lesson.Result
			for _, name := range args {
				raw, err := os.ReadFile(name)
				if err != nil {
					return unreadable(name, err)
				}
				r, err := lesson.DecodeResult(raw)
				if err != nil {
					return misused("%s: %v", name, err)
				}
				results = append(results, r)
			}
			if asCSV {
				return a.writeText(func(w *bufio.Writer) error { return classCSV(w, results) })
			}
			return a.writeText(func(w *bufio.Writer) error { return tellClass(w, lesson.Report(results)) })
		}),
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write one line for each learner and task, to be read by a spreadsheet")
	return cmd
}

// tellClass tells of a class for people: by lessons, by questions, by beliefs.
func tellClass(w *bufio.Writer, c lesson.Class) error {
	fmt.Fprintf(w, "Right first answers, of those given (* done): %d learners\n", len(c.Learners)) // Flush gives its error
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "learner")
	for _, l := range c.Lessons {
		fmt.Fprintf(table, "\t%s", widget.Safe(strings.SplitN(l.ID, "-", 2)[0]))
	}
	for _, r := range c.Learners {
		fmt.Fprintf(table, "\n%s", widget.Safe(r.Learner))
		for _, l := range c.Lessons {
			did, ok := r.Lesson(l.ID)
			right, of := did.Right()
			cell := "."
			if ok {
				cell = fmt.Sprintf("%d/%d", right, of)
			}
			if did.Done {
				cell += "*"
			}
			fmt.Fprintf(table, "\t%s", cell)
		}
	}
	fmt.Fprintln(table)
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nQuestions, with hints and messages sent by all\n")
	for _, t := range c.Tasks {
		prose(w, fmt.Sprintf("%d of %d right, %d hints, %d messages: %s, task %d: %s", t.Right, t.Answered, t.Hints, t.Tries, t.Lesson, t.Task, t.Question))
	}
	fmt.Fprint(w, "\nBeliefs\n")
	for _, b := range c.Beliefs {
		verb := "believe"
		if len(b.Holders) == 1 {
			verb = "believes"
		}
		line := fmt.Sprintf("%d of %d %s that %s", len(b.Holders), b.Asked, verb, b.Lie.Belief())
		if len(b.Holders) > 0 {
			line += ": " + strings.Join(b.Holders, ", ")
		}
		prose(w, line)
	}
	return nil
}

// classCSV writes one line for each learner and task.
func classCSV(w *bufio.Writer, results []lesson.Result) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"learner", "lesson", "task", "question", "given", "right", "believes", "hints", "tries", "seconds", "done"}}
	for _, r := range results {
		for _, l := range r.Lessons {
			for i, t := range l.Tasks {
				rows = append(rows, []string{
					cell(r.Learner), cell(l.ID), strconv.Itoa(i + 1), cell(t.Question), cell(t.Given), strconv.FormatBool(t.Right), string(t.Believes),
					strconv.Itoa(t.Hints), strconv.Itoa(t.Tries), strconv.FormatFloat(t.Seconds, 'f', 0, 64), strconv.FormatBool(t.Done),
				})
			}
		}
	}
	return out.WriteAll(rows)
}

// cell keeps a spreadsheet from taking a text for a formula.
func cell(text string) string {
	if text = widget.Safe(text); text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}

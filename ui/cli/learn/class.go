package learn

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

func classCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "class",
		Short:   "Put the results of a class side by side",
		Example: `  ephemera class report ana.json`,
	}
	cmd.AddCommand(classReportCommand(a))
	return cmd
}

func classReportCommand(a *command.App) *cobra.Command {
	var asCSV bool
	cmd := &cobra.Command{
		Use:   "report [--csv] FILE...",
		Short: "Report what learners did, and what they believe",
		Long: `Reads the files that learn --result writes, one for each learner, and tells who
did which lesson, which questions were hard, and who believes what. There are no
names in it but those that were given, and nothing leaves this machine.`,
		Example: `  ephemera class report ana.json
  ephemera class report --csv ana.json`,
		Args: command.ArgCount(1, -1, "one or more files"),
		RunE: a.Action(func(_ *cobra.Command, args []string) error {
			var results []lesson.Result
			for _, name := range args {
				raw, err := a.ReadFile(name)
				if err != nil {
					return err
				}
				r, err := lesson.DecodeResult(raw)
				if err != nil {
					return command.UsageErrorf("%s: %v", name, err)
				}
				results = append(results, r)
			}
			if asCSV {
				return a.WriteText(func(w *bufio.Writer) error { return classCSV(w, results) })
			}
			return a.WriteText(func(w *bufio.Writer) error { return printClass(w, results) })
		}),
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write one line for each learner and task, to be read by a spreadsheet")
	return cmd
}

// printClass prints the results of a class for people: by learners, by questions, by beliefs.
func printClass(w *bufio.Writer, results []lesson.Result) error {
	c := lesson.ReportClass(results)
	fmt.Fprintf(w, "%d learners; first answers by lesson: + right, - wrong, . none\n", len(results)) // Flush gives its error
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name string, cell func(lesson.ClassTask) string) {
		fmt.Fprint(table, widget.Safe(name)) // Flush gives its error
		for i, t := range c.Tasks {
			if i == 0 || t.Lesson != c.Tasks[i-1].Lesson {
				fmt.Fprint(table, "\t")
			}
			fmt.Fprint(table, cell(t))
		}
		fmt.Fprintln(table)
	}
	before := ""
	row("lesson", func(t lesson.ClassTask) string {
		number, _, _ := strings.Cut(t.Lesson, "-")
		if before == t.Lesson {
			return ""
		}
		before = t.Lesson
		return widget.Safe(number)
	})
	for _, r := range results {
		row(r.Learner, func(t lesson.ClassTask) string {
			switch did, _ := r.Task(t.Lesson, t.Task); {
			case did.Right:
				return "+"
			case did.Given != "":
				return "-"
			}
			return "."
		})
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nQuestions, with the hints and messages of all\n")
	for _, t := range c.Tasks {
		prose(w, fmt.Sprintf("%d of %d right, %d hints, %d messages: %s, task %d: %s", t.Right, t.Answered, t.Hints, t.Tries, t.Lesson, t.Task+1, t.Question))
	}
	fmt.Fprint(w, "\nBeliefs\n")
	for _, b := range c.Beliefs {
		verb := "believe"
		if len(b.Holders) == 1 {
			verb = "believes"
		}
		prose(w, strings.TrimSuffix(fmt.Sprintf("%d of %d %s that %s: %s", len(b.Holders), b.Asked, verb, b.Misconception.Belief(), strings.Join(b.Holders, ", ")), ": "))
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
					cell(r.Learner), cell(l.ID), strconv.Itoa(i + 1), cell(t.Question), cell(t.Given), strconv.FormatBool(t.Right), cell(string(t.Believes)),
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

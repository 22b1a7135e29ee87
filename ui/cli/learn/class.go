package learn

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// classCommand makes the command class, which groups the commands for teachers.
func classCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "class",
		Short:   "Compare the results of a class",
		Example: `  ephemera class report ana.json`,
	}
	cmd.AddCommand(classReportCommand(a))
	return cmd
}

// classReportCommand makes the command that reports the results of several learners, in
// words or as CSV.
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
			results, err := readResults(a, args)
			if err != nil {
				return err
			}
			write := writeClassReport
			if asCSV {
				write = writeClassCSV
			}
			return a.WriteText(func(w *bufio.Writer) error { return write(w, results) })
		}),
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write one line for each learner and task, to be read by a spreadsheet")
	return cmd
}

// readResults reads the files that learn --result has written. A learner who gave no name
// gets the name of the file, such as ana for ana.json.
func readResults(a *command.App, files []string) ([]lesson.Result, error) {
	var results []lesson.Result
	for _, file := range files {
		raw, err := a.ReadFile(file)
		if err != nil {
			return nil, err
		}
		result, err := lesson.DecodeResult(raw)
		if err != nil {
			return nil, command.UsageErrorf("%s: %v", file, err)
		}
		base := filepath.Base(file)
		result.Learner = cmp.Or(result.Learner, strings.TrimSuffix(base, filepath.Ext(base)))
		results = append(results, result)
	}
	return results, nil
}

// writeClassReport writes the results of a class for people: the first answers of each
// learner, the questions, and the misconceptions.
func writeClassReport(w *bufio.Writer, results []lesson.Result) error {
	class := lesson.ReportClass(results)
	fmt.Fprintf(w, "%d learners; first answers by lesson: + right, - wrong, . none\n", len(results)) // Flush returns its error
	if err := writeAnswerTable(w, class.Tasks, results); err != nil {
		return err
	}

	fmt.Fprintln(w, "\nQuestions, with the hints and messages of all")
	for _, t := range class.Tasks {
		writeWrapped(w, fmt.Sprintf("%d of %d right, %d hints, %d messages: %s, task %d: %s",
			t.Right, t.Answered, t.Hints, t.Tries, t.Lesson, t.Task+1, t.Question))
	}

	fmt.Fprintln(w, "\nBeliefs")
	for _, belief := range class.Beliefs {
		text := belief.Misconception.Belief()
		holders := strings.Join(belief.Holders, ", ")
		switch count := len(belief.Holders); count {
		case 0:
			writeWrapped(w, fmt.Sprintf("0 of %d believe that %s", belief.Asked, text))
		case 1:
			writeWrapped(w, fmt.Sprintf("1 of %d believes that %s: %s", belief.Asked, text, holders))
		default:
			writeWrapped(w, fmt.Sprintf("%d of %d believe that %s: %s", count, belief.Asked, text, holders))
		}
	}
	return nil
}

// writeAnswerTable writes a row for each learner, with a column for each lesson and a sign
// for each of its tasks. The first row has the numbers of the lessons.
func writeAnswerTable(w *bufio.Writer, tasks []lesson.ClassTask, results []lesson.Result) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	isFirstOfLesson := func(i int) bool { return i == 0 || tasks[i].Lesson != tasks[i-1].Lesson }

	fmt.Fprint(table, "lesson") // Flush returns its error
	for i, t := range tasks {
		if isFirstOfLesson(i) {
			number, _, _ := strings.Cut(t.Lesson, "-")
			fmt.Fprint(table, "\t", widget.Safe(number))
		}
	}
	fmt.Fprintln(table)

	for _, result := range results {
		fmt.Fprint(table, widget.Safe(result.Learner))
		for i, t := range tasks {
			if isFirstOfLesson(i) {
				fmt.Fprint(table, "\t")
			}
			fmt.Fprint(table, answerSign(result, t))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// answerSign returns "+" if a learner's first answer to a task was right, "-" if it was
// wrong, and "." if there was none.
func answerSign(result lesson.Result, t lesson.ClassTask) string {
	task, _ := result.Task(t.Lesson, t.Task)
	switch {
	case task.Right:
		return "+"
	case task.Given != "":
		return "-"
	}
	return "."
}

// writeClassCSV writes one line for each learner and task, below a line of titles.
func writeClassCSV(w *bufio.Writer, results []lesson.Result) error {
	rows := [][]string{{"learner", "lesson", "task", "question", "given", "right", "believes", "hints", "tries", "seconds", "done"}}
	for _, result := range results {
		for _, l := range result.Lessons {
			for i, task := range l.Tasks {
				rows = append(rows, []string{
					csvCell(result.Learner),
					csvCell(l.ID),
					strconv.Itoa(i + 1),
					csvCell(task.Question),
					csvCell(task.Given),
					strconv.FormatBool(task.Right),
					csvCell(string(task.Believes)),
					strconv.Itoa(task.Hints),
					strconv.Itoa(task.Tries),
					strconv.FormatFloat(task.Seconds, 'f', 0, 64),
					strconv.FormatBool(task.Done),
				})
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// csvCell returns a text so that a spreadsheet does not read it as a formula.
func csvCell(text string) string {
	text = widget.Safe(text)
	if strings.IndexAny(text, "=+-@") == 0 {
		return "'" + text
	}
	return text
}

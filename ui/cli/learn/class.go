package learn

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ephemera/core/human"
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
	var asCSV, asHTML bool
	cmd := &cobra.Command{
		Use:   "report [--csv | --html] FILE...",
		Short: "Report what learners did, and what they believe",
		Long: `Reads the files that learn --result writes, one for each learner, and reports who
did which lesson, which questions were hard, which wrong choices were taken, who
looked before answering, and who believes what, now or earlier. It contains no
names but those given with --learner, and nothing leaves this machine.`,
		Example: `  ephemera class report ana.json
  ephemera class report --csv ana.json
  ephemera class report --html ana.json > report.html`,
		Args: command.ArgCount(1, -1, "one or more files"),
		RunE: a.Action(func(args []string) error {
			isPage := asCSV || asHTML
			if isPage && (a.Global.JSON || a.Global.Text) {
				return command.UsageErrorf("--csv, --html, --json, --text: expected one of them")
			}
			return reportClass(a, args, asCSV, asHTML)
		}),
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write one line for each learner and task, for a spreadsheet")
	cmd.Flags().BoolVar(&asHTML, "html", false, "write one page to read in a browser and to print; it loads nothing")
	cmd.MarkFlagsMutuallyExclusive("csv", "html")
	return cmd
}

// reportClass reads the results in files and writes the report: as CSV, as a page in HTML, in
// JSON, or in words.
func reportClass(a *command.App, files []string, asCSV, asHTML bool) error {
	results, err := readResults(a, files)
	if err != nil {
		return err
	}
	class := lesson.ReportClass(results)
	return a.WriteText(func(w *bufio.Writer) error {
		switch {
		case asCSV:
			return writeClassCSV(w, results)
		case asHTML:
			return reportTemplate.Execute(w, class)
		case a.Global.JSON:
			return json.NewEncoder(w).Encode(class)
		}
		return writeClassReport(w, class)
	})
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
// learner, the questions, the misconceptions, and the scores of challenges.
func writeClassReport(w *bufio.Writer, class lesson.Class) error {
	fmt.Fprintf(w, "%s; first answers by lesson: + right, - wrong, . none\n", human.Plural(len(class.Learners), "learner")) // Flush returns its error
	if err := writeAnswerTable(w, class); err != nil {
		return err
	}

	fmt.Fprintln(w, "\nQuestions, with the hints and messages of all")

	// Of each question, write how it was answered.
	for _, t := range class.Tasks {
		writeWrapped(w, fmt.Sprintf("%d of %d right, %d hints, %d messages: %s, task %d: %s",
			t.Right, t.Answered, t.Hints, t.Tries, t.Lesson, t.Task, t.Question))
		for _, wrong := range t.Wrong {
			writeWrapped(w, fmt.Sprintf("  %d chose: %s", wrong.Count, wrong.Choice))
		}
		if len(t.LookedFirst) > 0 {
			writeWrapped(w, "  looked before the answer: "+strings.Join(t.LookedFirst, ", "))
		}
	}

	fmt.Fprintln(w, "\nBeliefs")
	for _, belief := range class.Beliefs {
		writeWrapped(w, describeBelief(belief))
	}

	if len(class.Challenges) > 0 {
		fmt.Fprintln(w, "\nChallenges")
	}

	// Of each challenge, write its scores.
	for _, score := range class.Challenges {
		writeWrapped(w, fmt.Sprintf("%s: %s, par %d: %s", score.Challenge, human.Plural(score.Messages, "message"), score.Par, score.Learner))
	}
	return nil
}

// describeBelief says how many learners hold a misconception by their last answer, and who has
// ever shown it: "1 of 2 believes that at_time is in seconds: ana 1 of 1; ben held 1 of 2,
// right since".
func describeBelief(belief lesson.Belief) string {
	holders, shown := belief.Holders()
	verb := "believe"
	if holders == 1 {
		verb = "believes"
	}
	text := fmt.Sprintf("%d of %d %s that %s", holders, len(belief.Learners), verb, belief.Text)
	if len(shown) == 0 {
		return text
	}

	var records []string
	for _, record := range shown {
		records = append(records, record.String())
	}
	return text + ": " + strings.Join(records, "; ")
}

// lessonSpan is the columns of one lesson in the table of answers.
type lessonSpan struct {
	Lesson  string
	Content string // tells own lessons of one file name apart; empty for a built-in lesson
	Tasks   int    // how many columns the lesson has: one for each task
}

// lessonSpans returns the lessons that tasks belong to, in the order of the tasks.
func lessonSpans(tasks []lesson.ClassTask) (spans []lessonSpan) {
	for _, t := range tasks {
		last := len(spans) - 1
		isSameLesson := last >= 0 && spans[last].Lesson == t.Lesson && spans[last].Content == t.Content
		if !isSameLesson {
			spans = append(spans, lessonSpan{Lesson: t.Lesson, Content: t.Content})
			last++
		}
		spans[last].Tasks++
	}
	return spans
}

// writeAnswerTable writes a row for each learner, with a column for each lesson and a sign
// for each of its tasks. The first row has the numbers of the lessons.
func writeAnswerTable(w *bufio.Writer, class lesson.Class) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	spans := lessonSpans(class.Tasks)

	fmt.Fprint(table, "lesson") // Flush returns its error
	for _, span := range spans {
		number, _, _ := strings.Cut(span.Lesson, "-")
		fmt.Fprint(table, "\t", widget.Safe(number))
	}
	fmt.Fprintln(table)

	for _, learner := range class.Learners {
		fmt.Fprint(table, widget.Safe(learner.Name))
		signs := learner.Signs
		for _, span := range spans {
			fmt.Fprint(table, "\t", strings.Join(signs[:span.Tasks], ""))
			signs = signs[span.Tasks:]
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// shownBeliefs returns the misconceptions that a learner has shown, those that most hold now
// first.
func shownBeliefs(beliefs []lesson.Belief) []lesson.Belief {
	shown := slices.DeleteFunc(slices.Clone(beliefs), isNeverShown)
	slices.SortStableFunc(shown, func(a, b lesson.Belief) int {
		holdersOfA, _ := a.Holders()
		holdersOfB, _ := b.Holders()
		return holdersOfB - holdersOfA
	})
	return shown
}

// neverShownBeliefs returns the misconceptions that were asked about and that nobody showed.
func neverShownBeliefs(beliefs []lesson.Belief) []lesson.Belief {
	return slices.DeleteFunc(slices.Clone(beliefs), func(b lesson.Belief) bool { return !isNeverShown(b) })
}

// isNeverShown reports whether no learner has ever shown a misconception.
func isNeverShown(belief lesson.Belief) bool {
	_, shown := belief.Holders()
	return len(shown) == 0
}

//go:embed report.html
var reportPage string

// reportTemplate makes the report of a class as one HTML page: styles are inline, and the
// page loads nothing.
var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"describe":   describeBelief,
	"spans":      lessonSpans,
	"shown":      shownBeliefs,
	"neverShown": neverShownBeliefs,
}).Parse(reportPage))

// writeClassCSV writes one line for each learner and task, below a line of titles.
func writeClassCSV(w *bufio.Writer, results []lesson.Result) error {
	rows := [][]string{{"learner", "lesson", "task", "question", "given", "right", "believes", "hints", "tries", "seconds", "done", "looked", "content"}}
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
					strconv.Itoa(task.Looked),
					csvCell(l.Content),
				})
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// csvCell returns a text for a cell of a spreadsheet. A text that begins like a formula gets an
// apostrophe before it, so that the spreadsheet does not compute it.
func csvCell(text string) string {
	text = widget.Safe(text)
	if strings.IndexAny(text, "=+-@") == 0 {
		return "'" + text
	}
	return text
}

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

// classCommand makes the command "class", which has the commands for teachers as
// subcommands.
func classCommand(app *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "class",
		Short:   "Compare the results of a class",
		Example: `  ephemera class report ana.json`,
	}
	cmd.AddCommand(classReportCommand(app))
	return cmd
}

// classReportCommand makes the command that reports the results of several learners in
// words, as CSV, as an HTML page, or in JSON.
func classReportCommand(app *command.App) *cobra.Command {
	var isCSV, isHTML bool
	cmd := &cobra.Command{
		Use:   "report [--csv | --html] FILE...",
		Short: "Report what learners did, and what they believe",
		Long: `Reads the files that learn --result writes, one or more for each learner, and
reports who did which lesson, which questions were hard, which wrong choices were
taken, who looked before answering, and who believes what, now or earlier. It
contains no names but those given with --learner, and nothing leaves this machine.

A learner counts once: of each lesson the newest file counts, and the last one if
the files do not say when they were written. Which answers are right is read from
the lessons, with your own in ephemera/lessons in the XDG configuration directory;
a lesson that is not there is named.`,
		Example: `  ephemera class report ana.json
  ephemera class report --csv ana.json
  ephemera class report --html ana.json > report.html`,
		Args: command.ArgCount(1, command.NoLimit, "one or more files"),
		RunE: app.Action(func(args []string) error {
			hasOwnFormat := isCSV || isHTML
			if hasOwnFormat && (app.Global.JSON || app.Global.Text) {
				return command.UsageErrorf("--csv, --html, --json, --text: expected one of them")
			}
			return reportClass(app, args, isCSV, isHTML)
		}),
	}

	flags := cmd.Flags()
	flags.BoolVar(&isCSV, "csv", false, "write one line for each learner and task, for a spreadsheet")
	flags.BoolVar(&isHTML, "html", false, "write one page to read in a browser and to print; it loads nothing")
	cmd.MarkFlagsMutuallyExclusive("csv", "html")
	return cmd
}

// reportClass reads the results in the named files, and writes a report of the class to
// stdout. It writes CSV if isCSV is set, an HTML page if isHTML is set, JSON if the program
// is to answer in JSON, and otherwise words. It names on stderr the lessons that it could not compare with the answers.
func reportClass(app *command.App, fileNames []string, isCSV, isHTML bool) error {
	var results []lesson.Result
	for _, fileName := range fileNames {
		content, err := app.ReadFile(fileName)
		if err != nil {
			return err
		}
		result, err := lesson.DecodeResult(content)
		if err != nil {
			return command.UsageErrorf("%s: %v", fileName, err)
		}

		// Take the name from the file, such as ana for ana.json, if the learner gave none.
		baseName := strings.TrimSuffix(filepath.Base(fileName), filepath.Ext(fileName))
		result.Learner = cmp.Or(result.Learner, baseName)
		results = append(results, result)
	}

	lessons, err := LoadLessons("")
	if err != nil {
		app.Report(command.UsageErrorf("%v", err))
	}
	class := lesson.ReportClass(results, lessons)
	if len(class.Unchecked) > 0 {
		app.Errorf(
			"not compared with the lesson, which is not here or has other questions: %s",
			command.JoinNames(class.Unchecked),
		)
	}
	return app.WriteText(func(w *bufio.Writer) error {
		switch {
		case isCSV:
			return writeClassCSV(w, class.Results)
		case isHTML:
			return reportTemplate.Execute(w, class)
		case app.Global.JSON:
			return json.NewEncoder(w).Encode(class)
		}
		return writeClassReport(w, class)
	})
}

// writeClassReport writes the results of a class in words: a table of the first answers of
// each learner, the questions, the misconceptions, and the scores of challenges. Like the
// functions that it calls, it does not check most errors of w, because a [bufio.Writer]
// keeps them for Flush.
func writeClassReport(w *bufio.Writer, class lesson.Class) error {
	learners := human.Plural(len(class.Learners), "learner")
	fmt.Fprintf(w, "%s; first answers by lesson: + right, - wrong, . none\n", learners)
	if err := writeAnswerTable(w, class); err != nil {
		return err
	}

	fmt.Fprintln(w, "\nQuestions, with the hints and messages of all")
	for _, task := range class.Tasks {
		writeQuestion(w, task)
	}
	fmt.Fprintln(w, "\nBeliefs")
	for _, belief := range class.Beliefs {
		writeWrapped(w, describeBelief(belief))
	}
	if len(class.Challenges) > 0 {
		fmt.Fprintln(w, "\nChallenges")
	}
	for _, score := range class.Challenges {
		messages := human.Plural(score.Messages, "message")
		text := fmt.Sprintf("%s: %s, par %d: %s", score.Challenge, messages, score.Par, score.Learner)
		writeWrapped(w, text)
	}
	return nil
}

// writeQuestion writes how a class answered the question of a task, and who sent messages
// or queries before the answer.
func writeQuestion(w *bufio.Writer, task lesson.ClassTask) {
	text := fmt.Sprintf(
		"%d of %d right, %d hints, %d messages: %s, task %d: %s",
		task.Right,
		task.Answered,
		task.Hints,
		task.Tries,
		task.Lesson,
		task.Task,
		task.Question,
	)
	writeWrapped(w, text)
	for _, wrong := range task.Wrong {
		writeWrapped(w, fmt.Sprintf("  %d chose: %s", wrong.Count, wrong.Choice))
	}
	if len(task.LookedFirst) > 0 {
		writeWrapped(w, "  looked before the answer: "+command.JoinNames(task.LookedFirst))
	}
}

// describeBelief says how many learners hold a misconception by their last answer, and
// lists all who have ever shown it. An example is "1 of 2 believes that at_time is in
// seconds: ana 1 of 1; ben held 1 of 2, right since".
func describeBelief(belief lesson.Belief) string {
	// shownRecords are the records of all learners who have ever shown the misconception.
	holderCount, shownRecords := belief.Holders()
	verb := "believe"
	if holderCount == 1 {
		verb = "believes"
	}
	text := fmt.Sprintf("%d of %d %s that %s", holderCount, len(belief.Learners), verb, belief.Text)
	if len(shownRecords) == 0 {
		return text
	}

	var recordTexts []string
	for _, record := range shownRecords {
		recordTexts = append(recordTexts, record.String())
	}
	return text + ": " + strings.Join(recordTexts, "; ")
}

// lessonSpan describes the neighbouring columns of one lesson in the table of answers.
type lessonSpan struct {
	// Lesson is the ID of the lesson.
	Lesson string
	// Content distinguishes lessons of different teachers with the same ID. It is empty for
	// a built-in lesson.
	Content string
	// Tasks is the number of columns. There is one for each task with an answer.
	Tasks int
}

// lessonSpans returns a span for each lesson that the tasks belong to, in the order of the
// tasks. The tasks of one lesson must be next to each other.
func lessonSpans(tasks []lesson.ClassTask) (spans []lessonSpan) {
	for _, task := range tasks {
		last := len(spans) - 1
		isSameLesson := last >= 0 &&
			spans[last].Lesson == task.Lesson &&
			spans[last].Content == task.Content
		if isSameLesson {
			spans[last].Tasks++
			continue
		}
		spans = append(spans, lessonSpan{Lesson: task.Lesson, Content: task.Content, Tasks: 1})
	}
	return spans
}

// writeAnswerTable writes a table with a row for each learner and a column for each lesson.
// A cell has a sign for each task of the lesson, such as "+-." for three tasks; see
// [lesson.ClassLearner]. The first row has the numbers of the lessons.
func writeAnswerTable(w *bufio.Writer, class lesson.Class) error {
	const gapCells = 2 // between two columns
	table := tabwriter.NewWriter(w, 0, 0, gapCells, ' ', 0)
	spans := lessonSpans(class.Tasks)

	// Write the numbers of the lessons. Flush returns the errors of all these writes.
	fmt.Fprint(table, "lesson")
	for _, span := range spans {
		number, _, _ := strings.Cut(span.Lesson, "-") // 01 of 01-owner
		fmt.Fprint(table, "\t", widget.Safe(number))
	}
	fmt.Fprintln(table)

	// Write the learners. Their signs have the order of the spans.
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

// filterBeliefs returns the misconceptions that at least one learner has ever shown, or those
// that nobody has. The one that most learners still hold comes first.
func filterBeliefs(beliefs []lesson.Belief, isShown bool) []lesson.Belief {
	filtered := slices.DeleteFunc(slices.Clone(beliefs), func(b lesson.Belief) bool {
		_, shownRecords := b.Holders()
		return (len(shownRecords) > 0) != isShown
	})
	slices.SortStableFunc(filtered, func(a, b lesson.Belief) int {
		holdersOfA, _ := a.Holders()
		holdersOfB, _ := b.Holders()
		return holdersOfB - holdersOfA
	})
	return filtered
}

//go:embed report.html
var reportPage string

// reportTemplate makes the report of a class as one HTML page. The page has its styles in
// it and loads nothing.
var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"describe": describeBelief,
	"spans":    lessonSpans,
	"filter":   filterBeliefs,
}).Parse(reportPage))

// writeClassCSV writes one line for each learner and task, below a line of titles.
func writeClassCSV(w *bufio.Writer, results []lesson.Result) error {
	titles := []string{
		"learner", "lesson", "task", "question", "given", "right", "believes",
		"hints", "tries", "seconds", "done", "looked", "content",
	}
	rows := [][]string{titles}
	for _, result := range results {
		for _, lessonResult := range result.Lessons {
			for i, task := range lessonResult.Tasks {
				rows = append(rows, []string{
					csvCell(result.Learner),
					csvCell(lessonResult.ID),
					strconv.Itoa(i + 1),
					csvCell(task.Question),
					csvCell(task.Given),
					strconv.FormatBool(task.Right),
					csvCell(string(task.ShownMisconception)),
					strconv.Itoa(task.Hints),
					strconv.Itoa(task.Tries),
					strconv.FormatFloat(task.Seconds, 'f', 0, 64),
					strconv.FormatBool(task.Done),
					strconv.Itoa(task.LookCount),
					csvCell(lessonResult.Content),
				})
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// csvCell returns a text in a form that is safe in a cell of a spreadsheet. It puts an
// apostrophe before a text that begins like a formula, such as "=1+1", so that the
// spreadsheet does not compute it.
func csvCell(text string) string {
	text = widget.Safe(text)
	if strings.IndexAny(text, "=+-@") == 0 {
		return "'" + text
	}
	return text
}

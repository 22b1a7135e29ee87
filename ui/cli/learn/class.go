package learn

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
)

func classCommand(app *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "class",
		Short:   "Compare the results of a class",
		Example: `  ephemera class report ana.json`,
	}
	cmd.AddCommand(classReportCommand(app))
	return cmd
}

func classReportCommand(app *command.App) *cobra.Command {
	var isHTML bool
	cmd := &cobra.Command{
		Use:   "report [--html] FILE...",
		Short: "Report what learners did, and what they believe",
		Long: `Reads the files that learn --result writes, one or more for each learner, and
reports who did which lesson, which questions were hard, which wrong choices were
taken, who looked before answering, and who believes what, now or earlier. It
contains no names but those given with --learner, and nothing leaves this machine.

A learner counts once: of each lesson the newest file counts, and the last one if
the files do not say when they were written. Which answers are right is read from
the lessons, with your own in ephemera/lessons in the XDG configuration directory;
a lesson that is not there is named.`,
		Example: `  ephemera class report --html ana.json > report.html
  ephemera class report ana.json`,
		Args: command.ArgCount(1, command.NoLimit, "one or more files"),
		RunE: app.Action(func(args []string) error {
			if isHTML && (app.Global.JSON || app.Global.Text) {
				return command.UsageErrorf("--html, --json, --text: expected one of them")
			}
			return reportClass(app, args, isHTML)
		}),
	}

	cmd.Flags().BoolVar(&isHTML, "html", false, "write one page to read in a browser and to print; it loads nothing")
	return cmd
}

// reportClass writes a report of the results in the named files to stdout, and names on stderr
// the lessons that it could not compare with the answers.
func reportClass(app *command.App, fileNames []string, isHTML bool) error {
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
	if isHTML {
		return app.WriteText(func(w *bufio.Writer) error { return reportTemplate.Execute(w, class) })
	}
	answer, err := json.Marshal(class)
	if err != nil {
		return err
	}
	return app.PrintAnswer(answer)
}

// describeBelief says how many learners hold a misconception by their last answer, and
// lists all who have ever shown it: "1 of 2 believes that at_time is in seconds: ana 1 of 1;
// ben held 1 of 2, right since".
func describeBelief(belief lesson.Belief) string {
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
	Lesson  string // the ID
	Content string // distinguishes lessons of different teachers with the same ID; empty for a built-in one
	Tasks   int    // the number of columns, one for each task with an answer
}

// lessonSpans returns a span for each lesson of the tasks, in their order. The tasks of one
// lesson must be next to each other.
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

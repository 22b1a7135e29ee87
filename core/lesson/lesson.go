package lesson

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ephemera/core/scenario"
)

// Lesson is a story with tasks.
type Lesson struct {
	// ID is what progress is kept under: the name of the file, and for a lesson
	// that comes with the program the name without its ending, "01-owner". So no
	// file of a teacher's passes for one of those.
	ID string
	// Title and About are the name of the lesson and what it is about, in a
	// sentence.
	Title, About string
	Tasks        []Task
	// Remember is what to take away.
	Remember string

	header scenario.Header
	setup  []scenario.Step
}

// Actor is the name of who acts first: the first account of the file; "" where
// it names none.
func (l Lesson) Actor() string {
	if len(l.header.Accounts) == 0 {
		return ""
	}
	return l.header.Accounts[0].Name
}

// Task is one thing to do.
type Task struct {
	// Story says what happens and what is to be done.
	Story string
	// Ask is a question to predict the answer of before anything is done; nil
	// where there is none.
	Ask *scenario.Ask
	// Hints help, from the weakest to the strongest.
	Hints []string
	// Solution is one way to do it.
	Solution []scenario.Step
	// Checks are the queries that must be answered as expected when it is done,
	// and the steps of the solution that must be tried. Without one the task is
	// done when its question is answered.
	Checks []scenario.Step

	steps []scenario.Step // solution and checks, each once, in the order of the file
	first int             // the step of the file that begins it
	state   taskState
}

// hintsPerTask is how many hints a task has that is to be done.
const hintsPerTask = 3

// Read reads a lesson from a scenario file. It fails with a [*scenario.Error]
// that names the file and the line of what is no lesson.
func Read(name string, r io.Reader) (Lesson, error) {
	s, err := scenario.Load(name, r)
	if err != nil {
		return Lesson{}, err
	}
	return fromScenario(name, s)
}

// fromScenario tells a scenario as a lesson.
func fromScenario(name string, s *scenario.Scenario) (Lesson, error) {
	l := Lesson{ID: path.Base(filepath.ToSlash(name)), Title: s.Name, About: s.About, header: s.Header}
	for i, step := range s.Steps {
		if step.Note != "" {
			l.Tasks = append(l.Tasks, Task{Story: joinParagraphs(step.Note), Ask: step.Ask, Hints: step.Hints, first: i})
		}
		if len(l.Tasks) == 0 {
			l.setup = append(l.setup, step)
			continue
		}
		l.Tasks[len(l.Tasks)-1].addStep(step)
		if step.Ask != nil && step.Note == "" {
			return l, stepError(name, i, step, "ask", "a question belongs to a note, expected one in the same step")
		}
	}
	if n := len(l.Tasks); n > 0 && l.Tasks[n-1].isEmpty() {
		l.Remember, l.Tasks = l.Tasks[n-1].Story, l.Tasks[:n-1]
	}
	return l, l.check(name, s)
}

// addStep puts a step of the file to the task that it belongs to.
func (t *Task) addStep(s scenario.Step) {
	t.steps = append(t.steps, s)
	isCheck := s.Kind == scenario.Query && s.Expect != nil && s.As == "" && s.Note == ""
	if isCheck || isAttempt(&s) {
		t.Checks = append(t.Checks, s)
	}
	switch {
	case isCheck:
	case s.Kind != scenario.NoMessage, s.At != nil, s.Advance != nil, len(s.Contracts) > 0:
		t.Solution = append(t.Solution, s)
	}
}

func (t *Task) isEmpty() bool { return t.Ask == nil && len(t.Solution) == 0 && len(t.Checks) == 0 }

// check holds a file to what a lesson is.
func (l *Lesson) check(name string, s *scenario.Scenario) error {
	switch {
	case l.Title == "":
		return &scenario.Error{File: name, Field: "name", Text: "a lesson needs a name"}
	case len(l.Tasks) == 0:
		return &scenario.Error{File: name, Text: "it has no task, expected a step with a note and something to do after it"}
	case l.Remember == "":
		return &scenario.Error{File: name, Text: "it does not say what to remember, expected a last note with nothing to do"}
	}
	for _, t := range l.Tasks {
		if text := t.problem(); text != "" {
			return stepError(name, t.first, s.Steps[t.first], "", text)
		}
	}
	return nil
}

// problem says why a task cannot be one; "" when it can.
func (t *Task) problem() string {
	if t.Ask != nil {
		if lie := t.Believes(t.Ask.Answer); lie != NoMisconception {
			return fmt.Sprintf("the right answer believes %q, expected that only of wrong choices", lie)
		}
		for _, r := range t.Ask.Replies {
			if r.Believes != "" && !slices.Contains(Misconceptions(), Misconception(r.Believes)) {
				return fmt.Sprintf("believes: %q is no misconception, expected one of %v", r.Believes, Misconceptions())
			}
		}
	}
	switch ask := t.Ask; {
	case ask != nil && !slices.Contains(ask.Choices, ask.Answer):
		return fmt.Sprintf("the answer %q is not among the choices, expected it to be one of them", ask.Answer)
	case ask != nil && len(ask.Choices) < 2:
		return "the question has fewer than two choices"
	case ask != nil && len(slices.Compact(slices.Sorted(slices.Values(ask.Choices)))) < len(ask.Choices):
		return "two choices of the question are the same"
	case len(t.Solution) > 0 && len(t.Checks) == 0:
		return "the task has something to do and nothing to check, expected a query with an expectation after it, or a hint that says what must be tried"
	case len(t.Checks) > 0 && len(t.Hints) != hintsPerTask:
		return fmt.Sprintf("the task has %d hints, expected %d, from the weakest to the strongest", len(t.Hints), hintsPerTask)
	case t.isEmpty():
		return "the task has nothing to do and nothing to ask"
	}
	return ""
}

// Believes tells which misconception a choice of the task's question shows;
// [NoMisconception] for none.
func (t *Task) Believes(choice string) Misconception {
	if t.Ask == nil {
		return NoMisconception
	}
	return Misconception(t.Ask.Replies[choice].Believes)
}

// CanFind lists the misconceptions that the task's question can find, each once.
func (t *Task) CanFind() (all []Misconception) {
	for _, lie := range Misconceptions() {
		if t.Ask != nil && slices.ContainsFunc(t.Ask.Choices, func(c string) bool { return t.Believes(c) == lie }) {
			all = append(all, lie)
		}
	}
	return all
}

func stepError(name string, i int, s scenario.Step, field, text string) error {
	return &scenario.Error{File: name, Line: s.Line, Step: i + 1, Field: field, Text: text}
}

// joinParagraphs joins the lines of a paragraph; an empty line begins a new one.
func joinParagraphs(text string) string {
	var paragraphs []string
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
	}
	return strings.Join(paragraphs, "\n")
}

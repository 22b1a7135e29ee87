package lesson

import (
	"cmp"
	"io"
	"path"
	"path/filepath"
	"strings"

	"ephemera/core/scenario"
	"ephemera/core/whocan"
)

// Read reads a lesson from a scenario file. It fails with a [*scenario.Error] that
// names the file and, where there is one, the line.
func Read(name string, r io.Reader) (Lesson, error) {
	file, err := scenario.Load(name, r)
	if err != nil {
		return Lesson{}, err
	}
	return fromScenario(name, file)
}

// fromScenario makes a lesson of a scenario. It fails as [Read] does.
func fromScenario(fileName string, file *scenario.Scenario) (Lesson, error) {
	lesson := Lesson{
		ID:     path.Base(filepath.ToSlash(fileName)),
		Title:  file.Name,
		About:  file.About,
		header: file.Header,
	}

	// Each step with a note begins a task, and the steps behind it belong to that task.
	for i, step := range file.Steps {
		switch {
		case step.Note != "":
			task, err := beginTask(step, i)
			if err != nil {
				return lesson, err
			}
			lesson.Tasks = append(lesson.Tasks, task)
		case len(lesson.Tasks) == 0:
			lesson.setup = append(lesson.setup, step)
		case step.Ask != nil:
			text := "a question belongs to a note, expected one in the same step"
			return lesson, stepError(fileName, i, step, "ask", text)
		default:
			lesson.Tasks[len(lesson.Tasks)-1].addStep(step)
		}
	}

	// A last note with nothing to do is the sentence to remember.
	last := len(lesson.Tasks) - 1
	if last >= 0 && lesson.Tasks[last].isEmpty() {
		lesson.Remember = lesson.Tasks[last].Story
		lesson.Tasks = lesson.Tasks[:last]
	}
	return lesson, lesson.validate(fileName, file)
}

// beginTask returns the task that begins with a step, which has an index in the file, from 0.
// The question of a challenge is its goal and not one of its steps.
func beginTask(step scenario.Step, index int) (Task, error) {
	task := Task{
		Story:     joinParagraphs(step.Note),
		Ask:       step.Ask,
		Hints:     step.Hints,
		firstStep: index,
	}
	if step.Kind != scenario.Nobody {
		task.addStep(step)
		return task, nil
	}

	question, err := scenario.ReadNobodyQuestion(step.Message)
	if err != nil {
		return task, err
	}
	question.Depth = cmp.Or(question.Depth, whocan.DefaultDepth) // the most messages
	task.Challenge = &question
	return task, nil
}

// addStep adds a step of the file to Checks if it is only a goal, to Checks and Solution if
// the learner must try it, to Solution if it does anything else, and to neither if it has
// nothing but a note.
func (t *Task) addStep(step scenario.Step) {
	t.steps = append(t.steps, step)
	isExpectation := step.Kind == scenario.Query && step.Expect != nil
	isStateGoal := isExpectation && step.Sender == "" && step.Note == ""
	if isStateGoal || mustBeTried(step) {
		t.Checks = append(t.Checks, step)
	}

	movesClock := step.At != nil || step.Advance != nil
	doesSomething := step.Kind != scenario.NoMessage || movesClock || len(step.Contracts) > 0
	if doesSomething && !isStateGoal {
		t.Solution = append(t.Solution, step)
	}
}

// stepError returns an error about a step, which has an index from 0, and the member at fault,
// or "".
func stepError(file string, index int, step scenario.Step, field, text string) error {
	return &scenario.Error{File: file, Line: step.Line, Step: index + 1, Field: field, Text: text}
}

// joinParagraphs joins the lines of each paragraph of a story into one line, so that a
// screen can wrap the paragraph to its own width. In text an empty line separates two
// paragraphs. In the result a newline does.
func joinParagraphs(text string) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		paragraphs = append(paragraphs, strings.Join(strings.Fields(paragraph), " "))
	}
	return strings.Join(paragraphs, "\n")
}

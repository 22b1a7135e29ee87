package lesson

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/core/whocan"
)

// Lesson is a story with tasks, read from a scenario file; see the package comment.
type Lesson struct {
	// ID is the key of the lesson in [Progress]: its file name, such as "mine.yaml". The ID
	// of a built-in lesson has no extension, such as "01-owner". So a teacher's file never
	// has the ID of a built-in lesson.
	ID string
	// Title is the name of the lesson.
	Title string
	// About describes the lesson in a sentence.
	About string
	// Tasks has at least one task.
	Tasks []Task
	// Remember is the sentence to take away.
	Remember string

	// header is the beginning of the file. It describes the chain for the lesson: its
	// accounts, its rules and its first block.
	header scenario.Header
	// setup has the steps of the file before the first task.
	setup []scenario.Step
}

// Actor returns the name of the account that acts first, which is the first account
// of the file. It is empty if the file names no accounts.
func (l Lesson) Actor() string {
	if len(l.header.Accounts) == 0 {
		return ""
	}
	return l.header.Accounts[0].Name
}

// Task is one part of a lesson: a story, and something to predict, to do, or both.
type Task struct {
	// Story describes the situation and the task.
	Story string
	// Ask is a question that the learner answers before acting; nil for none.
	Ask *scenario.Ask
	// Hints are sorted from weak to strong.
	Hints []string
	// Solution is one way to reach the goals.
	Solution []scenario.Step
	// Checks are the goals: queries with the expected answers, and steps that the
	// learner must try. A task without goals is done when its question is answered.
	Checks []scenario.Step
	// Challenge says what the learner must bring about in a challenge, such as a transfer of
	// rose by mallory. It is nil for any other task.
	Challenge *explain.WhoCanQuestion
	// Mistake is the mistake to find in a game of "find the mistake". It is nil for any
	// other task.
	Mistake *Mistake

	// steps has the steps of Solution and Checks, each once, in the order of the file.
	steps []scenario.Step
	// firstStep is the index of the task's first step in the file, from 0.
	firstStep int
	// state is what the session knows about the task. Only the copies that [Session.Task]
	// returns have it.
	state taskState
}

// hintsPerTask is how many hints a task with goals must have, from the weakest to the one
// that nearly gives the solution.
const hintsPerTask = 3

// Read reads a lesson from a scenario file. It fails with a [*scenario.Error] that
// names the file and, where there is one, the line.
func Read(name string, r io.Reader) (Lesson, error) {
	file, err := scenario.Load(name, r)
	if err != nil {
		return Lesson{}, err
	}
	return fromScenario(name, file)
}

// fromScenario makes a lesson of a scenario. Each step with a note begins a task, and the
// steps behind it belong to that task. The steps before the first note are the set-up. If
// the last note has nothing to do, it is the sentence to remember. fromScenario fails with
// a [*scenario.Error] if the result is not a valid lesson.
func fromScenario(fileName string, file *scenario.Scenario) (Lesson, error) {
	lesson := Lesson{
		ID:     path.Base(filepath.ToSlash(fileName)),
		Title:  file.Name,
		About:  file.About,
		header: file.Header,
	}

	// Divide the steps.
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

// beginTask returns the task that begins with a step. index is the index of the step in the
// file, from 0. If the step has a "nobody" question, which says that nobody can do
// something, the task is a challenge. The question then is its goal, and not one of its
// steps. beginTask fails if that question cannot be read.
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

	// Depth is the largest number of messages; 0 in the file means the default.
	question, err := scenario.ReadNobodyQuestion(step.Message)
	if err != nil {
		return task, err
	}
	question.Depth = cmp.Or(question.Depth, whocan.DefaultDepth)
	task.Challenge = &question
	return task, nil
}

// addStep adds a step of the file to the task:
//
//   - to Checks if it is only a goal, which is a query with an expected answer and no sender
//   - to Checks and Solution if the learner must try it, as it has a sender and a hint
//   - to Solution if it is any other message, query or clock move
//   - to neither if it has nothing but a note
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

// isEmpty reports whether a task has a story and nothing else.
func (t *Task) isEmpty() bool {
	return t.Ask == nil && t.Challenge == nil && len(t.Solution) == 0 && len(t.Checks) == 0
}

// validate fails with a [*scenario.Error] if the lesson is not valid. A valid lesson has a
// name, at least one task, and a sentence to remember. Its own misconceptions must not have
// the name of a misconception that the program knows. Each task must be valid too. file has
// the steps of the lesson's file.
func (l *Lesson) validate(fileName string, file *scenario.Scenario) error {
	switch {
	case l.Title == "":
		return &scenario.Error{File: fileName, Field: "name", Text: "a lesson needs a name"}
	case len(l.Tasks) == 0:
		return &scenario.Error{
			File: fileName,
			Text: "it has no task, expected a step with a note and something to do after it",
		}
	case l.Remember == "":
		return &scenario.Error{
			File: fileName,
			Text: "it does not say what to remember, expected a last note with nothing to do",
		}
	}

	// The lesson must not describe a misconception that the program describes.
	for _, misconception := range l.header.Misconceptions {
		if Misconception(misconception.Name).mutant().Name != "" {
			text := fmt.Sprintf(
				"%q has a sentence already, which every lesson can use, expected another name",
				misconception.Name)
			return &scenario.Error{File: fileName, Field: "misconceptions", Text: text}
		}
	}

	// Check each task.
	knownMisconceptions := l.Misconceptions()
	for _, task := range l.Tasks {
		if text := task.describeProblem(knownMisconceptions); text != "" {
			return stepError(fileName, task.firstStep, file.Steps[task.firstStep], "", text)
		}
	}
	return nil
}

// describeProblem returns a sentence that says why the task is not valid, such as "the
// task has nothing to do and nothing to ask". It returns "" for a valid task.
// knownMisconceptions has the misconceptions that the choices of the task may name.
func (t *Task) describeProblem(knownMisconceptions []Misconception) string {
	if t.Ask != nil {
		if text := t.describeQuestionProblem(knownMisconceptions); text != "" {
			return text
		}
	}

	// A challenge to own a token must say who. Until and TokenMustStay have no meaning there.
	if t.Challenge != nil && t.Challenge.Action.Name == cw721.OwnAction.Name {
		hasOnlyActor := t.Challenge.Actor != "" && t.Challenge.Until == "" && !t.Challenge.TokenMustStay
		if !hasOnlyActor {
			return "the challenge is about owning a token, expected as: who is to own it, and neither until: nor unmoved:"
		}
	}

	// What is to be done must be checked and must have hints.
	switch {
	case len(t.Solution) > 0 && len(t.Checks) == 0:
		return "the task has something to do and nothing to check, expected a query with an expectation after it, or a hint that says what must be tried"
	case len(t.Checks) > 0 && len(t.Hints) != hintsPerTask:
		return fmt.Sprintf("the task has %d hints, expected %d, from the weakest to the strongest",
			len(t.Hints),
			hintsPerTask)
	case t.isEmpty():
		return "the task has nothing to do and nothing to ask"
	}
	return ""
}

// describeQuestionProblem returns a sentence that says why the task's question is not
// valid. It returns "" for a valid question. In a valid question the answer is one of at
// least two different choices. Only wrong choices name a misconception, and each of these
// is in knownMisconceptions.
func (t *Task) describeQuestionProblem(knownMisconceptions []Misconception) string {
	misconception := t.MisconceptionOfChoice(t.Ask.Answer)
	if misconception != NoMisconception {
		return fmt.Sprintf("the right answer believes %q, expected that only of wrong choices",
			misconception)
	}
	for _, reply := range t.Ask.Replies {
		isKnown := slices.Contains(knownMisconceptions, Misconception(reply.Misconception))
		if reply.Misconception != "" && !isKnown {
			return fmt.Sprintf(
				"believes: %q is no misconception, expected one of %v, or a name under misconceptions",
				reply.Misconception,
				knownMisconceptions)
		}
	}

	// One of the choices must be right, and no two may be the same.
	distinctChoices := slices.Compact(slices.Sorted(slices.Values(t.Ask.Choices)))
	switch {
	case !slices.Contains(t.Ask.Choices, t.Ask.Answer):
		return fmt.Sprintf("the answer %q is not among the choices, expected it to be one of them",
			t.Ask.Answer)
	case len(t.Ask.Choices) < 2:
		return "the question has fewer than two choices"
	case len(distinctChoices) < len(t.Ask.Choices):
		return "two choices of the question are the same"
	}
	return ""
}

// MisconceptionOfChoice returns the misconception that a choice of the task's question
// shows. A misconception is a wrong belief about the contract; a learner who picks the
// choice has it. MisconceptionOfChoice returns [NoMisconception] for a choice that shows
// none, and for a task without a question.
func (t *Task) MisconceptionOfChoice(choice string) Misconception {
	if t.Ask == nil {
		return NoMisconception
	}
	return Misconception(t.Ask.Replies[choice].Misconception)
}

// DetectableMisconceptions returns the misconceptions (wrong beliefs about the contract)
// that the choices of the task's question can show, each once. They are sorted as
// [sortMisconceptions] describes.
func (t *Task) DetectableMisconceptions() (misconceptions []Misconception) {
	if t.Ask == nil {
		return nil
	}
	for _, choice := range t.Ask.Choices {
		misconception := t.MisconceptionOfChoice(choice)
		if misconception != NoMisconception && !slices.Contains(misconceptions, misconception) {
			misconceptions = append(misconceptions, misconception)
		}
	}
	sortMisconceptions(misconceptions, func(m Misconception) Misconception { return m })
	return misconceptions
}

// stepError returns an error about a step of a file. index is the index of the step, from 0.
// field is the member of the step that is wrong; empty for the whole step.
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

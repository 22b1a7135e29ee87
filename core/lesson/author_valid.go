package lesson

import (
	"fmt"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/scenario"
)

// validate fails with a [*scenario.Error] if the lesson in a file is not valid. What shows only
// when a lesson is played is one of its [Lesson.Faults].
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

	knownMisconceptions := l.Misconceptions()
	for _, task := range l.Tasks {
		if text := task.describeProblem(knownMisconceptions); text != "" {
			return stepError(fileName, task.firstStep, file.Steps[task.firstStep], "", text)
		}
	}
	return nil
}

// hintsPerTask is how many hints a task with goals must have, from the weakest to the one
// that nearly gives the solution.
const hintsPerTask = 3

// describeProblem says why the task is not valid, or returns "".
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

// describeQuestionProblem says why the task's question is not valid, or returns "".
func (t *Task) describeQuestionProblem(knownMisconceptions []Misconception) string {
	misconception := t.MisconceptionOfChoice(t.Ask.Answer)
	if misconception != NoMisconception {
		return fmt.Sprintf("the right answer believes %q, expected that only of wrong choices",
			misconception)
	}
	for _, misconception := range t.DetectableMisconceptions() {
		if !slices.Contains(knownMisconceptions, misconception) {
			return fmt.Sprintf(
				"believes: %q is no misconception, expected one of %v, or a name under misconceptions",
				misconception,
				knownMisconceptions)
		}
	}

	choices := t.Ask.Choices.Texts()
	distinctChoices := slices.Compact(slices.Sorted(slices.Values(choices)))
	switch {
	case !slices.Contains(choices, t.Ask.Answer):
		return fmt.Sprintf("the answer %q is not among the choices, expected it to be one of them",
			t.Ask.Answer)
	case len(choices) < 2:
		return "the question has fewer than two choices"
	case len(distinctChoices) < len(choices):
		return "two choices of the question are the same"
	}
	return ""
}

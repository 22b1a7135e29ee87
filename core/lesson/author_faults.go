package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"ephemera/core/scenario"
)

// FaultsOfFile returns the [Lesson.Faults] of the lesson in a scenario file. A file that asks
// no question with choices is no lesson and has no faults. If the file is not a valid lesson,
// the reason is the only fault.
func FaultsOfFile(name string, r io.Reader, openChain chainOpener) ([]string, error) {
	file, err := scenario.Load(name, r)
	if err != nil {
		return nil, err
	}
	isLesson := slices.ContainsFunc(file.Steps, func(step scenario.Step) bool {
		return step.Ask != nil && len(step.Ask.Choices) > 0
	})
	if !isLesson {
		return nil, nil
	}

	lesson, err := fromScenario(name, file)
	if err != nil {
		return []string{err.Error()}, nil
	}
	return lesson.Faults(openChain)
}

// Faults plays each task of a valid lesson, and returns a sentence for each fault. Faults
// are:
//
//   - a solution that does not reach the goals
//   - a goal that is reached before its task starts
//   - a goal without a hint
//   - a goal that asks the query "approval"; see [goalFaults]
//   - a question whose answer is not explained
//
// If a task cannot be played at all, the reason is the last fault. What can be checked without
// a chain is refused by [Read], or is one of the [Lesson.Giveaways]. Faults closes the chains.
func (l Lesson) Faults(openChain chainOpener) (faults []string, err error) {
	for i, task := range l.Tasks {
		faults = append(faults, goalFaults(task.Checks)...)
		if task.Ask != nil && task.Ask.Why == "" {
			faults = append(faults, fmt.Sprintf("task %d: the answer is not explained, expected why", i+1))
		}

		session, err := Begin(openChain, l, i)
		if err != nil {
			return append(faults, err.Error()), nil
		}
		taskFaults, err := session.solutionFaults()
		for _, fault := range taskFaults {
			faults = append(faults, fmt.Sprintf("task %d: %s", i+1, fault))
		}
		if err := errors.Join(err, session.chain.Close()); err != nil {
			return faults, err
		}
	}
	return faults, nil
}

// goalFaults finds goals without a hint, and goals that ask the query "approval". The contract
// answers that query for the token's owner too, so such a goal can be reached without any
// approval. A query that the learner must try may ask it.
func goalFaults(goals []scenario.Step) (faults []string) {
	for _, goal := range goals {
		if len(goal.Hints) == 0 {
			text := fmt.Sprintf("line %d: the goal has no words, expected a hint that states it", goal.Line)
			faults = append(faults, text)
		}
		if bytes.HasPrefix(goal.Message, []byte(`{"approval":`)) && !mustBeTried(goal) {
			text := fmt.Sprintf(
				"line %d: the goal asks approval, which also answers for the owner, expected approvals",
				goal.Line)
			faults = append(faults, text)
		}
	}
	return faults
}

// solutionFaults answers the question of the current task rightly and plays the solution, up
// to the first step that has another outcome than the file expects.
func (s *Session) solutionFaults() (faults []string, err error) {
	s.answerRightly()
	task := s.Task()
	if len(task.Checks) == 0 {
		return nil, nil
	}

	// A goal must not be reached before its solution is played. But a task with a step that
	// the learner must try may have some goals that are reached already. They say what the
	// step must leave unchanged, for example that bob still owns rose after a transfer was
	// refused.
	checkBefore, err := s.Check()
	if err != nil {
		return nil, err
	}
	switch {
	case checkBefore.Done:
		faults = append(faults, "it is solved before it begins")
	case !slices.ContainsFunc(task.Checks, mustBeTried):
		for _, goal := range checkBefore.Goals {
			if goal.Reached {
				faults = append(faults, "the goal is reached before it begins: "+goal.Text)
			}
		}
	}

	for _, step := range task.Solution {
		if step.Kind == scenario.Query {
			s.NoteQuery(step.Message)
		}
		outcome, err := s.player.Play(&step)
		if err != nil {
			return faults, err
		}
		if outcome.Mismatch != nil {
			return append(faults, outcome.Mismatch.String()), nil
		}
	}

	checkAfter, err := s.Check()
	if err != nil {
		return faults, err
	}
	for _, goal := range checkAfter.Missing() {
		faults = append(faults, "its solution does not reach: "+goal)
	}
	return faults, nil
}

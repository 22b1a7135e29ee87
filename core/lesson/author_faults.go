package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"ephemera/core/scenario"
)

// FaultsOfFile returns the faults of the lesson in a scenario file; see [Lesson.Faults]. A
// file that asks no question with choices is a plain scenario, not a lesson, and has no
// faults. If the file is not a valid lesson, the reason is the only fault. FaultsOfFile
// fails if the file is not a scenario.
func FaultsOfFile(name string, r io.Reader, openChain chainOpener) ([]string, error) {
	file, err := scenario.Load(name, r)
	if err != nil {
		return nil, err
	}

	// Without choices the file is a plain scenario.
	hasChoices := func(step scenario.Step) bool { return step.Ask != nil && len(step.Ask.Choices) > 0 }
	if !slices.ContainsFunc(file.Steps, hasChoices) {
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
// If a task cannot be played at all, the reason is the last fault. openChain returns an
// empty chain for a task. Faults closes that chain. Faults fails if the store fails.
func (l Lesson) Faults(openChain chainOpener) (faults []string, err error) {
	for i, task := range l.Tasks {
		faults = append(faults, goalFaults(task.Checks)...)
		if task.Ask != nil && task.Ask.Why == "" {
			faults = append(faults, fmt.Sprintf("task %d: the answer is not explained, expected why", i+1))
		}

		// Play the task.
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

// goalFaults returns a sentence for each goal without a hint, and for each goal that asks
// the query "approval". The contract answers that query for the token's owner too, as if
// the owner were an approved spender. So such a goal can be reached without any approval. A
// message or query that the learner must try may ask it.
func goalFaults(goals []scenario.Step) (faults []string) {
	for _, goal := range goals {
		if len(goal.Hints) == 0 {
			text := fmt.Sprintf("line %d: the goal has no words, expected a hint that states it", goal.Line)
			faults = append(faults, text)
		}
		asksApproval := bytes.HasPrefix(goal.Message, []byte(`{"approval":`))
		if asksApproval && !mustBeTried(goal) {
			text := fmt.Sprintf(
				"line %d: the goal asks approval, which also answers for the owner, expected approvals",
				goal.Line)
			faults = append(faults, text)
		}
	}
	return faults
}

// solutionFaults answers the question of the current task rightly, plays the task's
// solution, and returns a sentence for each fault. It is a fault if a goal is reached
// before the solution is played, if a step has another outcome than the file expects, or if
// a goal is not reached at the end. It stops at the first step with another outcome. It
// fails if the store fails.
func (s *Session) solutionFaults() (faults []string, err error) {
	if question := s.Question(); question != nil {
		s.Answer(question.Answer)
	}
	if len(s.Task().Checks) == 0 {
		return nil, nil
	}

	// A goal must not be reached before its solution is played.
	checkBefore, err := s.Check()
	if err != nil {
		return nil, err
	}
	faults = append(faults, s.Task().earlyFaults(checkBefore)...)

	// Play the solution.
	for _, step := range s.Task().Solution {
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

	// All goals must be reached now.
	checkAfter, err := s.Check()
	if err != nil {
		return faults, err
	}
	for _, goal := range checkAfter.Missing() {
		faults = append(faults, "its solution does not reach: "+goal)
	}
	return faults, nil
}

// earlyFaults returns a sentence for each goal that is reached too early. check has the
// goals as they are before the task's solution is played.
//
// A task with a step that the learner must try may have goals that are reached already, but
// not all of them. Such a goal says what the step must leave unchanged, for example that
// bob still owns rose after a transfer was refused.
func (t *Task) earlyFaults(check Check) (faults []string) {
	if check.Done {
		return []string{"it is solved before it begins"}
	}
	if slices.ContainsFunc(t.Checks, mustBeTried) {
		return nil
	}
	for _, goal := range check.Goals {
		if goal.Reached {
			faults = append(faults, "the goal is reached before it begins: "+goal.Text)
		}
	}
	return faults
}

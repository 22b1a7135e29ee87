package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/scenario"
)

// Faults returns sentences about what makes a valid lesson a bad one: a solution that
// does not reach the goals, a task that is solved before it starts, a goal without
// words, or a goal that also holds for the owner. open returns an empty chain, which
// Faults closes. It fails if open or the store fails.
func (l Lesson) Faults(open func() (*chain.Chain, error)) (faults []string, err error) {
	for i, task := range l.Tasks {
		faults = append(faults, goalFaults(task.Checks)...)
		if task.Ask != nil && task.Ask.Why == "" {
			faults = append(faults, fmt.Sprintf("task %d: the answer is not explained, expected why", i+1))
		}

		session, err := Begin(open, l, i)
		if err != nil {
			return append(faults, err.Error()), nil
		}
		found, err := session.solutionFaults()
		for _, text := range found {
			faults = append(faults, fmt.Sprintf("task %d: %s", i+1, text))
		}
		if err := errors.Join(err, session.chain.Close()); err != nil {
			return faults, err
		}
	}
	return faults, nil
}

// goalFaults returns sentences about badly written goals.
func goalFaults(goals []scenario.Step) (faults []string) {
	for _, goal := range goals {
		if len(goal.Hints) == 0 {
			faults = append(faults, fmt.Sprintf("line %d: the goal has no words, expected a hint that says what is to be reached", goal.Line))
		}
		asksApproval := bytes.HasPrefix(goal.Message, []byte(`{"approval":`))
		if asksApproval && !isAttempt(&goal) {
			faults = append(faults, fmt.Sprintf("line %d: the goal asks approval, which also answers for the owner, expected approvals", goal.Line))
		}
	}
	return faults
}

// FaultsOfFile is [Lesson.Faults] for a scenario file. A file without a question with
// choices is not a lesson and has no faults.
func FaultsOfFile(name string, r io.Reader, open func() (*chain.Chain, error)) ([]string, error) {
	s, err := scenario.Load(name, r)
	if err != nil {
		return nil, err
	}
	hasChoices := func(s scenario.Step) bool { return s.Ask != nil && len(s.Ask.Choices) > 0 }
	if !slices.ContainsFunc(s.Steps, hasChoices) {
		return nil, nil
	}

	lesson, err := fromScenario(name, s)
	if err != nil {
		return []string{err.Error()}, nil
	}
	return lesson.Faults(open)
}

// solutionFaults checks the goals of the current task before and after its solution.
func (s *Session) solutionFaults() (faults []string, err error) {
	if question := s.Question(); question != nil {
		s.Answer(question.Answer)
	}
	if len(s.Task().Checks) == 0 {
		return nil, nil
	}

	before, err := s.Check()
	if err != nil {
		return nil, err
	}
	if before.Done {
		faults = append(faults, "it is solved before it begins")
	}

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

	after, err := s.Check()
	if err != nil {
		return faults, err
	}
	for _, goal := range after.Missing() {
		faults = append(faults, "its solution does not reach: "+goal)
	}
	return faults, nil
}

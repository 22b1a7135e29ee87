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

// Faults tells what keeps a lesson that can be read from being a good one, a
// sentence each: a solution that does not solve, a task that is solved before it
// begins, a goal without words, or one that holds for an owner without an
// approval. open gives an empty chain; it is closed. It fails as open and the
// store do.
func (l Lesson) Faults(open func() (*chain.Chain, error)) (faults []string, err error) {
	for i, t := range l.Tasks {
		for _, s := range t.Checks {
			if len(s.Hints) == 0 {
				faults = append(faults, fmt.Sprintf("line %d: the goal has no words, expected a hint that says what is to be reached", s.Line))
			}
			if !isAttempt(&s) && bytes.HasPrefix(s.Message, []byte(`{"approval":`)) {
				faults = append(faults, fmt.Sprintf("line %d: the goal asks approval, which also answers for the owner, expected approvals", s.Line))
			}
		}
		if t.Ask != nil && t.Ask.Why == "" {
			faults = append(faults, fmt.Sprintf("task %d: the answer is not explained, expected why", i+1))
		}
		s, err := Begin(open, l, i)
		if err != nil {
			return append(faults, err.Error()), nil
		}
		more, err := s.faults()
		for _, text := range more {
			faults = append(faults, fmt.Sprintf("task %d: %s", i+1, text))
		}
		if err := errors.Join(err, s.chain.Close()); err != nil {
			return faults, err
		}
	}
	return faults, nil
}

// FaultsOfFile is [Lesson.Faults] for a scenario file that may be no lesson: what
// asks no question with choices is none, and has no faults.
func FaultsOfFile(name string, r io.Reader, open func() (*chain.Chain, error)) ([]string, error) {
	s, err := scenario.Load(name, r)
	if err != nil || !slices.ContainsFunc(s.Steps, func(s scenario.Step) bool { return s.Ask != nil && len(s.Ask.Choices) > 0 }) {
		return nil, err
	}
	l, err := fromScenario(name, s)
	if err != nil {
		return []string{err.Error()}, nil
	}
	return l.Faults(open)
}

// faults looks at the task in hand before and after its own solution.
func (s *Session) faults() (faults []string, err error) {
	if ask := s.Question(); ask != nil {
		s.Answer(ask.Answer)
	}
	if len(s.Task().Checks) == 0 {
		return nil, nil
	}
	c, err := s.Check()
	if err != nil {
		return nil, err
	}
	if c.Done {
		faults = append(faults, "it is solved before it begins")
	}
	for _, step := range s.Task().Solution {
		if step.Kind == scenario.Query {
			s.NoteQuery(step.Message)
		}
		out, err := s.player.Play(&step)
		if err != nil {
			return faults, err
		}
		if out.Mismatch != nil {
			return append(faults, out.Mismatch.String()), nil
		}
	}
	if c, err = s.Check(); err != nil {
		return faults, err
	}
	for _, missing := range c.Missing() {
		faults = append(faults, "its solution does not reach: "+missing)
	}
	return faults, nil
}

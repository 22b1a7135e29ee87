package lesson

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/scenario"
)

// Session is a lesson that is being played. It is not safe for use by several
// goroutines at once; [Task.Look] on what it gives is.
type Session struct {
	Lesson Lesson

	chain   *chain.Chain
	task    int
	answers []Answer
	hints   int
	earlier Mark // of the tasks that were done in an earlier session
}

// Answer is what a learner said to a question.
type Answer struct {
	// Given is the choice that was made; "" while none was.
	Given string
	// Right tells that it was the right one.
	Right bool
}

// Begin begins a lesson on the empty chain that open gives: the set-up is
// played, and then everything up to a task (from 0) as its solution does, and
// undo never goes back behind that. It fails as open and the store do, and where
// the lesson does not play as it is written.
func Begin(open func() (*chain.Chain, error), l Lesson, task int) (*Session, error) {
	if task < 0 || task > len(l.Tasks) {
		return nil, fmt.Errorf("lesson %s: there is no task %d, expected one from 1 to %d", l.ID, task+1, len(l.Tasks))
	}
	c, err := open()
	if err != nil {
		return nil, err
	}
	s := &Session{Lesson: l, chain: c, task: task, answers: make([]Answer, len(l.Tasks))}
	if err := errors.Join(s.play(), c.Seal()); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return s, nil
}

// play plays what comes before the task.
func (s *Session) play() error {
	p, err := scenario.NewPlayer(s.chain, s.Lesson.header)
	if err != nil {
		return err
	}
	p.File = s.Lesson.ID
	steps := s.Lesson.setup
	for _, t := range s.Lesson.Tasks[:s.task] {
		steps = append(steps[:len(steps):len(steps)], t.Solution...) // never into the lesson's own
	}
	for i := range steps {
		out, err := p.Play(&steps[i])
		if err != nil {
			return err
		}
		if out.Mismatch != nil {
			return fmt.Errorf("the lesson does not play: %s", out.Mismatch)
		}
	}
	return nil
}

// Resume takes over how many questions were answered before this session, where
// a lesson is gone on with.
func (s *Session) Resume(m Mark) {
	if s.task > 0 && !m.Done {
		s.earlier = m
	}
}

// Continue takes over what was answered and which hints were asked for in a
// session of the same task, which this one begins anew.
func (s *Session) Continue(old *Session) {
	if s.Lesson.ID == old.Lesson.ID && s.task == old.task {
		s.answers, s.hints, s.earlier = old.answers, old.hints, old.earlier
	}
}

// Chain is the lesson's own chain. Whoever began the session closes it.
func (s *Session) Chain() *chain.Chain { return s.chain }

// At is the number of the task in hand, from 0; that of the last task plus one
// when the lesson is over.
func (s *Session) At() int { return s.task }

// Over tells that every task is done.
func (s *Session) Over() bool { return s.task >= len(s.Lesson.Tasks) }

// Task is the task in hand; nil when the lesson is over.
func (s *Session) Task() *Task {
	if s.Over() {
		return nil
	}
	return &s.Lesson.Tasks[s.task]
}

// Asks gives the question that is to be answered before anything else; nil when
// there is none.
func (s *Session) Asks() *scenario.Ask {
	if t := s.Task(); t != nil && t.Ask != nil && s.answers[s.task].Given == "" {
		return t.Ask
	}
	return nil
}

// Answer takes the answer to the question of the task in hand and tells whether
// it is right. The first answer stands: a prediction cannot be made twice.
func (s *Session) Answer(choice string) bool {
	if ask := s.Asks(); ask != nil {
		s.answers[s.task] = Answer{Given: choice, Right: choice == ask.Answer}
	}
	return !s.Over() && s.answers[s.task].Right
}

// Answered is what was said to the question of the task in hand.
func (s *Session) Answered() Answer {
	if s.Over() {
		return Answer{}
	}
	return s.answers[s.task]
}

// Right counts the right answers and the questions that were answered, those of
// an earlier session that this one resumes among them.
func (s *Session) Right() (right, of int) {
	right, of = s.earlier.Right, s.earlier.Asked
	for _, a := range s.answers {
		if a.Given != "" {
			of++
		}
		if a.Right {
			right++
		}
	}
	return right, of
}

// Hint gives the next stronger hint; the strongest stays.
func (s *Session) Hint() []string {
	if t := s.Task(); t != nil {
		s.hints = min(s.hints+1, len(t.Hints))
	}
	return s.Hints()
}

// Hints gives the hints that were asked for, from the weakest on.
func (s *Session) Hints() []string {
	if t := s.Task(); t != nil {
		return t.Hints[:s.hints]
	}
	return nil
}

// Solution gives one way to do the task, once the strongest hint was asked for.
// What the lesson's own solution only tries, to see the refusal, is left out.
func (s *Session) Solution() (steps []scenario.Step) {
	t := s.Task()
	if t == nil || len(t.Hints) == 0 || s.hints < len(t.Hints) {
		return nil
	}
	for _, step := range t.Solution {
		if step.Expect == nil || !step.Expect.Refused {
			steps = append(steps, step)
		}
	}
	return steps
}

// HintsLeft is how many stronger hints there are.
func (s *Session) HintsLeft() int {
	if t := s.Task(); t != nil {
		return len(t.Hints) - s.hints
	}
	return 0
}

// Check tells whether the task in hand is done, and which goals there are. It
// fails as the store does.
func (s *Session) Check() (Check, error) {
	t := s.Task()
	if t == nil {
		return Check{Done: true}, nil
	}
	c, err := t.Look(s.chain)
	c.Done = c.Done && s.Asks() == nil
	return c, err
}

// Next goes on to the next task. It does so only when the task in hand is done,
// as [Session.Check] has found.
func (s *Session) Next(c Check) bool {
	if s.Over() || !c.Done || s.Asks() != nil {
		return false
	}
	s.task++
	s.hints = 0
	return true
}

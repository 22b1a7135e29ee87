package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/scenario"
)

// Session is a lesson that is being played. It is not safe for use by several
// goroutines at once; [Task.Check] on what it gives is.
type Session struct {
	Lesson Lesson

	chain   *chain.Chain
	player  *scenario.Player
	task    int
	records  []TaskRecord // by task, what was done in this session or resumed
	startedAfter   history.ID
	queries [][]byte
	earlierTries  int // tries of the task in hand before this session
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
	s := &Session{Lesson: l, chain: c, task: task, records: make([]TaskRecord, len(l.Tasks))}
	if err := errors.Join(s.playUpToTask(), c.Seal(), s.noteStart()); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return s, nil
}

// noteStart takes down where the history stands when a task begins.
func (s *Session) noteStart() error {
	return s.chain.View(func(v *chain.View) error {
		state, err := v.HistoryState()
		s.startedAfter = state.Last
		return err
	})
}

// playUpToTask plays what comes before the task.
func (s *Session) playUpToTask() (err error) {
	if s.player, err = scenario.NewPlayer(s.chain, s.Lesson.header, scenario.Options{}); err != nil {
		return err
	}
	s.player.File = s.Lesson.ID
	steps := s.Lesson.setup
	for _, t := range s.Lesson.Tasks[:s.task] {
		steps = append(steps[:len(steps):len(steps)], t.Solution...) // never into the lesson's own
	}
	for i := range steps {
		out, err := s.player.Play(&steps[i])
		if err != nil {
			return err
		}
		if out.Mismatch != nil {
			return fmt.Errorf("the lesson does not play: %s", out.Mismatch)
		}
	}
	return nil
}

// Resume takes over what was done before this session, where a lesson is gone
// on with: a first answer stands, and so do the hints that were asked for.
func (s *Session) Resume(m LessonRecord) {
	if !m.Done && s.task == m.Tasks {
		copy(s.records, m.First)
		s.earlierTries = s.record().Tries
	}
}

// Continue takes over what was answered and which hints were asked for in a
// session of the same task, which this one begins anew.
func (s *Session) Continue(old *Session) {
	if s.Lesson.ID == old.Lesson.ID && s.task == old.task {
		s.records, s.queries = old.records, old.queries
		s.earlierTries = s.record().Tries
	}
}

// Chain is the lesson's own chain. Whoever began the session closes it.
func (s *Session) Chain() *chain.Chain { return s.chain }

// TaskIndex is the number of the task in hand, from 0; that of the last task plus one
// when the lesson is over.
func (s *Session) TaskIndex() int { return s.task }

// IsOver tells that every task is done.
func (s *Session) IsOver() bool { return s.task >= len(s.Lesson.Tasks) }

// Task is the task in hand as it stands now; nil when the lesson is over.
func (s *Session) Task() *Task {
	if s.IsOver() {
		return nil
	}
	t := s.Lesson.Tasks[s.task]
	t.state = taskState{questionOpen: s.Question() != nil, startedAfter: s.startedAfter, queries: slices.Clone(s.queries)}
	return &t
}

// record is what was done in the task in hand.
func (s *Session) record() *TaskRecord {
	if s.IsOver() {
		return &TaskRecord{} // nothing is kept of it
	}
	return &s.records[s.task]
}

// Question gives the question that is to be answered before anything else; nil when
// there is none.
func (s *Session) Question() *scenario.Ask {
	if s.IsOver() || s.record().Given != "" {
		return nil
	}
	return s.Lesson.Tasks[s.task].Ask
}

// Answer takes the answer to the question of the task in hand and tells whether
// it is right. The first answer stands: a prediction cannot be made twice.
func (s *Session) Answer(choice string) bool {
	if ask := s.Question(); ask != nil {
		s.record().Given, s.record().Right = choice, choice == ask.Answer
	}
	return s.record().Right
}

// Answered is what was said to the question of the task in hand, and done in it.
func (s *Session) Answered() TaskRecord { return *s.record() }

// Right counts the right answers and the questions that were answered, also
// before this session.
func (s *Session) Right() (right, of int) {
	for _, p := range s.records {
		if p.Given != "" {
			of++
		}
		if p.Right {
			right++
		}
	}
	return right, of
}

// NoteQuery takes down that the learner asked a query: some goals are to ask one.
func (s *Session) NoteQuery(msg []byte) { s.queries = append(s.queries, bytes.Clone(msg)) }

// AddTime adds to the time that the learner took for the task in hand.
func (s *Session) AddTime(d time.Duration) { s.record().Seconds += d.Seconds() }

// Hint gives the next stronger hint; the strongest stays.
func (s *Session) Hint() []string {
	s.record().Hints = min(s.record().Hints+1, len(s.allHints()))
	return s.Hints()
}

// Hints gives the hints that were asked for, from the weakest on.
func (s *Session) Hints() []string { return s.allHints()[:len(s.allHints())-s.HintsLeft()] }

// HintsLeft is how many stronger hints there are.
func (s *Session) HintsLeft() int { return max(len(s.allHints())-s.record().Hints, 0) }

func (s *Session) allHints() []string {
	if s.IsOver() {
		return nil
	}
	return s.Lesson.Tasks[s.task].Hints
}

// Solution gives one way to do the task, once the strongest hint was asked for.
// What the lesson's own solution only tries is left out where the learner need
// not try it.
func (s *Session) Solution() (steps []scenario.Step) {
	t := s.Task()
	if t == nil || len(t.Hints) == 0 || s.HintsLeft() > 0 {
		return nil
	}
	for _, step := range t.Solution {
		if isAttempt(&step) || step.Kind != scenario.Query && (step.Expect == nil || !step.Expect.Refused) {
			steps = append(steps, step)
		}
	}
	return steps
}

// Check tells whether the task in hand is done, and which goals there are. It
// fails as the store does.
func (s *Session) Check() (Check, error) {
	if s.IsOver() {
		return Check{Done: true}, nil
	}
	c, err := s.Task().Check(s.chain)
	s.NoteAttempt(c)
	return c, err
}

// NoteAttempt takes down how many messages were sent in the task in hand.
func (s *Session) NoteAttempt(c Check) { s.record().Tries = s.earlierTries + c.tries }

// Next goes on to the next task. It does so only when the task in hand is done,
// as [Session.Check] or [Task.Check] has found.
func (s *Session) Next(c Check) bool {
	if s.IsOver() || !c.Done || s.Question() != nil {
		return false
	}
	s.NoteAttempt(c)
	s.record().Done = true
	s.task++
	s.startedAfter, s.queries, s.earlierTries = c.last, nil, 0
	return true
}

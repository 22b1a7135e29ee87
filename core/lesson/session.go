package lesson

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"ephemera/core/chain"
	"ephemera/core/scenario"
)

// Session is a lesson that is being played, on a chain of its own. Only one goroutine may use
// a session. [Task.Check] may run on another goroutine, because [Session.Task] returns a copy.
type Session struct {
	Lesson Lesson
	// Learner is the name of who plays. It decides in which order choices are shown. A
	// learner without a name sees the order of the file.
	Learner string

	open   func() (*chain.Chain, error) // returns an empty chain for the lesson
	chain  *chain.Chain
	player *scenario.Player // plays steps of the lesson's file on chain
	task   int              // index of the current task; len(Lesson.Tasks) once the lesson is over
	// records holds what the learner did, by task, including earlier sessions.
	records []TaskRecord
	state   taskState // of the current task
	// repeats has the tasks that the session repeats, the current one first; nil if it plays
	// the lesson. See [Repeat].
	repeats []int
	// earlierTries is how many messages were sent for the current task in earlier
	// sessions.
	earlierTries int
	score        *Score // of the challenge or game that was solved; nil before that
	// shortestWay describes the shortest known way to a mistake that was named.
	shortestWay []string
}

// Begin starts a lesson at a task, counted from 0. On the empty chain that open returns it
// plays the set-up and the solutions of the earlier tasks; undo does not go back behind them.
// A game of "find the mistake" gets a chain with the wrong contract instead. Begin fails if
// open or the store fails, and if a step of the lesson has another outcome than the file
// expects.
func Begin(open func() (*chain.Chain, error), l Lesson, task int) (*Session, error) {
	if task < 0 || task > len(l.Tasks) {
		return nil, fmt.Errorf("lesson %s: there is no task %d, expected one from 1 to %d", l.ID, task+1, len(l.Tasks))
	}
	if l.IsGame() {
		open = l.Tasks[0].Mistake.openMutant
	}
	return begin(open, l, task)
}

// begin starts a lesson at a task on the chain that open returns. [Begin] calls it with the
// mutant's chain for a game of "find the mistake".
func begin(open func() (*chain.Chain, error), l Lesson, task int) (*Session, error) {
	c, err := open()
	if err != nil {
		return nil, err
	}

	s := &Session{Lesson: l, chain: c, task: task, records: make([]TaskRecord, len(l.Tasks)), open: open}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return s, nil
}

// prepare brings a new chain to the start of the current task, and seals what was played,
// so that undo cannot go back behind it.
func (s *Session) prepare() error {
	if err := s.playUpToTask(); err != nil {
		return err
	}
	if err := s.chain.Seal(); err != nil {
		return err
	}
	return s.chain.View(func(v *chain.View) error {
		historyState, err := v.HistoryState()
		s.state.startedAfter = historyState.Last
		return err
	})
}

// playUpToTask plays the set-up and the solutions of the tasks before the current one, on
// the empty chain of a new session. It fails if a step has another outcome than the
// lesson's file expects.
func (s *Session) playUpToTask() error {
	player, err := scenario.NewPlayer(s.chain, s.Lesson.header, scenario.Options{})
	if err != nil {
		return err
	}
	player.File = s.Lesson.ID
	s.player = player
	if s.Lesson.IsChallenge() {
		s.chain.KeepPace()
	}

	// The tasks before this one leave the collection as their solutions do.
	steps := slices.Clone(s.Lesson.setup)
	for _, task := range s.Lesson.Tasks[:s.task] {
		steps = append(steps, task.Solution...)
	}
	for i := range steps {
		outcome, err := player.Play(&steps[i])
		if err != nil {
			return err
		}
		if outcome.Mismatch != nil {
			return fmt.Errorf("the lesson does not play: %s", outcome.Mismatch)
		}
	}
	return nil
}

// Resume takes over the stored record of an unfinished lesson, so that earlier answers and
// hints still count. It does nothing if the lesson was finished, or if the session is at
// another task than the learner was.
func (s *Session) Resume(earlier LessonRecord) {
	if !earlier.Done && s.task == earlier.Tasks {
		copy(s.records, earlier.First)
		s.earlierTries = s.record().Tries
	}
}

// Continue takes over the answers, hints and queries of an old session whose task this session
// restarts on a new chain. It does nothing if the old session is of another task.
func (s *Session) Continue(old *Session) {
	isSameTask := s.Lesson.ID == old.Lesson.ID && s.task == old.task
	if !isSameTask {
		return
	}
	s.records = old.records
	s.repeats = old.repeats
	s.earlierTries = s.record().Tries

	// In a game each query counts as a message, so the earlier tries include the queries.
	if !s.Lesson.IsGame() {
		s.state.queries = old.state.queries
	}
}

// Score returns how a challenge or a game was solved. It is nil before that, and for other
// lessons.
func (s *Session) Score() *Score { return s.score }

// Chain returns the lesson's chain. The caller of [Begin] closes it.
func (s *Session) Chain() *chain.Chain { return s.chain }

// TaskIndex returns the index of the current task, from 0. It is the number of tasks
// if the lesson is over.
func (s *Session) TaskIndex() int { return s.task }

// IsOver reports whether every task is done. A session that repeats tasks that went wrong has
// one task at a time, and is over when that is done.
func (s *Session) IsOver() bool {
	isRepeated := s.IsRepeat() && s.task > s.repeats[0]
	return isRepeated || s.task >= len(s.Lesson.Tasks)
}

// Task returns a copy of the current task that [Task.Check] can check on another goroutine,
// while the session goes on. It returns nil if the lesson is over.
func (s *Session) Task() *Task {
	if s.IsOver() {
		return nil
	}
	task := s.Lesson.Tasks[s.task]
	task.state = s.state
	task.state.questionOpen = s.Question() != nil

	// If a goal was lost, the check plays the task again to find out why.
	task.state.beginAgain = beginAnswered(s.open, s.Lesson, s.task)
	return &task
}

// beginAnswered returns a function that begins a lesson at a task, as [Begin] does, with the
// question of the task answered.
func beginAnswered(open func() (*chain.Chain, error), l Lesson, task int) func() (*Session, error) {
	return func() (*Session, error) {
		s, err := begin(open, l, task)
		if err == nil && s.Question() != nil {
			s.Answer(s.Question().Answer)
		}
		return s, err
	}
}

// record returns the record of the current task, for callers to change. If the lesson is
// over, record returns an empty record, and changes to it are lost.
func (s *Session) record() *TaskRecord {
	if s.IsOver() {
		return &TaskRecord{}
	}
	return &s.records[s.task]
}

// Question returns the question of the current task; nil if there is none or it has
// been answered.
func (s *Session) Question() *scenario.Ask {
	if s.IsOver() || s.record().Given != "" {
		return nil
	}
	return s.Lesson.Tasks[s.task].Ask
}

// Choices returns the choices of the current task's question, also after the answer, in the
// order in which the learner sees them: shuffled, always in the same way for the same learner
// and question. It returns nil for a task without a question.
func (s *Session) Choices() []string {
	if s.IsOver() || s.Lesson.Tasks[s.task].Ask == nil {
		return nil
	}
	question := s.Lesson.Tasks[s.task].Ask
	choices := slices.Clone(question.Choices)
	if s.Learner == "" {
		return choices
	}
	seed := sha256.Sum256([]byte(s.Learner + "\n" + question.Question))
	shuffle := rand.New(rand.NewChaCha8(seed))
	shuffle.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
	return choices
}

// NoteLook records that the learner left the open question to look around before the answer.
func (s *Session) NoteLook() {
	if s.Question() != nil {
		s.record().Looked++
	}
}

// Answer answers the question of the current task and reports whether the answer is
// right. Only the first answer counts.
func (s *Session) Answer(choice string) bool {
	record := s.record()
	if question := s.Question(); question != nil {
		record.Given = choice
		record.Right = choice == question.Answer
		record.Looked += record.Tries + len(s.state.queries)
	}
	return record.Right
}

// Answered returns a copy of the record of the current task: the answer that was given, and
// how many hints were shown and messages sent.
func (s *Session) Answered() TaskRecord { return *s.record() }

// Right returns how many of the lesson's questions were answered rightly, and how many were
// answered, including those of earlier sessions.
func (s *Session) Right() (right, answered int) {
	for _, record := range s.records {
		if record.Given != "" {
			answered++
		}
		if record.Right {
			right++
		}
	}
	return right, answered
}

// Corrections returns a sentence with the right answer for each question of the lesson that
// was answered wrongly, in the order of the tasks, such as `Task 2: "Who owns rose?" It is:
// bob`. Answers of earlier sessions are among them.
func (s *Session) Corrections() (sentences []string) {
	for i, task := range s.Lesson.Tasks {
		record := s.records[i]
		isWrong := task.Ask != nil && record.Given != "" && !record.Right
		if isWrong {
			sentences = append(sentences, fmt.Sprintf("Task %d: %q It is: %s", i+1, task.Ask.Question, task.Ask.Answer))
		}
	}
	return sentences
}

// NoteQuery records that the learner sent a query. The history has no queries, and some
// goals are to send one.
func (s *Session) NoteQuery(msg []byte) {
	s.state.queries = append(s.state.queries, bytes.Clone(msg))
}

// AddTime adds to the time that the learner spent on the current task.
func (s *Session) AddTime(d time.Duration) { s.record().Seconds += d.Seconds() }

// Hint shows one more hint and returns all that are shown. It changes nothing once
// every hint is shown.
func (s *Session) Hint() []string {
	record := s.record()
	record.Hints = min(record.Hints+1, len(s.allHints()))
	return s.Hints()
}

// Hints returns the hints that were shown, from weak to strong.
func (s *Session) Hints() []string {
	hints := s.allHints()
	return hints[:min(s.record().Hints, len(hints))]
}

// HintsLeft returns the number of hints that were not shown.
func (s *Session) HintsLeft() int { return len(s.allHints()) - len(s.Hints()) }

// allHints returns the hints of the current task, shown or not. There are none once the
// lesson is over.
func (s *Session) allHints() []string {
	if s.IsOver() {
		return nil
	}
	return s.Lesson.Tasks[s.task].Hints
}

// Solution returns one way to do the current task, once every hint is shown, and nil before.
// Queries and refused messages are left out, unless the learner must try them.
func (s *Session) Solution() (steps []scenario.Step) {
	task := s.Task()
	if task == nil || len(task.Hints) == 0 || s.HintsLeft() > 0 {
		return nil
	}
	for _, step := range task.Solution {
		changesChain := step.Kind != scenario.Query && !mustBeRefused(&step)
		if isAttempt(&step) || changesChain {
			steps = append(steps, step)
		}
	}
	return steps
}

// Check returns the goals of the current task and whether it is done, and records how many
// messages the learner has sent. A lesson that is over is done. Check fails if the store
// fails.
func (s *Session) Check() (Check, error) {
	if s.IsOver() {
		return Check{Done: true}, nil
	}
	check, err := s.Task().Check(s.chain)
	s.NoteAttempt(check)
	return check, err
}

// NoteAttempt records how many messages the learner has sent in the current task: those that
// a check has counted on the chain, and those of earlier sessions.
func (s *Session) NoteAttempt(c Check) { s.record().Tries = s.earlierTries + c.tries }

// Next starts the next task, or ends the lesson after the last one, and reports whether it
// did. It does nothing if check does not say that the current task is done, or if the
// task's question is not answered.
func (s *Session) Next(check Check) bool {
	if s.IsOver() || !check.Done || s.Question() != nil {
		return false
	}

	s.NoteAttempt(check)
	s.record().Done = true
	if check.Score != nil {
		if mistake := s.Task().Mistake; mistake != nil {
			s.completeScore(check.Score, mistake)
		}
		s.score = check.Score
		s.record().Messages = check.Score.Messages
		s.record().Par = check.Score.Par
	}

	// The next task begins behind everything that the history has now.
	s.task++
	s.state = taskState{startedAfter: check.last}
	s.earlierTries = 0
	return true
}

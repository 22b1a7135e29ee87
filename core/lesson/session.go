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

// Session is a lesson that is being played, on a chain of its own. Only one goroutine may
// use a session. [Task.Check] may run on another goroutine, because [Session.Task] returns
// a copy.
type Session struct {
	Lesson Lesson
	// Learner is the name of the person who plays. It decides in which order choices are
	// shown. If it is empty, they have the order of the file.
	Learner string

	// openChain returns an empty chain for the lesson.
	openChain chainOpener
	// chain is the chain on which the lesson is played.
	chain *chain.Chain
	// player plays steps of the lesson's file on chain.
	player *scenario.Player
	// taskIndex is the index of the current task. It is len(Lesson.Tasks) once the lesson
	// is over.
	taskIndex int
	// records has what the learner did in each task, in this and in earlier sessions.
	records []TaskRecord
	// state is the state of the current task.
	state taskState
	// indicesToRepeat has the indices of the tasks to repeat, that of this session first. It
	// is nil in a session that plays the whole lesson; see [Repeat].
	indicesToRepeat []int
	// earlierTries is the number of messages that were sent in the current task in earlier
	// sessions.
	earlierTries int
	// score is the score of the challenge or game. It is nil until it is solved.
	score *Score
	// shortestLines describes the shortest known solution of a game, a line for each step. It
	// is nil until the mistake is named.
	shortestLines []string
}

// chainOpener returns an empty chain for a lesson.
type chainOpener = func() (*chain.Chain, error)

// Begin starts a lesson at the task with an index, from 0. It plays the set-up and the
// solutions of the earlier tasks on the empty chain that openChain returns. The learner
// cannot undo these steps. A game of "find the mistake" is played on a chain with the wrong
// contract instead.
//
// Begin fails if openChain or the store fails, if there is no such task, and if a step has
// another outcome than the lesson's file expects.
func Begin(openChain chainOpener, lesson Lesson, taskIndex int) (*Session, error) {
	if taskIndex < 0 || taskIndex > len(lesson.Tasks) {
		return nil, fmt.Errorf("lesson %s: there is no task %d, expected one from 1 to %d",
			lesson.ID,
			taskIndex+1,
			len(lesson.Tasks))
	}
	if lesson.IsGame() {
		openChain = lesson.Tasks[0].Mistake.openWrongChain
	}
	return beginOnNewChain(openChain, lesson, taskIndex)
}

// beginOnNewChain starts a lesson at the task with an index, as [Begin] does, on the
// chain that openChain returns, even for a game of "find the mistake". The index must be
// valid. If beginOnNewChain fails, it closes the chain.
func beginOnNewChain(openChain chainOpener, lesson Lesson, taskIndex int) (*Session, error) {
	emptyChain, err := openChain()
	if err != nil {
		return nil, err
	}

	session := &Session{
		Lesson:    lesson,
		openChain: openChain,
		chain:     emptyChain,
		taskIndex: taskIndex,
		records:   make([]TaskRecord, len(lesson.Tasks)),
	}
	if err := session.prepare(); err != nil {
		return nil, errors.Join(err, emptyChain.Close())
	}
	return session, nil
}

// prepare plays everything before the current task on the new chain of the session. Then it
// seals the history of the chain, so that the learner cannot undo what was played.
func (s *Session) prepare() error {
	if err := s.playUpToTask(); err != nil {
		return err
	}
	if err := s.chain.Seal(); err != nil {
		return err
	}
	return s.chain.View(func(view *chain.View) error {
		historyState, err := view.HistoryState()
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

	// In a challenge a clock move changes both height and time, so that every grant expires
	// at some height, even one that expires at a time.
	if s.Lesson.IsChallenge() {
		s.chain.KeepPace()
	}

	// The solutions of the earlier tasks bring the collection to the state that the current
	// task starts from.
	steps := slices.Clone(s.Lesson.setup)
	for _, task := range s.Lesson.Tasks[:s.taskIndex] {
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
// hints still count. It does nothing if the lesson was finished, or if the session does not
// begin at the task at which the learner stopped.
func (s *Session) Resume(earlierRecord LessonRecord) {
	if earlierRecord.Done || s.taskIndex != earlierRecord.DoneTasks {
		return
	}
	copy(s.records, earlierRecord.FirstRecords)
	s.earlierTries = s.currentRecord().Tries
}

// Continue takes over the answers, hints and queries of an old session. This session begins
// the same task again on a new chain. Continue does nothing if the tasks are not the same.
func (s *Session) Continue(oldSession *Session) {
	isSameTask := s.Lesson.ID == oldSession.Lesson.ID && s.taskIndex == oldSession.taskIndex
	if !isSameTask {
		return
	}
	s.records = oldSession.records
	s.indicesToRepeat = oldSession.indicesToRepeat
	s.earlierTries = s.currentRecord().Tries

	// In a game each query counts as a try. The earlier tries include the queries already,
	// so to take the queries over would count them twice.
	if !s.Lesson.IsGame() {
		s.state.queries = oldSession.state.queries
	}
}

// Score returns the score of a challenge or game that was solved. It returns nil before
// that, and for any other lesson.
func (s *Session) Score() *Score { return s.score }

// Chain returns the lesson's chain. The caller of [Begin] closes it.
func (s *Session) Chain() *chain.Chain { return s.chain }

// TaskIndex returns the index of the current task, from 0. It is the number of tasks
// if the lesson is over.
func (s *Session) TaskIndex() int { return s.taskIndex }

// IsOver reports whether every task of the session is done. A session that repeats a task
// has only that task; see [Repeat].
func (s *Session) IsOver() bool {
	isRepetitionDone := s.IsRepeat() && s.taskIndex > s.indicesToRepeat[0]
	return isRepetitionDone || s.taskIndex >= len(s.Lesson.Tasks)
}

// Task returns a copy of the current task that [Task.Check] can check on another goroutine,
// while the session goes on. It returns nil if the lesson is over.
func (s *Session) Task() *Task {
	if s.IsOver() {
		return nil
	}
	task := s.Lesson.Tasks[s.taskIndex]
	task.state = s.state
	task.state.isQuestionOpen = s.Question() != nil

	// If a goal can no longer be reached, the check plays the task again to find out why.
	task.state.beginAgain = beginAnswered(s.openChain, s.Lesson, s.taskIndex)
	return &task
}

// beginAnswered returns a function that begins a lesson at a task, as [beginOnNewChain]
// does, and answers the question of the task rightly, so that its goals can be checked.
func beginAnswered(openChain chainOpener, lesson Lesson, taskIndex int) func() (*Session, error) {
	return func() (*Session, error) {
		session, err := beginOnNewChain(openChain, lesson, taskIndex)
		if err == nil && session.Question() != nil {
			session.Answer(session.Question().Answer)
		}
		return session, err
	}
}

// currentRecord returns the record of the current task, which callers may change. If the
// lesson is over, it returns a new empty record, and changes to that have no effect.
func (s *Session) currentRecord() *TaskRecord {
	if s.IsOver() {
		return &TaskRecord{}
	}
	return &s.records[s.taskIndex]
}

// Question returns the question of the current task; nil if there is none or it has
// been answered.
func (s *Session) Question() *scenario.Ask {
	if s.IsOver() || s.currentRecord().Given != "" {
		return nil
	}
	return s.Lesson.Tasks[s.taskIndex].Ask
}

// Choices returns the choices of the current task's question in the order in which the
// learner sees them. The same learner always sees the same shuffled order for a question. A
// learner without a name sees the order of the file. Choices returns nil for a task without
// a question. It returns the choices even if the question is answered.
func (s *Session) Choices() []string {
	if s.IsOver() {
		return nil
	}
	question := s.Lesson.Tasks[s.taskIndex].Ask
	if question == nil {
		return nil
	}
	choices := slices.Clone(question.Choices)
	if s.Learner == "" {
		return choices
	}

	// Shuffle at random, but with a seed that only depends on the learner and the question.
	seed := sha256.Sum256([]byte(s.Learner + "\n" + question.Question))
	random := rand.New(rand.NewChaCha8(seed))
	swap := func(i, j int) { choices[i], choices[j] = choices[j], choices[i] }
	random.Shuffle(len(choices), swap)
	return choices
}

// NoteLook records that the learner left the question to look around before answering it. It
// does nothing if no question is open.
func (s *Session) NoteLook() {
	if s.Question() != nil {
		s.currentRecord().LookCount++
	}
}

// Answer answers the question of the current task, and reports whether the answer is right.
// If the question is answered already, Answer changes nothing and reports whether the first
// answer was right.
func (s *Session) Answer(choice string) bool {
	record := s.currentRecord()
	question := s.Question()
	if question == nil {
		return record.Right
	}
	record.Given = choice
	record.Right = choice == question.Answer
	record.LookCount += record.Tries + len(s.state.queries)
	return record.Right
}

// Answered returns a copy of the record of the current task: the answer that was given, and
// how many hints were shown and messages sent.
func (s *Session) Answered() TaskRecord { return *s.currentRecord() }

// AnswerCounts returns how many of the lesson's questions were answered rightly, and how
// many were answered at all. It counts the answers of earlier sessions too.
func (s *Session) AnswerCounts() (right, answered int) {
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

// Corrections returns a sentence for each question of the lesson that was answered wrongly,
// such as `Task 2: "Who owns rose?" It is: bob`. The sentences are in the order of the
// tasks, and include answers of earlier sessions.
func (s *Session) Corrections() (sentences []string) {
	for i, task := range s.Lesson.Tasks {
		record := s.records[i]
		isWrong := task.Ask != nil && record.Given != "" && !record.Right
		if isWrong {
			text := fmt.Sprintf("Task %d: %q It is: %s", i+1, task.Ask.Question, task.Ask.Answer)
			sentences = append(sentences, text)
		}
	}
	return sentences
}

// NoteQuery records that the learner sent a query. Some goals are to send one, and the
// history of the chain has no queries.
func (s *Session) NoteQuery(msg []byte) {
	s.state.queries = append(s.state.queries, bytes.Clone(msg))
}

// AddTime adds to the time that the learner spent on the current task.
func (s *Session) AddTime(duration time.Duration) { s.currentRecord().Seconds += duration.Seconds() }

// ShowNextHint shows one more hint, and returns all hints that are shown, from weak to
// strong. It only returns them if every hint is shown already.
func (s *Session) ShowNextHint() []string {
	record := s.currentRecord()
	record.Hints = min(record.Hints+1, len(s.allHints()))
	return s.Hints()
}

// Hints returns the hints that were shown, from weak to strong.
func (s *Session) Hints() []string {
	hints := s.allHints()
	return hints[:min(s.currentRecord().Hints, len(hints))]
}

// HintsLeft returns the number of hints that were not shown.
func (s *Session) HintsLeft() int { return len(s.allHints()) - len(s.Hints()) }

// allHints returns the hints of the current task, shown or not. There are none once the
// lesson is over.
func (s *Session) allHints() []string {
	if s.IsOver() {
		return nil
	}
	return s.Lesson.Tasks[s.taskIndex].Hints
}

// Solution returns the steps of one solution of the current task. It returns nil until
// every hint is shown. Queries and refused messages are left out, unless the learner must
// try them.
func (s *Session) Solution() (steps []scenario.Step) {
	task := s.Task()
	if task == nil || len(task.Hints) == 0 || s.HintsLeft() > 0 {
		return nil
	}
	for _, step := range task.Solution {
		changesChain := step.Kind != scenario.Query && !mustBeRefused(step)
		if mustBeTried(step) || changesChain {
			steps = append(steps, step)
		}
	}
	return steps
}

// Check returns the goals of the current task and whether all are reached. It also records
// how many messages the learner has sent. If the lesson is over, there are no goals, and
// Done is true. Check fails if the store fails.
func (s *Session) Check() (Check, error) {
	if s.IsOver() {
		return Check{Done: true}, nil
	}
	check, err := s.Task().Check(s.chain)
	s.NoteAttempt(check)
	return check, err
}

// NoteAttempt records how many messages the learner has sent in the current task. That is
// the number that a check has counted on the chain, plus the number of earlier sessions.
func (s *Session) NoteAttempt(c Check) { s.currentRecord().Tries = s.earlierTries + c.tries }

// Next starts the next task, or ends the lesson after its last task. check is the latest
// check of the current task. Next does nothing and returns false if the task is not done by
// that check, if the task's question is not answered, or if the lesson is over.
func (s *Session) Next(check Check) bool {
	if s.IsOver() || !check.Done || s.Question() != nil {
		return false
	}

	// Record what the learner has done. A challenge and a game have a score.
	s.NoteAttempt(check)
	s.currentRecord().Done = true
	if check.Score != nil {
		if mistake := s.Task().Mistake; mistake != nil {
			s.completeScore(check.Score, mistake)
		}
		s.score = check.Score
		s.currentRecord().Messages = check.Score.Messages
		s.currentRecord().Par = check.Score.Par
	}

	// Start the next task. Whatever the history has now belongs to earlier tasks.
	s.taskIndex++
	s.state = taskState{startedAfter: check.lastNode}
	s.earlierTries = 0
	return true
}

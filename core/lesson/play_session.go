package lesson

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/scenario"
)

// Session is a lesson that is being played, on a chain of its own. What begins a session and
// what the learner does in it changes it; all methods in this file read it. Only one goroutine
// may use a session, but [Task.Check] may run on another.
type Session struct {
	Lesson  Lesson
	Learner string // the name of the person who plays; see [Session.Choices]

	openChain       chainOpener
	chain           *chain.Chain
	player          *scenario.Player // plays steps of the lesson's file on chain
	taskIndex       int              // of the current task; len(Lesson.Tasks) once the lesson is over
	records         []TaskRecord     // what the learner did in each task, also in earlier sessions
	state           taskState        // of the current task
	indicesToRepeat []int            // this session's task first; nil for a whole lesson; see [Repeat]
	earlierTries    int              // messages sent in the current task in earlier sessions
	score           *Score           // of a challenge or game; nil until it is solved
	shortestLines   []string         // the shortest known solution of a game; nil until the mistake is named
}

// taskState is what a session knows about the task that is being played.
type taskState struct {
	isQuestionOpen bool       // the learner has not answered the task's question
	startedAfter   history.ID // the newest node when the task started
	queries        [][]byte   // sent by the learner in the task
	isMistakeNamed bool       // the learner has named the mistake of the task
	// beginAgain begins the same task on a new chain, which the caller closes. It is nil in a
	// check that must not explain lost goals.
	beginAgain func() (*Session, error)
}

// Chain returns the lesson's chain. The caller of [Begin] closes it.
func (s *Session) Chain() *chain.Chain { return s.chain }

// TaskIndex returns the index of the current task, or the number of tasks if the lesson is over.
func (s *Session) TaskIndex() int { return s.taskIndex }

// IsOver reports whether every task of the session is done. One of [Repeat] has only one.
func (s *Session) IsOver() bool {
	if s.IsRepeat() && s.taskIndex > s.indicesToRepeat[0] {
		return true
	}
	return s.taskIndex >= len(s.Lesson.Tasks)
}

// IsRepeat reports whether the session is one of [Repeat].
func (s *Session) IsRepeat() bool { return len(s.indicesToRepeat) > 0 }

// RepeatsLeft returns how many more tasks are to be repeated after the one of this session.
func (s *Session) RepeatsLeft() int { return max(0, len(s.indicesToRepeat)-1) }

// Task returns a copy of the current task that [Task.Check] can check on another goroutine,
// while the session goes on. It returns nil if the lesson is over.
func (s *Session) Task() *Task {
	if s.IsOver() {
		return nil
	}
	task := s.currentTask()
	task.state = s.state
	task.state.isQuestionOpen = s.Question() != nil

	// If a goal can no longer be reached, the check plays the task again to find out why. The
	// goals are only checked if the question is answered.
	lesson := s.Lesson
	taskIndex := s.taskIndex // the session goes on meanwhile
	task.state.beginAgain = func() (*Session, error) {
		session, err := beginOnNewChain(s.openChain, lesson, taskIndex)
		if err == nil {
			session.answerRightly()
		}
		return session, err
	}
	return &task
}

// currentTask returns the current task without its state, and an empty task if the lesson is
// over.
func (s *Session) currentTask() Task {
	if s.IsOver() {
		return Task{}
	}
	return s.Lesson.Tasks[s.taskIndex]
}

// currentRecord returns the record of the current task, which callers may change. If the
// lesson is over, it returns a new empty record, and changes to that have no effect.
func (s *Session) currentRecord() *TaskRecord {
	if s.IsOver() {
		return &TaskRecord{}
	}
	return &s.records[s.taskIndex]
}

// Question returns the question of the current task, or nil if it has been answered.
func (s *Session) Question() *scenario.Ask {
	if s.currentRecord().Given != "" {
		return nil
	}
	return s.currentTask().Ask
}

// Choices returns the choices of the current question, answered or not. The same learner always
// sees the same shuffled order. A learner without a name sees the order of the file.
func (s *Session) Choices() []string {
	question := s.currentTask().Ask
	if question == nil {
		return nil
	}
	choices := question.Choices.Texts()
	if s.Learner == "" {
		return choices
	}

	seed := sha256.Sum256([]byte(s.Learner + "\n" + question.Question))
	random := rand.New(rand.NewChaCha8(seed))
	random.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
	return choices
}

// Hints returns the hints that were shown, from weak to strong.
func (s *Session) Hints() []string {
	hints := s.currentTask().Hints
	return hints[:min(s.currentRecord().Hints, len(hints))]
}

// HintsLeft returns the number of hints that were not shown.
func (s *Session) HintsLeft() int { return len(s.currentTask().Hints) - len(s.Hints()) }

// Solution returns one solution of the current task, and nil until every hint is shown. Queries
// and refused messages are left out, unless the learner must try them.
func (s *Session) Solution() (steps []scenario.Step) {
	task := s.currentTask()
	if len(task.Hints) == 0 || s.HintsLeft() > 0 {
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

// Answered returns a copy of the record of the current task.
func (s *Session) Answered() TaskRecord { return *s.currentRecord() }

// AnswerCounts returns how many questions were answered rightly, and how many at all, also in
// earlier sessions.
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

// Corrections returns a sentence such as `Task 2: "Who owns rose?" It is: bob` for each question
// that was answered wrongly, also in earlier sessions.
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

// Score returns the score of a challenge or game that was solved, and otherwise nil.
func (s *Session) Score() *Score { return s.score }

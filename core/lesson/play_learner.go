package lesson

import (
	"bytes"
	"errors"
	"time"
)

// NoteLook records that the learner left an open question to look around.
func (s *Session) NoteLook() {
	if s.Question() != nil {
		s.currentRecord().LookCount++
	}
}

// Answer answers the question of the current task, and reports whether the answer is right. A
// second answer changes nothing, and Answer reports whether the first was right.
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

// NoteQuery records that the learner sent a query, which the history of the chain does not.
func (s *Session) NoteQuery(msg []byte) {
	s.state.queries = append(s.state.queries, bytes.Clone(msg))
}

// AddTime adds to the time that the learner spent on the current task.
func (s *Session) AddTime(duration time.Duration) { s.currentRecord().Seconds += duration.Seconds() }

// ShowNextHint shows one more hint, if there is one, and returns all that are shown.
func (s *Session) ShowNextHint() []string {
	record := s.currentRecord()
	record.Hints = min(record.Hints+1, len(s.currentTask().Hints))
	return s.Hints()
}

// ErrNothingTried is the error of [Session.NameMistake] for a learner who names the mistake
// before any message or query, and so can only guess.
var ErrNothingTried = errors.New("send a message or a query first: an answer must betray the mistake")

// NameMistake reports whether a belief is the mistake of the current task, if the task has one.
// If it is not, NameMistake counts a wrong name. It fails with [ErrNothingTried] before the
// first message or query, and as [Lesson.CompareContracts] does.
func (s *Session) NameMistake(belief string) (isRight bool, err error) {
	mistake := s.currentTask().Mistake
	if mistake == nil {
		return false, nil
	}
	if s.currentRecord().Tries == 0 && len(s.state.queries) == 0 {
		return false, ErrNothingTried
	}
	if belief != mistake.mutant.Belief {
		s.currentRecord().WrongNames++
		return false, nil
	}

	s.state.isMistakeNamed = true
	s.shortestLines, err = s.Lesson.describeKiller(s.taskIndex, mistake)
	return true, err
}

// Check evaluates the goals of the current task, and records how many messages the learner has
// sent. If the lesson is over, there are no goals, and Done is true.
func (s *Session) Check() (Check, error) {
	if s.IsOver() {
		return Check{Done: true}, nil
	}
	check, err := s.Task().Check(s.chain)
	s.NoteAttempt(check)
	return check, err
}

// NoteAttempt records how many messages the learner has sent in the current task: those that a
// check has counted on the chain, and those of earlier sessions.
func (s *Session) NoteAttempt(c Check) { s.currentRecord().Tries = s.earlierTries + c.tries }

// Next starts the next task, or ends the lesson after its last task. It does nothing and
// returns false if the task is not done by check, its latest one, if its question is not
// answered, or if the lesson is over.
func (s *Session) Next(check Check) bool {
	if s.IsOver() || !check.Done || s.Question() != nil {
		return false
	}

	// Record what the learner has done. A challenge and a game have a score. In a game it also
	// has what the chain does not know: messages of earlier sessions, and wrong names.
	s.NoteAttempt(check)
	record := s.currentRecord()
	record.Done = true
	if score := check.Score; score != nil {
		if mistake := s.currentTask().Mistake; mistake != nil {
			score.WrongNames = record.WrongNames
			score.Messages = record.Tries + WrongNameCost*record.WrongNames
			score.Par = mistake.par
			score.ShortestLines = s.shortestLines
		}
		s.score = score
		record.Messages = score.Messages
		record.Par = score.Par
	}

	// Start the next task. Whatever the history has now belongs to earlier tasks.
	s.taskIndex++
	s.state = taskState{startedAfter: check.lastNode}
	s.earlierTries = 0
	return true
}

func (s *Session) answerRightly() {
	if question := s.Question(); question != nil {
		s.Answer(question.Answer)
	}
}

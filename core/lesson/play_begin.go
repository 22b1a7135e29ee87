package lesson

import (
	"errors"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/scenario"
)

// Begin starts a lesson at the task with an index, from 0. It plays the set-up and the
// solutions of the earlier tasks, which the learner cannot undo. A game of "find the mistake"
// is not played on the chain that openChain returns but on one with the wrong contract.
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

// chainOpener returns an empty chain for a lesson.
type chainOpener = func() (*chain.Chain, error)

// beginOnNewChain is [Begin], but also begins a game on the chain that openChain returns. If it
// fails, it closes the chain.
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

// prepare plays on the empty chain of a new session what comes before the current task.
func (s *Session) prepare() error {
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

	// The learner cannot undo what was played.
	if err := s.chain.Seal(); err != nil {
		return err
	}
	return s.chain.View(func(view *chain.View) error {
		historyState, err := view.HistoryState()
		s.state.startedAfter = historyState.Last
		return err
	})
}

// Resume takes over the stored record of an unfinished lesson. It does nothing if the lesson
// was finished, or if the session does not begin at the task at which the learner stopped.
func (s *Session) Resume(earlierRecord LessonRecord) {
	if earlierRecord.Done || s.taskIndex != earlierRecord.DoneTasks {
		return
	}
	copy(s.records, earlierRecord.FirstRecords)
	s.earlierTries = s.currentRecord().Tries
}

// Continue takes over the answers, hints and queries of an old session of the same task. It
// does nothing if the tasks are not the same.
func (s *Session) Continue(oldSession *Session) {
	if s.Lesson.ID != oldSession.Lesson.ID || s.taskIndex != oldSession.taskIndex {
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

// Repeat begins a session that plays one task again, the first of taskIndices, and is over
// after it. [Session.RepeatNext] begins a session for the next. [Progress.Record] ignores these
// sessions, because only the first answers count. Repeat fails as [Begin] does.
func Repeat(openChain chainOpener, lesson Lesson, taskIndices []int) (*Session, error) {
	session, err := Begin(openChain, lesson, taskIndices[0])
	if err != nil {
		return nil, err
	}
	session.indicesToRepeat = taskIndices
	return session, nil
}

// RepeatNext begins a session of the next task to repeat, which there must be; see
// [Session.RepeatsLeft]. It also counts the answers of s. RepeatNext fails as [Begin] does.
func (s *Session) RepeatNext(openChain chainOpener) (*Session, error) {
	next, err := Repeat(openChain, s.Lesson, s.indicesToRepeat[1:])
	if err != nil {
		return nil, err
	}
	next.Learner = s.Learner
	next.records = s.records
	return next, nil
}

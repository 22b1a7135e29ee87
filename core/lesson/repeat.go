package lesson

import "ephemera/core/chain"

// WrongTasks returns the tasks, counted from 0, whose question was answered wrongly when the
// lesson was played first.
func (r LessonRecord) WrongTasks() (tasks []int) {
	for i, task := range r.First {
		isWrong := task.Given != "" && !task.Right && task.Par == 0
		if isWrong {
			tasks = append(tasks, i)
		}
	}
	return tasks
}

// Repeat begins a session that plays one task of a lesson again, and is over after it. tasks
// has its index and those of the tasks to repeat after it; see [Session.RepeatNext]. What the
// learner does in the session is not recorded: the first answer counts. Repeat fails as
// [Begin] does.
func Repeat(open func() (*chain.Chain, error), l Lesson, tasks []int) (*Session, error) {
	s, err := Begin(open, l, tasks[0])
	if err == nil {
		s.repeats = tasks
	}
	return s, err
}

// IsRepeat reports whether the session repeats tasks; see [Repeat].
func (s *Session) IsRepeat() bool { return len(s.repeats) > 0 }

// RepeatsLeft returns how many tasks are to be repeated after that of the session.
func (s *Session) RepeatsLeft() int { return max(0, len(s.repeats)-1) }

// RepeatNext begins the session of the next task to repeat. It counts the answers of s as
// well. It fails as [Begin] does. There must be a next task.
func (s *Session) RepeatNext(open func() (*chain.Chain, error)) (*Session, error) {
	next, err := Repeat(open, s.Lesson, s.repeats[1:])
	if err == nil {
		next.Learner = s.Learner
		next.records = s.records
	}
	return next, err
}

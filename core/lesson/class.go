package lesson

import (
	"slices"
	"strings"
)

// Class is what the learners of a class did, side by side.
type Class struct {
	Learners []Result
	Lessons  []LessonResult // that anybody began, by ID, without their tasks
	Tasks    []TaskOfClass
	Beliefs  []Belief
}

// TaskOfClass is a task with a question, and how the class did in it.
type TaskOfClass struct {
	Lesson   string // its ID
	Task     int    // from 1
	Question string
	// Answered counts the first answers, Right those that were right.
	Answered, Right int
	// Hints and Tries are of all learners together.
	Hints, Tries int
}

// Belief is a misconception, and who holds it.
type Belief struct {
	Lie Lie
	// Holders are the learners who gave an answer that shows it, Asked how many
	// answered a question that could find it.
	Holders []string
	Asked   int
}

// Report puts the results of learners side by side.
func Report(results []Result) Class {
	c := Class{Learners: results}
	for _, r := range results {
		for _, l := range r.Lessons {
			c.lesson(l)
		}
	}
	slices.SortStableFunc(c.Lessons, func(a, b LessonResult) int { return strings.Compare(a.ID, b.ID) })
	slices.SortStableFunc(c.Tasks, func(a, b TaskOfClass) int {
		if by := strings.Compare(a.Lesson, b.Lesson); by != 0 {
			return by
		}
		return a.Task - b.Task
	})
	for _, lie := range Lies() {
		b := Belief{Lie: lie}
		for _, r := range results {
			asked, holds := r.believes(lie)
			if asked {
				b.Asked++
			}
			if holds {
				b.Holders = append(b.Holders, r.Learner)
			}
		}
		if b.Asked > 0 {
			c.Beliefs = append(c.Beliefs, b)
		}
	}
	return c
}

// lesson adds what one learner did in a lesson.
func (c *Class) lesson(l LessonResult) {
	if !slices.ContainsFunc(c.Lessons, func(x LessonResult) bool { return x.ID == l.ID }) {
		c.Lessons = append(c.Lessons, LessonResult{ID: l.ID, Title: l.Title})
	}
	for i, t := range l.Tasks {
		if t.Given == "" {
			continue
		}
		at := slices.IndexFunc(c.Tasks, func(x TaskOfClass) bool { return x.Lesson == l.ID && x.Task == i+1 })
		if at < 0 {
			at = len(c.Tasks)
			c.Tasks = append(c.Tasks, TaskOfClass{Lesson: l.ID, Task: i + 1, Question: t.Question})
		}
		x := &c.Tasks[at]
		x.Answered, x.Hints, x.Tries = x.Answered+1, x.Hints+t.Hints, x.Tries+t.Tries
		if t.Right {
			x.Right++
		}
	}
}

// believes tells whether a learner was asked about a misconception, and whether
// an answer shows it.
func (r Result) believes(lie Lie) (asked, holds bool) {
	for _, l := range r.Lessons {
		for _, t := range l.Tasks {
			if t.Given != "" {
				asked = asked || slices.Contains(t.About, lie)
				holds = holds || t.Believes == lie
			}
		}
	}
	return asked, holds
}

// Lesson gives what a learner did in a lesson; ok is false where it was not
// begun.
func (r Result) Lesson(id string) (LessonResult, bool) {
	i := slices.IndexFunc(r.Lessons, func(l LessonResult) bool { return l.ID == id })
	if i < 0 {
		return LessonResult{}, false
	}
	return r.Lessons[i], true
}

// Right counts the right answers and the questions that were answered.
func (l LessonResult) Right() (right, of int) {
	for _, t := range l.Tasks {
		if t.Given != "" {
			of++
		}
		if t.Right {
			right++
		}
	}
	return right, of
}

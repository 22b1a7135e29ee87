// Package lesson turns scenario files into lessons. A lesson is a story in tasks.
// A task can ask a question, gives hints, and checks goals.
//
// A lesson is a valid scenario: run as a test, it plays its own solution. The notes
// of its steps divide it:
//
//   - The steps before the first note are the set-up. The session plays them.
//   - A step with a note starts a [Task]. The note is the story, its ask is the
//     question, and its hints go from weak to strong.
//   - A query with an expectation and no sender is a goal: the state to reach. Its
//     hint describes the goal, and its at names the block the clock must be in.
//   - A step with a sender and a hint is a goal too: a message or query that the
//     learner must try. The outcome must be the expected one, and the message must
//     not be undone.
//   - A step with a note and a nobody question is a challenge. The question says that
//     nobody can do something, and the learner is to do it with few messages. It has no
//     solution: the search that answers such questions finds the shortest way.
//   - All other steps of a task are its solution. Only the last hint shows it.
//   - A last note without steps or question is the sentence to remember.
//
// The learner may reach the goals by any other means than the solution.
//
// A choice of a question can name a [Misconception], which is a wrong belief about the
// contract. Many have a mutant: a contract with that one rule wrong.
// [Lesson.TasksAgainst] plays a lesson against a mutant, and [Lesson.CompareContracts]
// shows its outcome and the true one. The others are described in the lesson's file.
//
// A [Session] plays one lesson on its own chain. [Progress] records what one
// learner did in all lessons, a [Result] is what the learner hands in, and
// [ReportClass] summarises the results of a class.
//
// The package must not know screens, stores or the wall clock. It never touches
// the learner's own collection.
package lesson

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/explain"
	"ephemera/core/scenario"
)

// Lesson is a story with tasks, read from a scenario file; see the package comment.
type Lesson struct {
	// ID is the file name, such as "mine.yaml". That of a built-in lesson has no extension,
	// such as "01-owner", so a teacher's file never has it.
	ID       string
	Title    string
	About    string // describes the lesson in a sentence
	Tasks    []Task // at least one
	Remember string // the sentence to take away

	header scenario.Header
	setup  []scenario.Step // the steps of the file before the first task
}

// Task is one part of a lesson: a story, and something to predict, to do, or both.
type Task struct {
	Story    string
	Ask      *scenario.Ask   // a question that the learner answers before acting, or nil
	Hints    []string        // from weak to strong
	Solution []scenario.Step // one way to reach the goals
	// Checks are the goals. A task without goals is done when its question is answered.
	Checks    []scenario.Step
	Challenge *explain.WhoCanQuestion // what the learner must bring about; nil if it is no challenge
	Mistake   *Mistake                // what to find in a game of "find the mistake", or nil

	steps     []scenario.Step // those of Solution and Checks, each once, in the order of the file
	firstStep int             // the index of the task's first step in the file, from 0
	state     taskState       // only in the copies that [Session.Task] returns
}

// Actor returns the name of the first account of the file, which acts first, or "".
func (l Lesson) Actor() string {
	if len(l.header.Accounts) == 0 {
		return ""
	}
	return l.header.Accounts[0].Name
}

// IsChallenge reports whether a lesson is a challenge; see [Challenges].
func (l Lesson) IsChallenge() bool { return l.Tasks[0].Challenge != nil }

// IsGame reports whether a lesson is a game of "find the mistake".
func (l Lesson) IsGame() bool { return l.Tasks[0].Mistake != nil }

// isEmpty reports whether a task has a story and nothing else.
func (t *Task) isEmpty() bool {
	return t.Ask == nil && t.Challenge == nil && len(t.Solution) == 0 && len(t.Checks) == 0
}

// mustBeTried reports whether the learner must send the message or query of a step. The
// hints of a step with a note are those of the task that it begins.
func mustBeTried(step scenario.Step) bool {
	return step.Note == "" && step.Sender != "" && len(step.Hints) > 0
}

func mustBeRefused(step scenario.Step) bool { return step.Expect != nil && step.Expect.Refused }

// MisconceptionOfChoice returns the misconception that a choice shows, or [NoMisconception].
func (t *Task) MisconceptionOfChoice(choice string) Misconception {
	if t.Ask == nil {
		return NoMisconception
	}
	return Misconception(t.Ask.Choices.Find(choice).Misconception)
}

// DetectableMisconceptions returns the misconceptions that the choices can show, each once, in
// the order of [Misconception.rank].
func (t *Task) DetectableMisconceptions() (misconceptions []Misconception) {
	if t.Ask == nil {
		return nil
	}
	for _, choice := range t.Ask.Choices {
		misconceptions = append(misconceptions, Misconception(choice.Misconception))
	}
	slices.SortStableFunc(misconceptions, func(a, b Misconception) int { return a.rank() - b.rank() })
	return chain.Distinct(misconceptions) // without NoMisconception
}

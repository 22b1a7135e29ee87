// Package lesson turns scenario files into lessons: a story told in tasks, with
// a question to predict, hints, and a check of what was reached and tried.
//
// A lesson is a scenario like any other, so that playing it as a test plays its
// solution. What makes it a lesson is where its notes stand:
//
//   - the steps before the first note are the set-up, played for the learner;
//   - a step with a note begins a [Task]: the note is the story, its ask a
//     question to predict, its hints the help, in three strengths;
//   - queries with an expectation are goals: what must be so. Their hint says it
//     in a few words, and their at, where there is one, that the clock must
//     stand in that block;
//   - a step with a sender and a hint is a goal, too: something that the learner
//     must try, with the outcome that the step expects, and must not have undone.
//     A query has no sender on a chain; one with a sender must be asked;
//   - all other steps of a task are its solution, which only the last hint
//     shows;
//   - a last note with nothing to do is what to remember.
//
// Apart from what must be tried, any means that works will do.
//
// A choice of a question can name the misconception ([Misconception]) of whoever makes it.
// To each belongs a contract that is wrong in that one rule: a wrapper around the
// true one, in lie.go. The lessons are held against all of them, see
// [Lesson.Catches], and a task can be told in both worlds, see [Lesson.Worlds].
//
// A [Session] is one lesson being played on a chain of its own, which whoever
// begins it hands in. [Progress] is what one learner did in all of them, a
// [Result] what a teacher gets of it, and [ReportClass] puts those of a class side by
// side. The package must never know of a screen, a store or the wall clock, and
// never touches the learner's own collection.
package lesson

// Package lesson turns scenario files into lessons: a story told in tasks, with
// a question to predict, hints, and a check of the state that was reached.
//
// A lesson is a scenario like any other, so that playing it as a test plays its
// solution. What makes it a lesson is where its notes stand:
//
//   - the steps before the first note are the set-up, played for the learner;
//   - a step with a note begins a [Task]: the note is the story, its ask a
//     question to predict, its hints the help, in three strengths;
//   - queries with an expectation are the task's check. Their hint says in a few
//     words what is to be reached, and their at, where there is one, that the
//     clock must stand in that block;
//   - all other steps of a task are its solution, which only the last hint
//     shows;
//   - a last note with nothing to do is what to remember.
//
// What is checked is the state, never the keys or messages that led to it: any
// means that works will do.
//
// A [Session] is one lesson being played on a chain of its own, which whoever
// begins it hands in. The package must never know of a screen, a store or a
// file system, and never touches the learner's own collection.
package lesson

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

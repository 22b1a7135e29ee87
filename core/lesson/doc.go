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
// contract. Many have a mutant: a contract with that one rule wrong. The others are
// described in the lesson's file.
//
// The files are named by what they are about:
//
//   - lesson*.go read a lesson. A new member of a file is one of package scenario.
//   - author*.go check a lesson for its author: author_valid.go what Read refuses,
//     author_faults.go what shows only when the lesson is played, author_giveaways.go
//     what is only a warning.
//   - play*.go play a lesson: a [Session], what changes it (play_begin.go, play_learner.go),
//     and the goals of a task, of a challenge and of a game (play_check.go,
//     play_challenge.go, play_game.go).
//   - compare*.go show a learner what would happen if a misconception were true. A new
//     misconception with a contract of its own belongs to package mutant.
//   - result*.go keep what a learner did ([Progress]), what the learner hands in ([Result]),
//     and what a class did ([ReportClass]).
//
// The package must not know screens, stores or the wall clock. It never touches
// the learner's own collection.
package lesson

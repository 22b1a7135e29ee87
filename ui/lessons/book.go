// Package lessons is the screen with the list of lessons, and the panel and dialogs of
// the lesson that is being played.
//
// Package core/lesson decides what a task is and when it is done. Only the root swaps
// the user's chain for the lesson's.
package lessons

import (
	"errors"
	"maps"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Book holds the lessons, the learner's progress in them, and the lesson that is being
// played. A lesson is a sequence of tasks on a chain of its own in memory. A task has a
// story, and goals to reach on that chain. It may also have a question, whose answer the
// learner predicts first.
//
// This file reads, begins and saves lessons. play.go has the messages and keys of the lesson
// that is played, panel.go what is drawn of it beside every screen, and task.go its dialog.
type Book struct {
	openChain   func() (*chain.Chain, error)        // an empty chain in memory to play on
	ReadLessons func() ([]lesson.Lesson, error)     // also those in the user's folder
	Learner     string                              // empty for a learner without a name
	Storage     lesson.Storage                      // of the progress of this learner
	storageOf   func(learner string) lesson.Storage // nil if no progress is stored

	Lessons  []lesson.Lesson // with the challenges; nil until they are read
	Progress lesson.Progress // nil until it is read
	// games has the games of "find the mistake" that the learner has begun, and the next
	// one to play. [Book.listGames] derives it from Progress.
	games      []lesson.Lesson
	CurrentRun *Run // the lesson that is being played; nil if there is none

	terminal widget.Box // the size of the terminal
}

// NewBook returns the book of the lessons in the options, with the progress of their
// learner.
func NewBook(options app.Options) *Book {
	book := &Book{
		openChain:   options.Scratch,
		ReadLessons: options.Lessons,
		storageOf:   options.Progress,
	}
	book.SetLearner(options.Learner)
	return book
}

// SetLearner changes the learner, whose name may be empty, and the storage of the progress.
// It forgets the progress of the learner before. [Book.Load] must then read the progress of
// the new one.
func (b *Book) SetLearner(name string) {
	b.Learner = name
	b.Progress = nil
	if b.storageOf != nil {
		b.Storage = b.storageOf(name)
	}
}

// IsLoaded reports whether the lessons have been read.
func (b *Book) IsLoaded() bool { return b.Lessons != nil }

// load returns the command that reads the lessons and the progress in the background, and
// brings them in a [LoadedMsg].
func (b *Book) load() tea.Cmd {
	readLessons := b.ReadLessons
	storage := b.Storage
	return func() tea.Msg {
		lessons, lessonErr := readLessons()
		progress, progressErr := storage.Read()
		return LoadedMsg{
			lessons:  lessons,
			progress: progress,
			err:      errors.Join(lessonErr, progressErr),
		}
	}
}

// ApplyLoaded stores the lessons and the progress that were read, and makes the games that
// follow from the progress. Progress that the learner made while the file was being read is
// newer and stays.
func (b *Book) ApplyLoaded(msg LoadedMsg) {
	b.Lessons = msg.lessons
	if b.Progress == nil {
		b.Progress = msg.progress
	}
	b.listGames()
}

// listGames sets games from the progress. If a game cannot be made, which a test rules out,
// games stays as it was.
func (b *Book) listGames() {
	if games, err := b.Progress.WithGames(nil); err == nil {
		b.games = games
	}
}

// allLessons returns the lessons, the challenges and the games, in the order of their
// numbers.
func (b *Book) allLessons() []lesson.Lesson { return slices.Concat(b.Lessons, b.games) }

// lessonByID returns the lesson, challenge or game that has the given ID. The second result
// is false if there is none.
func (b *Book) lessonByID(id string) (lesson.Lesson, bool) {
	number := b.Number(id)
	if number == 0 {
		return lesson.Lesson{}, false
	}
	return b.allLessons()[number-1], true
}

// Number returns the number of the lesson with an ID, counted from 1 in the order of
// the list. It returns 0 if there is none.
func (b *Book) Number(id string) int {
	// The index is -1 if there is none.
	return 1 + slices.IndexFunc(b.allLessons(), func(l lesson.Lesson) bool { return l.ID == id })
}

// NextLesson returns what the learner plays after the lesson that is being played. After a
// game it is the first game that is not done. After any other lesson it is the next lesson
// or challenge. ok is false after the last one, and while the learner repeats tasks whose
// questions were answered wrongly.
func (b *Book) NextLesson() (next lesson.Lesson, ok bool) {
	if b.CurrentRun.Session.IsRepeat() {
		return lesson.Lesson{}, false
	}
	playedLesson := b.CurrentRun.Session.Lesson
	if playedLesson.IsGame() {
		return b.Progress.NextGame(b.games), true
	}

	// Numbers begin at 1 and indices at 0, so the number of a lesson is the index of the
	// next.
	nextIndex := b.Number(playedLesson.ID)
	if nextIndex >= len(b.Lessons) {
		return lesson.Lesson{}, false
	}
	return b.Lessons[nextIndex], true
}

// IsLastLesson reports whether nothing comes after the lesson that is played.
func (b *Book) IsLastLesson() bool {
	_, hasNext := b.NextLesson()
	return !hasNext
}

// GoOn returns the command that starts the lesson with an ID at the first task that the
// learner has not done. It returns nil if no lesson has the ID.
func (b *Book) GoOn(id string) tea.Cmd {
	chosenLesson, isFound := b.lessonByID(id)
	if !isFound {
		return nil
	}
	return b.startSession(chosenLesson, b.Progress.NextTask(chosenLesson), nil)
}

// BeginAnew is [Book.GoOn] from the first task of the lesson.
func (b *Book) BeginAnew(id string) tea.Cmd {
	chosenLesson, isFound := b.lessonByID(id)
	if !isFound {
		return nil
	}
	return b.startSession(chosenLesson, 0, nil)
}

// RepeatWrong returns the command that plays some tasks of the lesson with an ID again:
// those whose question was answered wrongly. It returns nil if there are none.
func (b *Book) RepeatWrong(id string) tea.Cmd {
	chosenLesson, isFound := b.lessonByID(id)
	wrongTasks := b.Progress[id].WrongTasks()
	if !isFound || len(wrongTasks) == 0 {
		return nil
	}

	// The repetition begins in the background, so it uses a copy.
	openChain := b.openChain
	return b.prepareSession(nil, func() (*lesson.Session, error) {
		return lesson.Repeat(openChain, chosenLesson, wrongTasks)
	})
}

// RepeatNext returns the command that starts the next of the tasks that are repeated. There
// must be one; see [lesson.Session.RepeatsLeft].
func (b *Book) RepeatNext() tea.Cmd {
	openChain := b.openChain
	session := b.CurrentRun.Session
	return b.prepareSession(nil, func() (*lesson.Session, error) {
		return session.RepeatNext(openChain)
	})
}

// RestartTask returns the command that starts the current task again, on a new chain.
// What the learner did in earlier tasks stays.
func (b *Book) RestartTask() tea.Cmd {
	oldSession := b.CurrentRun.Session
	return b.startSession(oldSession.Lesson, oldSession.TaskIndex(), oldSession)
}

// ReadResult reads what the learner has done so far, as the JSON for a teacher, which is
// written at the time now. It fails with [lesson.ErrNothingDone] if no task was begun, and if
// a file cannot be read.
func (b *Book) ReadResult(now time.Time) ([]byte, error) {
	lessons, err := b.ReadLessons()
	if err != nil {
		return nil, err
	}
	progress, err := b.Storage.Read()
	if err != nil {
		return nil, err
	}
	lessonsAndGames, err := progress.WithGames(lessons)
	if err != nil {
		return nil, err
	}
	result := progress.ResultOf(b.Learner, lessonsAndGames)
	result.Written = now.UTC()
	return result.Encode()
}

// startSession returns the command that makes a chain, plays everything in a lesson before the
// task with an index, from 0, and brings the session as [Book.prepareSession] does.
func (b *Book) startSession(playedLesson lesson.Lesson, taskIndex int, restarted *lesson.Session) tea.Cmd {
	// The session begins in the background, so it uses copies.
	openChain := b.openChain
	record := b.Progress[playedLesson.ID]
	return b.prepareSession(restarted, func() (*lesson.Session, error) {
		session, err := lesson.Begin(openChain, playedLesson, taskIndex)
		if err != nil {
			return nil, err
		}
		session.Resume(record)
		return session, nil
	})
}

// prepareSession returns the command that calls beginSession in the background and brings the
// session in a [BegunMsg]; restarted is its ReplacedSession. If beginSession fails, the command
// shows a notice instead.
func (b *Book) prepareSession(
	restarted *lesson.Session,
	beginSession func() (*lesson.Session, error),
) tea.Cmd {
	learner := b.Learner
	return func() tea.Msg {
		session, err := beginSession()
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		session.Learner = learner
		return BegunMsg{Session: session, ReplacedSession: restarted}
	}
}

// Save records the progress in the lesson that is being played, and returns the command that
// writes all progress to the learner's file. The explorer's queue runs these commands one
// after the other, so that a later save never ends up below an earlier one.
func (b *Book) Save(state *app.State) tea.Cmd {
	b.CurrentRun.AddTime(state.Now)
	if b.Progress == nil {
		b.Progress = lesson.Progress{}
	}
	b.Progress.Record(b.CurrentRun.Session)
	b.listGames()

	// The write runs while the learner goes on, so it gets a copy.
	storage := b.Storage
	progress := maps.Clone(b.Progress)
	return state.Queue.Add(func() tea.Msg {
		if err := storage.Write(progress); err != nil {
			notice := app.NoticeMsg{
				Level: app.LevelWarn,
				Text:  "your progress in the lessons is not kept: " + err.Error(),
			}
			return app.DoneMsg{Msg: notice}
		}
		return app.DoneMsg{}
	})
}

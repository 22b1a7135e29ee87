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

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Book holds the lessons, the learner's progress, and the lesson that is being played.
type Book struct {
	// open returns an empty chain in memory.
	open        func() (*chain.Chain, error)
	ReadLessons func() ([]lesson.Lesson, error)
	Storage     lesson.Storage

	// Lessons is nil until the lessons are read.
	Lessons  []lesson.Lesson
	Progress lesson.Progress
	// Playing is nil while no lesson is played.
	Playing *Run
}

// NewBook returns the book of the lessons in the options, or of the built-in ones.
func NewBook(o app.Options) *Book {
	if o.Lessons == nil {
		o.Lessons = lesson.All
	}
	if o.Scratch == nil {
		o.Scratch = func() (*chain.Chain, error) {
			return nil, errors.New("there is no store in memory to play a lesson in")
		}
	}
	return &Book{open: o.Scratch, ReadLessons: o.Lessons, Storage: o.Progress}
}

// The messages about lessons.
type (
	// LoadedMsg brings the lessons and the progress. Choose asks for a dialog with
	// the list of lessons, for when no screen shows it.
	LoadedMsg struct {
		all      []lesson.Lesson
		progress lesson.Progress
		Err      error
		Choose   bool
	}
	// BegunMsg brings a session that is ready to be played. Anew is the session whose
	// task it restarts; nil for another lesson.
	BegunMsg struct {
		Session   *lesson.Session
		Restarted *lesson.Session
	}
	// EndedMsg asks the root to return to the learner's own collection.
	EndedMsg struct{}
	// AnsweredMsg brings the answer to a question.
	AnsweredMsg struct{ Choice string }
	// NextTaskMsg asks for the next task.
	NextTaskMsg struct{}
)

// IsLoaded reports whether the lessons have been read.
func (b *Book) IsLoaded() bool { return b.Lessons != nil }

// Load returns the command that reads the lessons and the progress.
func (b *Book) Load(choose bool) tea.Cmd {
	readLessons, storage := b.ReadLessons, b.Storage
	return func() tea.Msg {
		lessons, lessonErr := readLessons()
		progress, progressErr := storage.Read()
		return LoadedMsg{all: lessons, progress: progress, Err: errors.Join(lessonErr, progressErr), Choose: choose}
	}
}

// ApplyLoaded stores what was read. Progress that was made meanwhile is newer and stays.
func (b *Book) ApplyLoaded(msg LoadedMsg) {
	b.Lessons = msg.all
	if b.Progress == nil {
		b.Progress = msg.progress
	}
}

// lessonByID returns a lesson; ok is false if there is none with this ID.
func (b *Book) lessonByID(id string) (l lesson.Lesson, ok bool) {
	number := b.Number(id)
	if number == 0 {
		return lesson.Lesson{}, false
	}
	return b.Lessons[number-1], true
}

// Number returns the number of a lesson, from 1; 0 if there is none with this ID.
func (b *Book) Number(id string) int {
	return 1 + slices.IndexFunc(b.Lessons, func(l lesson.Lesson) bool { return l.ID == id })
}

// IsLastLesson reports whether the lesson that is played is the last one.
func (b *Book) IsLastLesson() bool { return b.Number(b.Playing.Session.Lesson.ID) == len(b.Lessons) }

// Begin returns the command that starts a lesson at the next task of the learner, or
// at the first one if fromStart is set.
func (b *Book) Begin(id string, fromStart bool) tea.Cmd {
	l, ok := b.lessonByID(id)
	if !ok {
		return nil
	}
	task := b.Progress.NextTask(l)
	if fromStart {
		task = 0
	}
	record := b.Progress[l.ID]
	return b.startSession(l, task, func(s *lesson.Session) BegunMsg {
		s.Resume(record)
		return BegunMsg{Session: s}
	})
}

// RestartTask returns the command that starts the current task again, on a new chain.
func (b *Book) RestartTask() tea.Cmd {
	old := b.Playing.Session
	return b.startSession(old.Lesson, old.TaskIndex(), func(s *lesson.Session) BegunMsg {
		return BegunMsg{Session: s, Restarted: old}
	})
}

// startSession returns the command that prepares a lesson up to a task, and passes the
// session to begun.
func (b *Book) startSession(l lesson.Lesson, task int, begun func(*lesson.Session) BegunMsg) tea.Cmd {
	open := b.open
	return func() tea.Msg {
		session, err := lesson.Begin(open, l, task)
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return begun(session)
	}
}

// Save records the lesson that is played, and returns the command that stores the
// progress. The write queue keeps several saves in order.
func (b *Book) Save(st *app.State) tea.Cmd {
	b.Playing.AddTime(st.Now)
	if b.Progress == nil {
		b.Progress = lesson.Progress{}
	}
	b.Progress.Record(b.Playing.Session)

	storage, progress := b.Storage, maps.Clone(b.Progress)
	return st.Queue.Add(func() tea.Msg {
		err := storage.Write(progress)
		if err == nil {
			return app.DoneMsg{}
		}
		return app.DoneMsg{Msg: app.NoticeMsg{Level: app.LevelWarn, Text: "your progress in the lessons is not kept: " + err.Error()}}
	})
}

// NewChooser returns a dialog that lists the lessons and starts the chosen one.
func NewChooser(b *Book) *form.Chooser {
	return b.chooser(func(id string) tea.Cmd { return b.Begin(id, false) })
}

// chooser returns a dialog that finds a lesson by its title, topic or state.
func (b *Book) chooser(chosen func(id string) tea.Cmd) *form.Chooser {
	var items []widget.Item
	for _, l := range b.Lessons {
		sign, _, text := b.lessonState(l)
		items = append(items, widget.Item{ID: l.ID, Title: l.Title, Detail: l.About, Hint: sign + " " + text})
	}
	return form.NewChooser("Lessons", "about what?", items, func(_ *app.State, id string) tea.Cmd { return chosen(id) })
}

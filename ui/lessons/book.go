// Package lessons is the screen that lists the lessons, and what a lesson that is
// played shows: its panel, its questions and its hints.
//
// core/lesson tells what a task is and when it is done. The root puts the
// lesson's chain in the place of the person's own; this package never does.
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

// Book is what all screens share of the lessons: which there are, how far
// the learner is, and the one that is being played.
type Book struct {
	open func() (*chain.Chain, error) // an empty chain in memory
	Read func() ([]lesson.Lesson, error)
	Keep lesson.Storage

	All      []lesson.Lesson
	Progress lesson.Progress
	Run      *Run // nil while none is played
}

// NewBook makes the book of the lessons that the explorer is started with.
func NewBook(o app.Options) *Book {
	if o.Lessons == nil {
		o.Lessons = lesson.All
	}
	if o.Scratch == nil {
		o.Scratch = func() (*chain.Chain, error) {
			return nil, errors.New("there is no store in memory to play a lesson in")
		}
	}
	return &Book{open: o.Scratch, Read: o.Lessons, Keep: o.Progress}
}

// The messages about lessons.
type (
	// LoadedMsg brings the lessons and the progress. choose asks for the list
	// of them in a dialog, where there is no screen to show it.
	LoadedMsg struct {
		all      []lesson.Lesson
		progress lesson.Progress
		Err      error
		Choose   bool
	}
	// BegunMsg brings the session of a lesson, ready to be played. anew is
	// the one whose task it begins once more; nil for another lesson.
	BegunMsg struct {
		Session *lesson.Session
		Anew    *lesson.Session
	}
	// EndedMsg asks to go back to the learner's own collection.
	EndedMsg struct{}
	// AnsweredMsg brings the answer to a question.
	AnsweredMsg struct{ Choice string }
	// GoOnMsg asks for the next task.
	GoOnMsg struct{}
)

// Ready tells that the lessons have been read.
func (b *Book) Ready() bool { return b.All != nil }

// Load reads the lessons and the progress.
func (b *Book) Load(choose bool) tea.Cmd {
	keep, read := b.Keep, b.Read
	return func() tea.Msg {
		all, faults := read()
		progress, err := keep.Read()
		return LoadedMsg{all, progress, errors.Join(faults, err), choose}
	}
}

// ApplyLoaded keeps what was read. Progress that was made since is newer.
func (b *Book) ApplyLoaded(msg LoadedMsg) {
	b.All = msg.all
	if b.Progress == nil {
		b.Progress = msg.progress
	}
}

// named gives a lesson; ok is false for none that is known.
func (b *Book) named(id string) (l lesson.Lesson, ok bool) {
	n := b.Number(id)
	if n == 0 {
		return l, false
	}
	return b.All[n-1], true
}

// Number is the place of a lesson among all, from 1; 0 for none of them.
func (b *Book) Number(id string) int {
	return 1 + slices.IndexFunc(b.All, func(l lesson.Lesson) bool { return l.ID == id })
}

// Last tells that no lesson comes after the one in hand.
func (b *Book) Last() bool { return b.Number(b.Run.Session.Lesson.ID) == len(b.All) }

// Begin begins a lesson, or goes on with it where the learner was.
func (b *Book) Begin(id string, afresh bool) tea.Cmd {
	x, ok := b.named(id)
	if !ok {
		return nil
	}
	task, mark := b.Progress.NextTask(x), b.Progress[x.ID]
	if afresh {
		task = 0
	}
	return b.set(x, task, func(s *lesson.Session) BegunMsg {
		s.Resume(mark)
		return BegunMsg{Session: s}
	})
}

// Anew begins the task in hand once more, as the lesson itself comes to it.
func (b *Book) Anew() tea.Cmd {
	old := b.Run.Session
	return b.set(old.Lesson, old.TaskIndex(), func(s *lesson.Session) BegunMsg {
		return BegunMsg{Session: s, Anew: old}
	})
}

// set sets a lesson up to a task.
func (b *Book) set(x lesson.Lesson, task int, then func(*lesson.Session) BegunMsg) tea.Cmd {
	open := b.open
	return func() tea.Msg {
		s, err := lesson.Begin(open, x, task)
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return then(s)
	}
}

// Save keeps what was done in the lesson in hand. It goes through the queue of
// writes, so that the latest is what stays.
func (b *Book) Save(st *app.State) tea.Cmd {
	b.Run.Spend(st.Now)
	if b.Progress == nil {
		b.Progress = lesson.Progress{}
	}
	b.Progress.Record(b.Run.Session)
	keep, progress := b.Keep, maps.Clone(b.Progress)
	return st.Queue.Add(func() tea.Msg {
		err := keep.Write(progress)
		if err == nil {
			return app.DoneMsg{}
		}
		return app.DoneMsg{Msg: app.NoticeMsg{Level: app.LevelWarn, Text: "your progress in the lessons is not kept: " + err.Error()}}
	})
}

// NewChooser lists the lessons where there is no screen to do so.
func NewChooser(b *Book) *form.Chooser {
	return b.choose(func(id string) tea.Cmd { return b.Begin(id, false) })
}

// choose lets a person find a lesson by any of its words.
func (b *Book) choose(then func(id string) tea.Cmd) *form.Chooser {
	var items []widget.Item
	for _, x := range b.All {
		sign, _, text := b.state(x)
		items = append(items, widget.Item{ID: x.ID, Title: x.Title, Detail: x.About, Hint: sign + " " + text})
	}
	return form.NewChooser("Lessons", "about what?", items, func(_ *app.State, id string) tea.Cmd { return then(id) })
}

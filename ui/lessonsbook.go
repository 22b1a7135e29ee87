package ui

import (
	"errors"
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/ui/widget"
)

// lessonBook is what all screens share of the lessons: which there are, how far
// the learner is, and the one that is being played.
type lessonBook struct {
	open func() (*chain.Chain, error) // an empty chain in memory; nil where there is none
	keep lesson.Keeper

	all      []lesson.Lesson
	progress lesson.Progress
	run      *lessonRun // nil while none is played
}

func newLessonBook(open func() (*chain.Chain, error), keep lesson.Keeper) *lessonBook {
	return &lessonBook{open: open, keep: keep}
}

// The messages about lessons.
type (
	// lessonsMsg brings the lessons and the progress. choose asks for the list
	// of them in a dialog, where there is no screen to show it.
	lessonsMsg struct {
		all      []lesson.Lesson
		progress lesson.Progress
		err      error
		choose   bool
	}
	// lessonBegunMsg brings the session of a lesson, ready to be played. anew is
	// the one whose task it begins once more; nil for another lesson.
	lessonBegunMsg struct {
		session *lesson.Session
		anew    *lesson.Session
		err     error
	}
	// lessonEndedMsg asks to go back to the learner's own collection.
	lessonEndedMsg struct{}
	// lessonAnsweredMsg brings the answer to a question.
	lessonAnsweredMsg struct{ choice string }
	// lessonGoOnMsg asks for the next task.
	lessonGoOnMsg struct{}
	// lessonSavedMsg says that the progress could not be kept.
	lessonSavedMsg struct{ err error }
)

func splitLines(text string) []string { return strings.Split(text, "\n") }

func (b *lessonBook) ready() bool { return b.all != nil }

// load reads the lessons and the progress.
func (b *lessonBook) load(choose bool) tea.Cmd {
	keep := b.keep
	return func() tea.Msg {
		msg := lessonsMsg{choose: choose}
		if msg.all, msg.err = lesson.All(); msg.err != nil {
			return msg
		}
		msg.progress, msg.err = keep.Read()
		return msg
	}
}

// take keeps what was read. Progress that was made since is newer.
func (b *lessonBook) take(msg lessonsMsg) {
	b.all = msg.all
	if b.progress == nil {
		b.progress = msg.progress
	}
}

func (b *lessonBook) named(id string) (lesson.Lesson, bool) {
	for _, x := range b.all {
		if x.ID == id {
			return x, true
		}
	}
	return lesson.Lesson{}, false
}

// number is the place of a lesson among all, from 1.
func (b *lessonBook) number(id string) int {
	for i, x := range b.all {
		if x.ID == id {
			return i + 1
		}
	}
	return 0
}

// last tells that no lesson comes after the one in hand.
func (b *lessonBook) last() bool { return b.number(b.run.session.Lesson.ID) == len(b.all) }

// begin begins a lesson, or goes on with it where the learner was.
func (b *lessonBook) begin(id string, afresh bool) tea.Cmd {
	x, ok := b.named(id)
	if !ok {
		return nil
	}
	task, mark := b.progress.From(x), b.progress[x.ID]
	if afresh {
		task = 0
	}
	return b.set(x, task, func(s *lesson.Session) lessonBegunMsg {
		s.Resume(mark)
		return lessonBegunMsg{session: s}
	})
}

// anew begins the task in hand once more, as the lesson itself comes to it.
func (b *lessonBook) anew() tea.Cmd {
	old := b.run.session
	return b.set(old.Lesson, old.At(), func(s *lesson.Session) lessonBegunMsg {
		return lessonBegunMsg{session: s, anew: old}
	})
}

// set sets a lesson up to a task.
func (b *lessonBook) set(x lesson.Lesson, task int, then func(*lesson.Session) lessonBegunMsg) tea.Cmd {
	open := b.open
	return func() tea.Msg {
		if open == nil {
			return lessonBegunMsg{err: errors.New("there is no store in memory to play a lesson in")}
		}
		s, err := lesson.Begin(open, x, task)
		if err != nil {
			return lessonBegunMsg{err: err}
		}
		return then(s)
	}
}

// save keeps how far the session is. It goes through the queue of writes, so
// that the latest is what stays.
func (b *lessonBook) save(d *Desk, s *lesson.Session) tea.Cmd {
	if b.progress == nil {
		b.progress = lesson.Progress{}
	}
	b.progress.Note(s)
	keep, progress := b.keep, maps.Clone(b.progress)
	return d.queue.add(func() tea.Msg { return doneMsg{nil, lessonSavedMsg{keep.Write(progress)}} })
}

// newLessonChooser lists the lessons where there is no screen to do so.
func newLessonChooser(b *lessonBook) *chooser {
	var items []widget.Item
	for _, x := range b.all {
		sign, _, text := b.state(x)
		items = append(items, widget.Item{ID: x.ID, Title: x.Title, Detail: x.About, Hint: sign + " " + text})
	}
	return newChooser("Lessons", "about what?", items, func(_ *Desk, id string) tea.Cmd { return b.begin(id, false) })
}

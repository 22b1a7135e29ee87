package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// lessons is the screen of the lessons: the list with how far the learner is,
// and what each is about.
type lessons struct {
	pair
	book  *lessonBook
	shown string // the lesson in the detail
}

func newLessons(book *lessonBook) *lessons {
	l := &lessons{book: book, pair: newPair(56,
		widget.Column{Title: "", Width: 1},
		widget.Column{Title: "#", Width: 2, Right: true},
		widget.Column{Title: "LESSON", Width: 16, Flex: 1},
		widget.Column{Title: "PROGRESS", Width: 12},
	)}
	l.table.Empty = "no lessons"
	return l
}

// Kind is [KindLessons].
func (l *lessons) Kind() Kind { return KindLessons }

// Name is the word on the tab.
func (l *lessons) Name() string { return "Lessons" }

func (l *lessons) Typing() bool { return false }

func (l *lessons) Refresh(*Desk) {
	if l.book.ready() {
		l.take()
	}
}

// Needs is of nothing that a chain holds: the root loads the lessons when the
// screen is shown.
func (l *lessons) Needs(*Desk) Read { return nil }

func (l *lessons) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case lessonsMsg:
		l.take()
	case tea.KeyMsg, tea.MouseMsg:
		if l.move(msg) {
			l.show()
		}
	}
	return nil
}

// take shows what the book holds now.
func (l *lessons) take() {
	l.table.Reload()
	if req, ok := l.table.Want(); ok {
		l.table.Set(widget.All(req, l.book.rows()))
	}
	l.shown = ""
	l.show()
}

func (l *lessons) show() {
	row, ok := l.table.Cursor()
	if !ok || row.Key == l.shown {
		return
	}
	l.shown = row.Key
	if x, ok := l.book.named(row.Key); ok {
		_, detail := l.split()
		l.scroll.Set(flow(l.book.about(x), detail.W))
	}
}

// Resize lays the text out anew: it is wrapped for its width.
func (l *lessons) Resize(b widget.Box) {
	l.pair.Resize(b)
	if l.shown = ""; l.book.ready() {
		l.show()
	}
}

func (l *lessons) Commands(d *Desk) []Command {
	begin := func(afresh bool) func() tea.Cmd {
		return func() tea.Cmd {
			row, ok := l.table.Cursor()
			if !ok {
				return nil
			}
			return l.book.begin(row.Key, afresh)
		}
	}
	return append([]Command{
		{bind("enter", "play", "enter"), "Play this lesson, or go on with it", groupHere, begin(false)},
		{bind("b", "from the beginning", "b"), "Play this lesson from the beginning", groupHere, begin(true)},
	}, l.pair.Commands()...)
}

// rows lists the lessons with how far the learner is.
func (b *lessonBook) rows() []widget.Row {
	rows := make([]widget.Row, 0, len(b.all))
	for i, x := range b.all {
		sign, role, text := b.state(x)
		rows = append(rows, widget.Row{Key: x.ID, Cells: []widget.Line{
			widget.In(role, sign), widget.In(themes.Muted, fmt.Sprint(i+1)), widget.Plain(x.Title), widget.In(role, text),
		}})
	}
	return rows
}

// state says how far the learner is in a lesson.
func (b *lessonBook) state(x lesson.Lesson) (sign string, role themes.Role, text string) {
	m := b.progress[x.ID]
	switch {
	case b.run != nil && b.run.session.Lesson.ID == x.ID:
		return themes.GlyphPointer, themes.Accent, "playing"
	case m.Done && m.Asked > 0:
		return themes.GlyphYes, themes.Good, fmt.Sprintf("done, %d/%d", m.Right, m.Asked)
	case m.Done:
		return themes.GlyphYes, themes.Good, "done"
	case m.Tasks > 0:
		return themes.GlyphEnd, themes.Live, fmt.Sprintf("task %d of %d", min(m.Tasks+1, len(x.Tasks)), len(x.Tasks))
	}
	return themes.GlyphDot, themes.Muted, fmt.Sprintf("%d tasks", len(x.Tasks))
}

// about says what a lesson is about, and once it was played, what to remember.
func (b *lessonBook) about(x lesson.Lesson) []widget.Line {
	m := b.progress[x.ID]
	lines := []widget.Line{widget.In(themes.Strong, x.Title), {}, widget.Plain(x.About), {}}
	if m.Done {
		if m.Asked > 0 {
			lines = append(lines, widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Text, fmt.Sprintf("played; %d of %d predictions were right", m.Right, m.Asked)), widget.Line{})
		}
		lines = append(append(lines, widget.In(themes.Accent, "Remember")), paragraphs(x.Remember)...)
		lines = append(lines, widget.Line{})
	}
	return append(lines, widget.In(themes.Muted, "A lesson has a collection of its own in memory. Yours is left alone, and waits as it is. Use any screen and any means: what counts is where you get to."))
}

// paragraphs makes a line of each paragraph of a text.
func paragraphs(text string) (out []widget.Line) {
	for i, p := range splitLines(text) {
		if i > 0 {
			out = append(out, widget.Line{})
		}
		out = append(out, widget.Plain(p))
	}
	return out
}

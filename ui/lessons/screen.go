package lessons

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen is the screen of the lessons: the list with how far the learner is,
// and what each is about.
type Screen struct {
	app.Tab
	app.MasterDetail
	book  *Book
	shown string // the lesson in the detail
}

// New makes the screen that lists the lessons of a book.
func New(book *Book) *Screen {
	l := &Screen{Tab: app.NewTab(app.KindLessons, "Lessons"), book: book, MasterDetail: app.NewMasterDetail(56,
		widget.Column{Title: "", Width: 1},
		widget.Column{Title: "#", Width: 2, Right: true},
		widget.Column{Title: "LESSON", Width: 16, Flex: 1},
		widget.Column{Title: "PROGRESS", Width: 12},
	)}
	l.Table.Empty = "no lessons"
	return l
}

func (l *Screen) Refresh(*app.State) {
	if l.book.Ready() {
		l.reload()
	}
}

// Needs is of nothing that a chain holds: the root loads the lessons when the
// screen is shown.
func (l *Screen) Needs(*app.State) app.Read { return nil }

func (l *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case LoadedMsg:
		l.reload()
	case tea.KeyMsg, tea.MouseMsg:
		if l.Move(msg) {
			l.show()
		}
	}
	return nil
}

// reload shows what the book holds now.
func (l *Screen) reload() {
	l.Table.Reload()
	if req, ok := l.Table.Want(); ok {
		l.Table.Set(widget.All(req, l.book.rows()))
	}
	l.shown = ""
	l.show()
}

func (l *Screen) show() {
	row, ok := l.Table.Cursor()
	if !ok || row.Key == l.shown {
		return
	}
	l.shown = row.Key
	if x, ok := l.book.named(row.Key); ok {
		_, detail := l.Split()
		l.Scroll.Set(flow(l.book.about(x), detail.W))
	}
}

// Resize lays the text out anew: it is wrapped for its width.
func (l *Screen) Resize(b widget.Box) {
	l.MasterDetail.Resize(b)
	if l.shown = ""; l.book.Ready() {
		l.show()
	}
}

func (l *Screen) Commands(st *app.State) []app.Command {
	begin := func(afresh bool) func() tea.Cmd {
		return func() tea.Cmd {
			row, ok := l.Table.Cursor()
			if !ok {
				return nil
			}
			return l.book.Begin(row.Key, afresh)
		}
	}
	return append([]app.Command{
		app.NewCommand(app.Bind("enter", "play", "enter"), "Play this lesson, or go on with it", app.GroupHere, begin(false)),
		app.NewCommand(app.Bind("b", "from the beginning", "b"), "Play this lesson from the beginning", app.GroupHere, begin(true)),
		app.NewCommand(app.Bind("/", "find", "/"), "Find a lesson", app.GroupHere, func() tea.Cmd {
			return app.OpenDialog(l.book.choose(func(id string) tea.Cmd {
				l.FocusDetail(false)
				l.Table.Goto(id, id)
				l.reload()
				return nil
			}))
		}),
	}, l.MasterDetail.Commands()...)
}

// rows lists the lessons with how far the learner is.
func (b *Book) rows() []widget.Row {
	rows := make([]widget.Row, 0, len(b.All))
	for i, x := range b.All {
		sign, role, text := b.state(x)
		rows = append(rows, widget.Row{Key: x.ID, Cells: []widget.Line{
			widget.In(role, sign), widget.In(themes.Muted, fmt.Sprint(i+1)), widget.Plain(x.Title), widget.In(role, text),
		}})
	}
	return rows
}

// state says how far the learner is in a lesson.
func (b *Book) state(x lesson.Lesson) (sign string, role themes.Role, text string) {
	m := b.Progress[x.ID]
	switch {
	case b.Run != nil && b.Run.Session.Lesson.ID == x.ID:
		return themes.GlyphPointer, themes.Accent, "playing"
	case m.Done && m.Asked > 0:
		return themes.GlyphYes, themes.Good, fmt.Sprintf("done, %d/%d", m.Right, m.Asked)
	case m.Done:
		return themes.GlyphYes, themes.Good, "done"
	case m.Tasks > 0 || len(m.First) > 0:
		return themes.GlyphExpiry, themes.Live, fmt.Sprintf("task %d of %d", min(m.Tasks+1, len(x.Tasks)), len(x.Tasks))
	}
	return themes.GlyphDot, themes.Muted, app.Plural(len(x.Tasks), "task")
}

// about says what a lesson is about, and once it was played, what to remember.
func (b *Book) about(x lesson.Lesson) []widget.Line {
	m := b.Progress[x.ID]
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
	for i, p := range strings.Split(text, "\n") {
		if i > 0 {
			out = append(out, widget.Line{})
		}
		out = append(out, widget.Plain(p))
	}
	return out
}

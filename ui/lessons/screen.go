package lessons

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the lessons with the learner's progress. Beside the list it describes the lesson
// under the cursor. Its keys are in commands.go, and its groups and rows in list.go. The lesson
// that is played is not its own: see [Book].
type Screen struct {
	app.ListScreen
	book       *Book
	shownID    string // the lesson that is described beside the list; "" if that must be drawn again
	groupIndex int    // the index in groups of the group that is listed
}

// New makes the screen for the lessons of a book.
func New(book *Book) *Screen {
	const listPercent = 56 // of the width, in a wide box
	s := &Screen{book: book}
	s.Tab = app.NewTab(app.KindLessons, "Lessons")
	s.Panes = app.NewMasterDetail(listPercent,
		widget.Column{Title: "", Width: 1},
		widget.Column{Title: "#", Width: 2, AlignRight: true},
		widget.Column{Title: "LESSON", Width: 16, Flex: 1},
		widget.Column{Title: "PROGRESS", Width: 12},
	)
	s.Panes.Table.EmptyText = "no lessons"
	s.Panes.HasListHead = true
	return s
}

// Refresh fills the list again. It does nothing until the lessons are read.
func (s *Screen) Refresh(*app.State) {
	if s.book.IsLoaded() {
		s.reload()
	}
}

// NextRead returns nil, because the screen shows nothing from the chain.
func (s *Screen) NextRead(*app.State) app.Read { return nil }

// Update fills the list when the lessons were read. Keys and the mouse move the cursor in
// it. Everything else is about the lesson that is played.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg, tea.MouseMsg:
		if s.Panes.UpdatePane(msg) {
			s.describeSelected()
		}
		return nil
	}
	cmd := s.book.Update(state, msg)
	if _, isLoaded := msg.(LoadedMsg); isLoaded {
		s.reload()
	}
	return cmd
}

// reload fills the list and the description from the book.
func (s *Screen) reload() {
	s.Panes.Table.Reload()
	if request, ok := s.Panes.Table.NextRequest(); ok {
		rows := s.book.lessonRows(groups[s.groupIndex].contains)
		s.Panes.Table.Set(widget.WholePage(request, rows))
	}
	s.shownID = ""
	s.describeSelected()
}

// describeSelected describes the lesson under the cursor beside the list. It does nothing if
// that lesson is described already, so that the description does not scroll back to its
// start.
func (s *Screen) describeSelected() {
	row, hasRow := s.Panes.Table.Cursor()
	if !hasRow || row.Key == s.shownID {
		return
	}
	s.shownID = row.Key
	if selectedLesson, ok := s.book.lessonByID(row.Key); ok {
		_, detail := s.Panes.Split()
		s.Panes.Scroll.Set(wrapLines(s.book.descriptionLines(selectedLesson), detail.W))
	}
}

// Resize sets the box of the screen, and wraps the description to its new width.
func (s *Screen) Resize(box widget.Box) {
	s.Panes.Resize(box)
	s.shownID = "" // so that describeSelected draws it again
	if s.book.IsLoaded() {
		s.describeSelected()
	}
}

// View draws the list below the names of the groups, and the description.
func (s *Screen) View(state *app.State) string {
	listBox, _ := s.Panes.Split()
	return s.Panes.Draw(state, app.Heads{List: s.groupLine(state, listBox.W)})
}

// groupLine draws the names of all groups in one line above the list. The name of the group
// that is listed stands out.
func (s *Screen) groupLine(state *app.State, width int) string {
	var line widget.Line
	for i, group := range groups {
		role := themes.Muted
		if i == s.groupIndex {
			role = themes.Strong
		}
		line = line.Text("  ").Append(role, group.name)
	}
	return line.Fit(state.Theme, width)
}

// descriptionLines describes a lesson: its title, its subject, and what a lesson is. If the
// lesson is done, the lines also say how well the learner did, and what to remember.
func (b *Book) descriptionLines(describedLesson lesson.Lesson) []widget.Line {
	lines := []widget.Line{
		widget.Styled(themes.Strong, describedLesson.Title),
		nil,
		widget.Plain(describedLesson.About),
		nil,
	}
	if record := b.Progress[describedLesson.ID]; record.Done {
		lines = append(lines, goodLine("", record.Describe(len(describedLesson.Tasks))), nil)
		lines = append(lines, rememberLines(describedLesson)...)
		lines = append(lines, nil)
	}
	const explanation = "A lesson has a collection of its own in memory. Yours is not touched. Use any screen and any command: only the result counts."
	return append(lines, widget.Muted(explanation))
}

// rememberLines returns the sentence to remember of a lesson, below the word "Remember".
func rememberLines(l lesson.Lesson) []widget.Line {
	lines := []widget.Line{widget.Styled(themes.Accent, "Remember")}
	return append(lines, paragraphLines(l.Remember)...)
}

// paragraphLines returns a line for each paragraph of a text, with an empty line between
// two of them. In the text a newline separates two paragraphs.
func paragraphLines(text string) (lines []widget.Line) {
	for i, paragraph := range strings.Split(text, "\n") {
		if i > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, widget.Plain(paragraph))
	}
	return lines
}

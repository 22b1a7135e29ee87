package lessons

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the lessons with the learner's progress. Beside the list it describes
// the lesson under the cursor.
type Screen struct {
	app.Tab
	app.MasterDetail
	book *Book
	// shownID is the ID of the lesson that is described beside the list; "" if the
	// description must be drawn again.
	shownID string
	// groupIndex is the index in groups of the group that is listed.
	groupIndex int
}

// lessonGroup is a group of lessons that are listed together, such as the challenges.
type lessonGroup struct {
	name     string                   // the name above the list
	contains func(lesson.Lesson) bool // reports whether a lesson is in the group
}

// groups has all groups of lessons. Each lesson is in one of them. The screen lists one
// group at a time.
var groups = []lessonGroup{
	{name: "lessons", contains: func(l lesson.Lesson) bool { return !l.IsChallenge() && !l.IsGame() }},
	{name: "challenges", contains: lesson.Lesson.IsChallenge},
	{name: "find the mistake", contains: lesson.Lesson.IsGame},
}

// New makes the screen for the lessons of a book.
func New(book *Book) *Screen {
	const listPercent = 56 // of the width, in a wide box
	screen := &Screen{
		Tab: app.NewTab(app.KindLessons, "Lessons"),
		MasterDetail: app.NewMasterDetail(listPercent,
			widget.Column{Title: "", Width: 1},
			widget.Column{Title: "#", Width: 2, AlignRight: true},
			widget.Column{Title: "LESSON", Width: 16, Flex: 1},
			widget.Column{Title: "PROGRESS", Width: 12},
		),
		book: book,
	}
	screen.Table.EmptyText = "no lessons"
	screen.LineAbove = screen.groupLine
	return screen
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
		if s.UpdatePane(msg) {
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
	s.Table.Reload()
	if request, ok := s.Table.NextRequest(); ok {
		rows := s.book.lessonRows(groups[s.groupIndex].contains)
		s.Table.Set(widget.WholePage(request, rows))
	}
	s.shownID = ""
	s.describeSelected()
}

// describeSelected describes the lesson under the cursor beside the list. It does nothing if
// that lesson is described already, so that the description does not scroll back to its
// start.
func (s *Screen) describeSelected() {
	row, hasRow := s.Table.Cursor()
	if !hasRow || row.Key == s.shownID {
		return
	}
	s.shownID = row.Key
	if selectedLesson, ok := s.book.lessonByID(row.Key); ok {
		_, detail := s.Split()
		s.Scroll.Set(wrapLines(s.book.descriptionLines(selectedLesson), detail.W))
	}
}

// Resize sets the box of the screen, and wraps the description to its new width.
func (s *Screen) Resize(box widget.Box) {
	s.MasterDetail.Resize(box)
	s.shownID = "" // so that describeSelected draws it again
	if s.book.IsLoaded() {
		s.describeSelected()
	}
}

// Commands returns the commands of the screen. The lesson under the cursor can be played,
// played from the beginning, or repeated where the learner was wrong. Other commands show
// the next group of lessons, find a lesson, and choose the learner.
func (s *Screen) Commands(state *app.State) []app.Command {
	row, _ := s.Table.Cursor()
	play := func() tea.Cmd { return s.book.Begin(row.Key, !fromFirstTask) }
	playFromStart := func() tea.Cmd { return s.book.Begin(row.Key, fromFirstTask) }
	repeatWrong := func() tea.Cmd { return s.book.RepeatWrong(row.Key) }
	findLesson := func() tea.Cmd { return app.OpenDialog(s.book.chooser(s.moveTo)) }
	chooseLearner := func() tea.Cmd { return s.book.openLearnerForm(state) }
	nextGroup := (s.groupIndex + 1) % len(groups)
	showNextGroup := func() tea.Cmd { return s.showGroup(nextGroup) }

	commands := []app.Command{
		app.ScreenCommand("enter", "play", "Play this lesson, or go on with it", play),
		app.ScreenCommand("b", "from the beginning", "Play this lesson from the beginning", playFromStart),
		app.ScreenCommand("v", groups[nextGroup].name,
			"Show the lessons, the challenges, or find the mistake", showNextGroup),
		app.ScreenCommand("R", "what was wrong",
			"Play the tasks again whose question was answered wrongly", repeatWrong).
			DisabledIf(!s.hasWrongAnswer(), "no prediction was wrong here"),
		app.ScreenCommand("/", "find", "Find a lesson", findLesson),
		app.ScreenCommand("o", "learner", "Choose the learner", chooseLearner).
			DisabledIf(s.book.CurrentRun != nil, "a lesson is running: Q leaves it"),
	}
	return append(commands, s.MasterDetail.Commands()...)
}

// hasWrongAnswer reports whether a question of the lesson under the cursor was answered
// wrongly.
func (s *Screen) hasWrongAnswer() bool {
	row, hasRow := s.Table.Cursor()
	return hasRow && len(s.book.Progress[row.Key].WrongTasks()) > 0
}

// showGroup lists the group with an index in groups, from 0. It returns nil, so that it can
// be used as a command.
func (s *Screen) showGroup(index int) tea.Cmd {
	s.groupIndex = index
	s.SetDetailFocus(false)
	s.Table.Goto("", "") // to the beginning
	s.reload()
	return nil
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

// moveTo moves the cursor to the lesson that has the given ID, and lists the group that the
// lesson is in. It returns nil, so that it can be used as a command.
func (s *Screen) moveTo(id string) tea.Cmd {
	if targetLesson, ok := s.book.lessonByID(id); ok {
		containsTarget := func(group lessonGroup) bool { return group.contains(targetLesson) }
		s.groupIndex = slices.IndexFunc(groups, containsTarget)
	}
	s.SetDetailFocus(false)
	s.Table.Goto(id, id) // the ID is the place of a row and its key
	s.reload()
	return nil
}

// lessonRows returns a row of the list for each lesson that isListed accepts. A row has a
// sign for the state, the number, the title and the progress of the lesson.
func (b *Book) lessonRows(isListed func(lesson.Lesson) bool) []widget.Row {
	rows := []widget.Row{}
	for i, listedLesson := range b.allLessons() {
		if !isListed(listedLesson) {
			continue
		}
		sign, role, text := b.lessonState(listedLesson)
		rows = append(rows, widget.Row{
			Key: listedLesson.ID,
			Cells: []widget.Line{
				widget.Styled(role, sign),
				widget.Muted(fmt.Sprint(i + 1)),
				widget.Plain(listedLesson.Title),
				widget.Styled(role, text),
			},
		})
	}
	return rows
}

// lessonState describes the learner's progress in a lesson with few words, for a narrow
// column. A lesson that was not begun has "5 tasks", a begun one "task 2 of 5", and the one
// that is being played "playing". "done, 3/4" means that 3 of 4 predictions were right. "7,
// par 5" means that a challenge was solved with 7 messages, and that 5 are enough.
// lessonState also returns a sign to show beside the text, and the role that gives both
// their colour.
func (b *Book) lessonState(describedLesson lesson.Lesson) (sign string, role themes.Role, text string) {
	record := b.Progress[describedLesson.ID]
	messages, par := record.Score()
	taskCount := len(describedLesson.Tasks)
	switch {
	case b.CurrentRun != nil && b.CurrentRun.Session.Lesson.ID == describedLesson.ID:
		return themes.GlyphPointer, themes.Accent, "playing"
	case par > 0:
		return themes.GlyphYes, themes.Good, fmt.Sprintf("%d, par %d", messages, par)
	case record.Done && record.Asked > 0:
		return themes.GlyphYes, themes.Good, fmt.Sprintf("done, %d/%d", record.Right, record.Asked)
	case record.Done:
		return themes.GlyphYes, themes.Good, "done"
	case record.IsBegun():
		taskNumber := min(record.DoneTasks+1, taskCount)
		return themes.GlyphExpiry, themes.Live, fmt.Sprintf("task %d of %d", taskNumber, taskCount)
	}
	return themes.GlyphDot, themes.Muted, app.Plural(taskCount, "task")
}

// descriptionLines describes a lesson: its title, its subject, and what a lesson is. If the
// lesson is done, the lines also say how well the learner did, and what to remember.
func (b *Book) descriptionLines(describedLesson lesson.Lesson) []widget.Line {
	lines := []widget.Line{
		widget.Styled(themes.Strong, describedLesson.Title),
		{}, // an empty line
		widget.Plain(describedLesson.About),
		{},
	}
	if record := b.Progress[describedLesson.ID]; record.Done {
		lines = append(lines, goodLine("", record.Describe(len(describedLesson.Tasks))), widget.Line{})
		lines = append(lines, rememberLines(describedLesson)...)
		lines = append(lines, widget.Line{})
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
			lines = append(lines, widget.Line{})
		}
		lines = append(lines, widget.Plain(paragraph))
	}
	return lines
}

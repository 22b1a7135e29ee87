package lessons

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// dialogWidth is the largest width of a dialog about a lesson, in cells.
const dialogWidth = 76

// taskContent is what a [TaskDialog] shows.
type taskContent int

const (
	// storyAndQuestion is the story of the task and its open question. At the end of
	// a lesson it is what to remember.
	storyAndQuestion taskContent = iota
	// wholeTask adds the goals, the hints and the answered question.
	wholeTask
	// hintsOnly is the hints that were shown so far.
	hintsOnly
)

// TaskDialog shows the current task of a lesson. If the task has a question that is
// open, the learner predicts its answer here, and the dialog then says whether the
// answer is right and why.
type TaskDialog struct {
	book        *Book
	run         *Run
	content     taskContent
	question    *scenario.Ask // nil if no question was open
	cursor      int           // the choice under the cursor
	givenAnswer string        // the learner's answer; empty before it is given

	maxBox widget.Box // where the dialog may be
	box    widget.Box // its size, which depends on the text
	scroll *widget.Scroll
	// scrollHeight is the height of the scrolling text. The footer is below it.
	scrollHeight int
	footer       []widget.Line
	// footerChoices has for each line of the footer the index of the choice on it; -1
	// is none.
	footerChoices []int
}

// NewTask returns the dialog of the current task, or of the end of the lesson.
func NewTask(b *Book) *TaskDialog {
	return &TaskDialog{book: b, run: b.Playing, question: b.Playing.Session.Question(), scroll: widget.NewScroll()}
}

// NewTaskReader returns a dialog with everything about the current task, for terminals
// that are too small for the panel beside the screen.
func NewTaskReader(b *Book) *TaskDialog {
	dialog := NewTask(b)
	dialog.content = wholeTask
	return dialog
}

// NewHints returns a dialog with the hints that were shown so far.
func NewHints(b *Book) *TaskDialog {
	return &TaskDialog{book: b, run: b.Playing, content: hintsOnly, scroll: widget.NewScroll()}
}

// isChoosing reports whether the learner has still to choose an answer.
func (t *TaskDialog) isChoosing() bool { return t.question != nil && t.givenAnswer == "" }

// Resize lays the dialog out for the box in which it may be.
func (t *TaskDialog) Resize(b widget.Box) {
	t.maxBox = b
	t.layOut()
}

// layOut wraps the text and computes the size of the dialog. The footer with the
// choices is always visible; the text above it scrolls if it is too long.
func (t *TaskDialog) layOut() {
	width := min(t.maxBox.W, dialogWidth)
	inner := widget.FrameInner(widget.Box{W: width, H: t.maxBox.H})
	frameHeight := t.maxBox.H - inner.H

	text := wrapLines(t.text(), inner.W)
	t.layOutFooter(inner.W)

	t.scrollHeight = min(len(text), max(inner.H-len(t.footer), 1))
	t.box = widget.Box{W: width, H: min(t.maxBox.H, t.scrollHeight+len(t.footer)+frameHeight)}
	t.scroll.Resize(widget.Box{W: inner.W, H: t.scrollHeight})
	t.scroll.Keep(text)
}

// layOutFooter wraps the footer to a width, and sets footerChoices so that a click
// finds its choice.
func (t *TaskDialog) layOutFooter(width int) {
	t.footer = nil
	t.footerChoices = nil
	for i, line := range t.footerLines() {
		choice := i - linesBeforeChoices
		if !t.isChoosing() || choice < 0 || choice >= len(t.question.Choices) {
			choice = -1
		}
		wrapped := wrapLines([]widget.Line{line}, width)
		t.footer = append(t.footer, wrapped...)
		t.footerChoices = append(t.footerChoices, slices.Repeat([]int{choice}, len(wrapped))...)
	}
}

// text returns the text above the footer, which scrolls. Once an answer was given, it
// is the explanation.
func (t *TaskDialog) text() []widget.Line {
	switch {
	case t.givenAnswer != "":
		return t.explanation()
	case t.content == hintsOnly:
		return t.run.hintLines()
	case t.content == wholeTask:
		return slices.Concat(t.run.storyLines(), t.run.goalLines(), t.run.hintAndAnswerLines())
	case t.run.Session.IsOver():
		lines := append(t.book.lessonSummary(t.run), t.run.storyLines()...)
		return append(lines, t.run.correctionLines()...)
	}
	return t.run.storyLines()
}

// linesBeforeChoices is the number of lines of the footer above the choices: a blank
// line and the question.
const linesBeforeChoices = 2

// footerLines returns the lines below the text: the question with its choices, or the
// keys that close the dialog.
func (t *TaskDialog) footerLines() []widget.Line {
	if t.isChoosing() {
		return t.choiceLines()
	}
	keys := "enter begins"
	switch {
	case t.givenAnswer != "" && t.belief() != lesson.NoMisconception:
		keys = "enter goes on, w shows the world you believe in"
	case t.givenAnswer != "":
		keys = "enter goes on"
	case t.run.Session.IsOver() && t.book.IsLastLesson():
		keys = "this was the last lesson: enter goes back, esc stays here"
	case t.run.Session.IsOver():
		keys = "enter goes to the next lesson, esc stays here, Q goes back"
	case t.content != storyAndQuestion:
		keys = "enter closes this"
	}
	return []widget.Line{{}, widget.In(themes.Muted, keys)}
}

// choiceLines returns the question with its numbered choices.
func (t *TaskDialog) choiceLines() []widget.Line {
	lines := []widget.Line{{}, widget.In(themes.Strong, t.question.Question)}
	for i, choice := range t.question.Choices {
		pointer := "  "
		role := themes.Text
		if i == t.cursor {
			pointer = themes.GlyphPointer + " "
			role = themes.Strong
		}
		number := fmt.Sprint(i + 1)
		lines = append(lines, widget.In(themes.Accent, pointer).And(themes.Key, number).And(role, "  "+choice))
	}
	return append(lines, widget.Line{}, widget.In(themes.Muted, "enter predicts, esc looks around first"))
}

// explanation says whether the given answer is right, and why. A wrong answer may have
// a reason of its own, besides that of the right answer.
func (t *TaskDialog) explanation() []widget.Line {
	lines := []widget.Line{widget.In(themes.Strong, t.question.Question), {}}
	if t.givenAnswer == t.question.Answer {
		lines = append(lines, widget.In(themes.Good, themes.GlyphYes+" Right: ").And(themes.Text, t.question.Answer))
		return append(lines, widget.Line{}, widget.Plain(t.question.Why))
	}

	lines = append(lines,
		widget.In(themes.Bad, themes.GlyphNo+" Not so: ").And(themes.Muted, t.givenAnswer),
		widget.In(themes.Good, themes.GlyphYes+" It is: ").And(themes.Text, t.question.Answer))
	if why := t.question.Replies[t.givenAnswer].Why; why != "" {
		lines = append(lines, widget.Line{}, widget.Plain(why))
	}
	return append(lines, widget.Line{}, widget.Plain(t.question.Why))
}

// belief returns the misconception that the given answer shows, a wrong belief about
// the contract. It returns [lesson.NoMisconception] for a right answer, for a wrong one
// that shows none, and before an answer was given.
func (t *TaskDialog) belief() lesson.Misconception {
	if t.givenAnswer == "" {
		return lesson.NoMisconception
	}
	return lesson.Misconception(t.question.Replies[t.givenAnswer].Believes)
}

// Commands returns the keys of the dialog for its footer and for help; Update handles
// them.
func (t *TaskDialog) Commands(*app.State) []app.Command {
	enter := "go on"
	switch {
	case t.isChoosing():
		enter = "choose"
	case t.content != storyAndQuestion:
		enter = "close"
	}

	bindings := app.KeysForHelp(app.GroupHere, app.Bind("enter", enter, "enter"), app.Bind("esc", "close", "esc", "q"))
	if t.belief() != lesson.NoMisconception {
		bindings = append(bindings, app.KeysForHelp(app.GroupHere, app.Bind("w", "the world you believe in", "w"))...)
	}
	if t.content == hintsOnly && t.run.Session.HintsLeft() > 0 {
		bindings = append(bindings, app.KeysForHelp(app.GroupHere, app.Bind("H", "next hint", "H"))...)
	}
	if t.isChoosing() {
		bindings = append(bindings, app.KeysForHelp(app.GroupHere, app.Bind("j k ↓ ↑", "another answer", "j", "k", "up", "down"))...)
	}
	return bindings
}

// Update handles keys and the mouse. It closes the dialog if the learner has left the
// lesson.
func (t *TaskDialog) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	if t.book.Playing != t.run {
		return nil, true // the learner has left the lesson
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return t.updateKey(st, msg)
	case tea.MouseMsg:
		return t.updateMouse(msg)
	}
	return nil, false
}

// updateKey handles a key. While the question is open, the keys of the choices come
// first. Keys without a meaning here scroll the text.
func (t *TaskDialog) updateKey(st *app.State, msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	key := msg.String()
	if t.isChoosing() {
		if cmd, taken := t.updateChoice(key); taken {
			return cmd, false
		}
	}
	switch {
	case key == "esc" || key == "q":
		return nil, true
	case key == "Q" && t.run.Session.IsOver():
		return func() tea.Msg { return EndedMsg{} }, true
	case key == "enter":
		return t.closeAndGoOn()
	case key == "H" && t.content == hintsOnly:
		t.run.Session.Hint()
		t.layOut()
		return t.book.Save(st), false
	case key == "w" && t.belief() != lesson.NoMisconception:
		return t.book.Worlds(t.belief()), false
	}
	t.scroll.Update(msg)
	return nil, false
}

// updateChoice handles the keys that select or give an answer: j and k select another
// choice and wrap around, enter gives the selected one, and a digit gives the choice
// with this number. taken is false for every other key.
func (t *TaskDialog) updateChoice(key string) (cmd tea.Cmd, taken bool) {
	choices := len(t.question.Choices)
	isDigit := len(key) == 1 && key[0] >= '1' && int(key[0]-'1') < choices
	switch {
	case key == "enter":
		return t.giveAnswer(), true
	case key == "j" || key == "down" || key == "tab":
		t.cursor = (t.cursor + 1) % choices
	case key == "k" || key == "up" || key == "shift+tab":
		t.cursor = (t.cursor + choices - 1) % choices
	case isDigit:
		t.cursor = int(key[0] - '1')
		return t.giveAnswer(), true
	default:
		return nil, false
	}
	t.layOut()
	return nil, true
}

// updateMouse handles a click on a choice, which gives it as the answer, or on the last
// line, which acts like enter. The wheel scrolls the text.
func (t *TaskDialog) updateMouse(msg tea.MouseMsg) (cmd tea.Cmd, done bool) {
	if !widget.IsClick(msg) {
		t.scroll.Update(msg)
		return nil, false
	}
	row := msg.Y - t.scrollHeight
	if row < 0 || row >= len(t.footerChoices) {
		return nil, false
	}

	isLastRow := row == len(t.footerChoices)-1
	switch choice := t.footerChoices[row]; {
	case choice >= 0:
		t.cursor = choice
		return t.giveAnswer(), false
	case isLastRow && !t.isChoosing():
		return t.closeAndGoOn()
	}
	return nil, false
}

// giveAnswer gives the choice under the cursor as the answer, and shows the
// explanation.
func (t *TaskDialog) giveAnswer() tea.Cmd {
	t.givenAnswer = t.question.Choices[t.cursor]
	t.layOut()
	given := t.givenAnswer
	return func() tea.Msg { return AnsweredMsg{Choice: given} }
}

// closeAndGoOn closes the dialog. If nothing is left to do in the task, because it has
// only a question and no goals, or if the lesson is over, it also asks the root to go
// on.
func (t *TaskDialog) closeAndGoOn() (cmd tea.Cmd, done bool) {
	if t.run.Session.IsOver() {
		return func() tea.Msg { return NextTaskMsg{} }, true
	}
	hasGoals := len(t.run.Session.Task().Checks) > 0
	if t.question != nil && !hasGoals {
		return func() tea.Msg { return NextTaskMsg{} }, true
	}
	return nil, true
}

// View draws the text in a frame, with the footer below it.
func (t *TaskDialog) View(st *app.State) string {
	inner := widget.FrameInner(t.box)
	body := widget.JoinV(t.scroll.View(st.Theme), renderLines(t.footer, st, inner.W))
	return widget.Frame(st.Theme, t.title(), widget.Fill(body, inner), t.box, widget.Hidden{})
}

// title returns the title of the frame, such as "Lesson 2 · task 1 of 3" or "Hint, 2
// more to come".
func (t *TaskDialog) title() string {
	hintsLeft := t.run.Session.HintsLeft()
	switch {
	case t.content == hintsOnly && hintsLeft > 0:
		return fmt.Sprintf("Hint, %d more to come", hintsLeft)
	case t.content == hintsOnly:
		return "The strongest hint"
	}
	return t.run.title(t.book)
}

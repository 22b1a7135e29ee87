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

// TaskContent is what a [TaskDialog] shows.
type TaskContent int

// What the dialog of a task can show.
const (
	// StoryAndQuestion is the story of the task and its open question. At the end of
	// a lesson it is what to remember.
	StoryAndQuestion TaskContent = iota
	// WholeTask adds the goals, the hints and the answered question, for terminals that
	// are too small for the panel beside the screen.
	WholeTask
	// HintsOnly is the hints that were shown so far.
	HintsOnly
)

// TaskDialog shows the current task of a lesson. If the task has a question that is
// open, the learner predicts its answer here, and the dialog then says whether the
// answer is right and why.
type TaskDialog struct {
	book        *Book
	run         *Run
	content     TaskContent
	question    *scenario.Ask // nil if no question was open
	choices     []string      // of the question, in the order in which they are shown
	cursor      int           // the index of the choice under the cursor
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
func NewTask(b *Book, content TaskContent) *TaskDialog {
	t := &TaskDialog{book: b, run: b.Playing, content: content, scroll: widget.NewScroll()}
	if content != HintsOnly {
		t.question = t.run.Session.Question()
		t.choices = t.run.Session.Choices()
	}
	return t
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
		if !t.isChoosing() || choice < 0 || choice >= len(t.choices) {
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
	case t.content == HintsOnly:
		return t.run.hintLines()
	case t.content == WholeTask:
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
	case t.belief().HasWorld() && t.content == WholeTask:
		keys = "enter closes this, w shows the world you believe in"
	case t.belief().HasWorld():
		keys = "enter goes on, w shows the world you believe in"
	case t.givenAnswer != "":
		keys = "enter goes on"
	case t.run.Session.IsOver() && t.run.Session.IsRepeat():
		keys = "enter goes back, esc stays here"
	case t.run.Session.IsOver() && t.book.IsLastLesson():
		keys = "this was the last lesson: enter goes back, esc stays here"
	case t.run.Session.IsOver():
		keys = "enter goes to the next lesson, esc stays here, Q goes back"
	case t.content != StoryAndQuestion:
		keys = "enter closes this"
	}
	return []widget.Line{{}, widget.Muted(keys)}
}

// choiceLines returns the question with its numbered choices.
func (t *TaskDialog) choiceLines() []widget.Line {
	lines := []widget.Line{{}, widget.In(themes.Strong, t.question.Question)}
	for i, choice := range t.choices {
		pointer := "  "
		role := themes.Text
		if i == t.cursor {
			pointer = themes.GlyphPointer + " "
			role = themes.Strong
		}
		number := fmt.Sprint(i + 1)
		lines = append(lines, widget.In(themes.Accent, pointer).And(themes.Key, number).And(role, "  "+choice))
	}
	return append(lines, widget.Line{}, widget.Muted("a digit selects, enter predicts, esc looks around"))
}

// explanation says whether the given answer is right, and why. A wrong answer may have
// a reason of its own, besides that of the right answer.
func (t *TaskDialog) explanation() []widget.Line {
	lines := []widget.Line{widget.In(themes.Strong, t.question.Question), {}}
	isRight := t.givenAnswer == t.question.Answer
	if isRight {
		lines = append(lines, goodLine("Right: ", t.question.Answer))
	} else {
		lines = append(lines, badLine("Not so: ", t.givenAnswer, themes.Muted), goodLine("It is: ", t.question.Answer))
	}
	if why := t.question.Replies[t.givenAnswer].Why; why != "" && !isRight {
		lines = append(lines, widget.Line{}, widget.Plain(why))
	}
	return append(lines, widget.Line{}, widget.Plain(t.question.Why))
}

// belief returns the misconception, a wrong belief about the contract, that the answer shows
// which was given here or, in the dialog of the whole task, before. It returns
// [lesson.NoMisconception] for an answer that shows none, and without an answer.
func (t *TaskDialog) belief() lesson.Misconception {
	given := t.givenAnswer
	if t.content == WholeTask {
		given = t.run.Session.Answered().Given
	}
	task := t.run.Session.Task()
	if task == nil || given == "" {
		return lesson.NoMisconception
	}
	return task.Believes(given)
}

// Commands returns the keys of the dialog. Enter is only listed, unless it gives an answer:
// Update handles it, since it closes the dialog.
func (t *TaskDialog) Commands(st *app.State) []app.Command {
	enterLabel := "go on"
	var enter func() tea.Cmd
	switch {
	case t.isChoosing():
		enterLabel = "choose"
		enter = t.giveAnswer
	case t.content != StoryAndQuestion:
		enterLabel = "close"
	}
	commands := []app.Command{app.DialogCommand("enter", enterLabel, enter, "enter"), app.Close}

	if belief := t.belief(); belief.HasWorld() {
		showWorlds := func() tea.Cmd { return t.book.Worlds(belief) }
		commands = append(commands, app.DialogCommand("w", "the world you believe in", showWorlds, "w"))
	}
	if t.canRepeatWrong() {
		id := t.run.Session.Lesson.ID
		repeatWrong := func() tea.Cmd { return t.book.RepeatWrong(id) }
		commands = append(commands, app.DialogCommand("R", "what was wrong again", repeatWrong, "R"))
	}
	if t.content == HintsOnly && t.run.Session.HintsLeft() > 0 {
		showHint := func() tea.Cmd { return t.showHint(st) }
		commands = append(commands, app.DialogCommand("H", "next hint", showHint, "H"))
	}
	if t.isChoosing() {
		commands = append(commands, app.OppositeCommands("j k ↓ ↑", "another answer", t.moveCursor, +1, "j down tab", "k up shift+tab")...)
		commands = append(commands, t.digitCommands()...)
	}
	return commands
}

// canRepeatWrong reports whether the lesson is over, and tasks of it can be played again
// because their questions were answered wrongly.
func (t *TaskDialog) canRepeatWrong() bool {
	session := t.run.Session
	isAtEnd := session.IsOver() && !session.IsRepeat()
	return isAtEnd && len(t.book.Progress[session.Lesson.ID].WrongTasks()) > 0
}

// digitCommands returns a command for each choice of the question: the digit with the
// number of the choice moves the cursor to it. Help does not list them.
func (t *TaskDialog) digitCommands() (commands []app.Command) {
	for i := range t.choices {
		selectThis := func() tea.Cmd { return t.moveCursor(i - t.cursor) }
		commands = append(commands, app.DialogCommand("", "", selectThis, fmt.Sprint(i+1)))
	}
	return commands
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

// updateKey handles a key. Keys without a meaning here scroll the text.
func (t *TaskDialog) updateKey(st *app.State, msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch key := msg.String(); {
	case key == "Q" && t.run.Session.IsOver():
		return func() tea.Msg { return EndedMsg{} }, true
	case key == "enter" && !t.isChoosing():
		return t.closeAndGoOn()
	}
	cmd, done, isBound := app.PressKey(t.Commands(st), msg)
	if done && t.isChoosing() {
		t.run.Session.NoteLook()
		return t.book.Save(st), true
	}
	if !isBound {
		t.scroll.Update(msg)
	}
	return cmd, done
}

// showHint adds the next hint to the text, and saves that it was shown.
func (t *TaskDialog) showHint(st *app.State) tea.Cmd {
	t.run.Session.Hint()
	t.layOut()
	return t.book.Save(st)
}

// moveCursor moves the cursor to the next or the previous choice, and wraps around at the
// ends.
func (t *TaskDialog) moveCursor(by int) tea.Cmd {
	choices := len(t.choices)
	t.cursor = (t.cursor + choices + by) % choices
	t.layOut()
	return nil
}

// updateMouse handles a click on a choice, which moves the cursor to it, or on the last
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
		return t.moveCursor(choice - t.cursor), false
	case isLastRow && t.isChoosing():
		return t.giveAnswer(), false
	case isLastRow:
		return t.closeAndGoOn()
	}
	return nil, false
}

// giveAnswer gives the choice under the cursor as the answer, and shows the
// explanation.
func (t *TaskDialog) giveAnswer() tea.Cmd {
	t.givenAnswer = t.choices[t.cursor]
	t.layOut()
	given := t.givenAnswer
	return func() tea.Msg { return AnsweredMsg{Choice: given} }
}

// closeAndGoOn closes the dialog. If the lesson is over, or if the task has a question and
// nothing else to do, it also asks the root to go on.
func (t *TaskDialog) closeAndGoOn() (cmd tea.Cmd, done bool) {
	isOver := t.run.Session.IsOver()
	isOnlyQuestion := !isOver && t.question != nil && len(t.run.Session.Task().Checks) == 0
	if isOver || isOnlyQuestion {
		return func() tea.Msg { return NextTaskMsg{} }, true
	}
	return nil, true
}

// View draws the text in a frame, with the footer below it.
func (t *TaskDialog) View(st *app.State) string {
	inner := widget.FrameInner(t.box)
	body := widget.JoinV(t.scroll.View(st.Theme), widget.DrawLines(st.Theme, t.footer, inner.W))
	return widget.Frame(st.Theme, t.title(), widget.Fill(body, inner), t.box, widget.Hidden{})
}

// title returns the title of the frame, such as "Lesson 2 · task 1 of 3" or "Hint, 2
// more to come".
func (t *TaskDialog) title() string {
	hintsLeft := t.run.Session.HintsLeft()
	switch {
	case t.content == HintsOnly && hintsLeft > 0:
		return fmt.Sprintf("Hint, %d more to come", hintsLeft)
	case t.content == HintsOnly:
		return "The strongest hint"
	}
	return t.run.title(t.book)
}

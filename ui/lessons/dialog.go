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

// TaskDialog shows the current task of a lesson. If the task has a question that is
// open, the learner predicts its answer here, and the dialog then says whether the
// answer is right and why.
type TaskDialog struct {
	book     *Book
	run      *Run
	isWhole  bool          // all of the task is shown, in place of its story alone
	question *scenario.Ask // nil if no question was open when the dialog was opened
	choices  []string      // of the question, in the order in which they are shown
	cursor   int           // the index of the choice under the cursor

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

// NewTask returns the dialog with the story of the current task and its open question. At
// the end of the lesson the dialog shows what to remember.
func NewTask(b *Book) *TaskDialog {
	return &TaskDialog{
		book:     b,
		run:      b.Playing,
		question: b.Playing.Session.Question(),
		choices:  b.Playing.Session.Choices(),
		scroll:   widget.NewScroll(),
	}
}

// NewWholeTask returns a dialog like that of [NewTask], which also shows the hints, the
// goals and the answered question.
func NewWholeTask(b *Book) *TaskDialog {
	t := NewTask(b)
	t.isWhole = true
	return t
}

// isChoosing reports whether the learner has still to choose an answer.
func (t *TaskDialog) isChoosing() bool {
	return t.question != nil && t.run.Session.Question() != nil
}

// Resize lays the dialog out for the box in which it may be.
func (t *TaskDialog) Resize(b widget.Box) {
	t.maxBox = b
	t.layOut()
}

// layOut wraps the text and computes the size of the dialog. The choices in the footer are
// always visible; the text above them scrolls if it is too long.
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

// layOutFooter wraps the question and its choices to a width, and sets footerChoices so
// that a click finds its choice. Without an open question the footer is empty.
func (t *TaskDialog) layOutFooter(width int) {
	t.footer = nil
	t.footerChoices = nil
	if !t.isChoosing() {
		return
	}

	const noChoice = -1
	t.addToFooter(nil, noChoice, width)
	t.addToFooter(widget.In(themes.Strong, t.question.Question), noChoice, width)
	for i := range t.choices {
		t.addToFooter(t.choiceLine(i), i, width)
	}
}

// addToFooter wraps a line to a width and adds it to the footer. choice is the index of the
// choice that the line shows, or -1.
func (t *TaskDialog) addToFooter(line widget.Line, choice, width int) {
	wrapped := wrapLines([]widget.Line{line}, width)
	t.footer = append(t.footer, wrapped...)
	t.footerChoices = append(t.footerChoices, slices.Repeat([]int{choice}, len(wrapped))...)
}

// choiceLine returns a choice of the question with its number. A pointer marks the choice
// under the cursor.
func (t *TaskDialog) choiceLine(index int) widget.Line {
	pointer := "  "
	role := themes.Text
	if index == t.cursor {
		pointer = themes.GlyphPointer + " "
		role = themes.Strong
	}
	number := fmt.Sprint(index + 1)
	return widget.In(themes.Accent, pointer).And(themes.Key, number).And(role, "  "+t.choices[index])
}

// text returns the text above the footer, which scrolls. Once the question of the dialog
// is answered, the text is the explanation of its answer.
func (t *TaskDialog) text() []widget.Line {
	session := t.run.Session
	switch {
	case t.question != nil && !t.isChoosing():
		return answerLines(t.question, session.Answered().Given)
	case t.isWhole:
		return slices.Concat(t.run.hintLines(), t.run.storyLines(), t.run.goalLines(), t.run.questionLines())
	case session.IsOver():
		return slices.Concat(t.book.lessonSummary(t.run), t.run.storyLines(), t.run.correctionLines())
	}
	return t.run.storyLines()
}

// belief returns the misconception, a wrong belief about the contract, that the learner's
// answer to the question of the task shows. It returns [lesson.NoMisconception] for an
// answer that shows none, and without an answer.
func (t *TaskDialog) belief() lesson.Misconception {
	task := t.run.Session.Task()
	given := t.run.Session.Answered().Given
	if task == nil || given == "" {
		return lesson.NoMisconception
	}
	return task.Believes(given)
}

// Commands returns the keys of the dialog. Enter is only listed, unless it gives an answer:
// Update handles it, since it closes the dialog.
func (t *TaskDialog) Commands(st *app.State) []app.Command {
	session := t.run.Session
	enterLabel := "go on"
	var enter func() tea.Cmd
	switch {
	case t.isChoosing():
		enterLabel = "predict"
		enter = t.giveAnswer
	case session.IsOver():
		enterLabel = t.run.NextLabel(t.book)
	case t.isWhole:
		enterLabel = "close"
	}
	commands := []app.Command{app.DialogCommand("enter", enterLabel, enter, "enter"), app.Close}

	// The other commands are there when they can do something.
	if belief := t.belief(); belief.HasWorld() {
		showWorlds := func() tea.Cmd { return t.book.Worlds(belief) }
		commands = append(commands, app.DialogCommand("w", "the world you believe in", showWorlds, "w"))
	}
	if session.IsOver() {
		leave := func() tea.Cmd { return app.Send(EndedMsg{}) }
		commands = append(commands, app.DialogCommand("Q", "leave lesson", leave, "Q"))
	}
	if t.canRepeatWrong() {
		repeatWrong := func() tea.Cmd { return t.book.RepeatWrong(session.Lesson.ID) }
		commands = append(commands, app.DialogCommand("R", "what was wrong again", repeatWrong, "R"))
	}
	if t.isWhole && session.HintsLeft() > 0 {
		label := fmt.Sprintf("hint (%d)", session.HintsLeft())
		showHint := func() tea.Cmd { return t.showHint(st) }
		commands = append(commands, app.DialogCommand("H", label, showHint, "H"))
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

// digitCommands returns a command for each choice of the question: the number of the choice
// moves the cursor to it. The commands have no label, so help does not list them.
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
		return t.updateMouse(msg), false
	}
	return nil, false
}

// updateKey handles a key. Keys without a meaning here scroll the text. Closing the dialog
// while its question is open counts as looking around before the answer.
func (t *TaskDialog) updateKey(st *app.State, msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	if msg.String() == "enter" && !t.isChoosing() {
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

// moveCursor moves the cursor down by a number of choices, or up if the number is negative. It
// wraps around at the ends.
func (t *TaskDialog) moveCursor(by int) tea.Cmd {
	choices := len(t.choices)
	t.cursor = (t.cursor + choices + by) % choices
	t.layOut()
	return nil
}

// updateMouse handles a click on a choice, which moves the cursor to it. The wheel scrolls
// the text.
func (t *TaskDialog) updateMouse(msg tea.MouseMsg) tea.Cmd {
	if !widget.IsClick(msg) {
		t.scroll.Update(msg)
		return nil
	}
	row := msg.Y - t.scrollHeight
	isOnChoice := row >= 0 && row < len(t.footerChoices) && t.footerChoices[row] >= 0
	if !isOnChoice {
		return nil
	}
	return t.moveCursor(t.footerChoices[row] - t.cursor)
}

// giveAnswer gives the choice under the cursor as the answer, and shows the explanation.
func (t *TaskDialog) giveAnswer() tea.Cmd {
	t.run.Session.Answer(t.choices[t.cursor])
	t.layOut()
	return app.Send(AnsweredMsg{})
}

// closeAndGoOn closes the dialog. If the lesson is over, or if the task has a question and
// nothing else to do, it also asks the root to go on.
func (t *TaskDialog) closeAndGoOn() (cmd tea.Cmd, done bool) {
	isOver := t.run.Session.IsOver()
	isOnlyQuestion := !isOver && t.question != nil && len(t.run.Session.Task().Checks) == 0
	if isOver || isOnlyQuestion {
		return app.Send(NextTaskMsg{}), true
	}
	return nil, true
}

// View draws the text in a frame, with the choices below it.
func (t *TaskDialog) View(st *app.State) string {
	inner := widget.FrameInner(t.box)
	body := widget.JoinV(t.scroll.View(st.Theme), widget.DrawLines(st.Theme, t.footer, inner.W))
	return widget.Frame(st.Theme, t.run.title(t.book), widget.Fill(body, inner), t.box, widget.Hidden{})
}

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
	book *Book
	// run is the lesson that was being played when the dialog was opened.
	run *Run
	// showsWholeTask says that the dialog shows the whole task and not only its story.
	showsWholeTask bool
	// question is the question that was open when the dialog was opened; nil for none.
	question *scenario.Ask
	// choices has the choices of the question, in the order in which they are shown.
	choices []string
	// cursor is the index of the choice under the cursor.
	cursor int

	// maxBox is the largest box that the dialog may fill.
	maxBox widget.Box
	// box is the box that the dialog fills. Its size depends on the text.
	box widget.Box
	// scroll shows the text above the footer.
	scroll *widget.Scroll
	// scrollHeight is the height of scroll, in lines.
	scrollHeight int
	// footer has the lines of the open question and its choices.
	footer []widget.Line
	// footerChoices has for each line of the footer the index of the choice that the line
	// shows, or -1 for no choice.
	footerChoices []int
}

// NewTask returns the dialog with the story of the current task and its open question. At
// the end of the lesson the dialog shows what to remember.
func NewTask(book *Book) *TaskDialog {
	return &TaskDialog{
		book:     book,
		run:      book.CurrentRun,
		question: book.CurrentRun.Session.Question(),
		choices:  book.CurrentRun.Session.Choices(),
		scroll:   widget.NewScroll(),
	}
}

// NewWholeTask returns a dialog like that of [NewTask], which also shows the hints, the
// goals and the answered question.
func NewWholeTask(book *Book) *TaskDialog {
	dialog := NewTask(book)
	dialog.showsWholeTask = true
	return dialog
}

// isChoosing reports whether the question of the dialog still waits for an answer.
func (t *TaskDialog) isChoosing() bool {
	return t.question != nil && t.run.Session.Question() != nil
}

// Resize lays the dialog out for the box in which it may be.
func (t *TaskDialog) Resize(box widget.Box) {
	t.maxBox = box
	t.layOut()
}

// layOut wraps the text and computes the size of the dialog. The dialog is no higher than
// its text. If the text is too long, it scrolls, but the choices in the footer stay
// visible.
func (t *TaskDialog) layOut() {
	width := min(t.maxBox.W, dialogWidth)
	innerBox := widget.FrameInner(widget.Box{W: width, H: t.maxBox.H})
	frameHeight := t.maxBox.H - innerBox.H

	wrappedText := wrapLines(t.text(), innerBox.W)
	t.layOutFooter(innerBox.W)

	// The text gets the height that the footer leaves, but at least a line.
	maxScrollHeight := max(innerBox.H-len(t.footer), 1)
	t.scrollHeight = min(len(wrappedText), maxScrollHeight)
	height := t.scrollHeight + len(t.footer) + frameHeight
	t.box = widget.Box{W: width, H: min(t.maxBox.H, height)}
	t.scroll.Resize(widget.Box{W: innerBox.W, H: t.scrollHeight})
	t.scroll.RefreshLines(wrappedText)
}

// layOutFooter fills the footer with the question and its choices, wrapped to a width in
// cells. It also sets footerChoices, by which a click finds its choice. Without an open
// question the footer is empty.
func (t *TaskDialog) layOutFooter(width int) {
	t.footer = nil
	t.footerChoices = nil
	if !t.isChoosing() {
		return
	}

	const noChoice = -1
	t.addToFooter(nil, noChoice, width) // an empty line
	t.addToFooter(widget.Styled(themes.Strong, t.question.Question), noChoice, width)
	for i := range t.choices {
		t.addToFooter(t.choiceLine(i), i, width)
	}
}

// addToFooter wraps a line to a width and adds it to the footer. choiceIndex is the index of
// the choice that the line shows, or -1 for no choice. It is kept for each wrapped line.
func (t *TaskDialog) addToFooter(line widget.Line, choiceIndex, width int) {
	wrappedLines := wrapLines([]widget.Line{line}, width)
	t.footer = append(t.footer, wrappedLines...)
	t.footerChoices = append(t.footerChoices, slices.Repeat([]int{choiceIndex}, len(wrappedLines))...)
}

// choiceLine returns the line of the choice with an index: its number and its text. The
// choice under the cursor also has a pointer.
func (t *TaskDialog) choiceLine(index int) widget.Line {
	pointer := "  "
	role := themes.Text
	if index == t.cursor {
		pointer = themes.GlyphPointer + " "
		role = themes.Strong
	}
	number := fmt.Sprint(index + 1)
	return widget.Styled(themes.Accent, pointer).
		Append(themes.Key, number).
		Append(role, "  "+t.choices[index])
}

// text returns the text above the footer: the explanation of the answer once the question
// of the dialog is answered, the whole task if showsWholeTask is set, what to remember at
// the end of the lesson, or else the story of the task.
func (t *TaskDialog) text() []widget.Line {
	session := t.run.Session
	switch {
	case t.question != nil && !t.isChoosing():
		return answerLines(t.question, session.Answered().Given)
	case t.showsWholeTask:
		return slices.Concat(
			t.run.hintLines(),
			t.run.storyLines(),
			t.run.goalLines(),
			t.run.questionLines())
	case session.IsOver():
		return slices.Concat(t.book.lessonSummary(t.run), t.run.storyLines(), t.run.correctionLines())
	}
	return t.run.storyLines()
}

// shownMisconception returns the misconception (a wrong belief about the contract) that the
// learner's answer to the question of the task shows. It returns [lesson.NoMisconception]
// if the answer shows none, or if there is no answer.
func (t *TaskDialog) shownMisconception() lesson.Misconception {
	task := t.run.Session.Task()
	givenAnswer := t.run.Session.Answered().Given
	if task == nil || givenAnswer == "" {
		return lesson.NoMisconception
	}
	return task.MisconceptionOfChoice(givenAnswer)
}

// enterCommand returns the command of the enter key. While a question is open, it gives the
// answer. Otherwise enter closes the dialog, which [TaskDialog.Update] does by itself. Then
// the command has no function, and only shows what the key does.
func (t *TaskDialog) enterCommand() app.Command {
	if t.isChoosing() {
		return app.DialogCommand("enter", "predict", t.giveAnswer, "enter")
	}

	var label string
	switch {
	case t.run.Session.IsOver():
		label = t.run.NextLabel(t.book)
	case t.showsWholeTask:
		label = "close"
	default:
		label = "go on"
	}
	return app.DialogCommand("enter", label, nil, "enter")
}

// Commands returns the commands of the dialog. Those that can do nothing now are left out.
func (t *TaskDialog) Commands(state *app.State) []app.Command {
	session := t.run.Session
	commands := []app.Command{t.enterCommand(), app.Close}

	// A wrong belief with a contract that behaves as it expects can be compared with the
	// truth.
	if misconception := t.shownMisconception(); misconception.HasWorld() {
		showWorlds := func() tea.Cmd { return t.book.CompareContracts(misconception) }
		commands = append(commands, app.DialogCommand("w", "the world you believe in", showWorlds, "w"))
	}
	if session.IsOver() {
		leaveLesson := func() tea.Cmd { return app.Send(EndedMsg{}) }
		commands = append(commands, app.DialogCommand("Q", "leave lesson", leaveLesson, "Q"))
	}
	if t.canRepeatWrong() {
		repeatWrong := func() tea.Cmd { return t.book.RepeatWrong(session.Lesson.ID) }
		commands = append(commands, app.DialogCommand("R", "what was wrong again", repeatWrong, "R"))
	}
	if t.showsWholeTask && session.HintsLeft() > 0 {
		label := fmt.Sprintf("hint (%d)", session.HintsLeft())
		showHint := func() tea.Cmd { return t.showHint(state) }
		commands = append(commands, app.DialogCommand("H", label, showHint, "H"))
	}
	if t.isChoosing() {
		// The first list of keys moves the cursor down by 1, and the second moves it up.
		moves := app.OppositeCommands("j k ↓ ↑", "another answer",
			t.moveCursor, +1,
			"j down tab", "k up shift+tab")
		commands = append(commands, moves...)
		commands = append(commands, t.digitCommands()...)
	}
	return commands
}

// canRepeatWrong reports whether the learner can now play tasks again whose question was
// answered wrongly. That is so at the end of a lesson with such tasks, but not while tasks
// are being repeated.
func (t *TaskDialog) canRepeatWrong() bool {
	session := t.run.Session
	isAtEnd := session.IsOver() && !session.IsRepeat()
	record := t.book.Progress[session.Lesson.ID]
	return isAtEnd && len(record.WrongTasks()) > 0
}

// digitCommands returns a command for each choice of the question. Its key is the number of
// the choice, and it moves the cursor to the choice. The commands have no label, so that
// help does not list them.
func (t *TaskDialog) digitCommands() (commands []app.Command) {
	for i := range t.choices {
		selectThis := func() tea.Cmd { return t.moveCursor(i - t.cursor) }
		commands = append(commands, app.DialogCommand("", "", selectThis, fmt.Sprint(i+1)))
	}
	return commands
}

// Update handles keys and the mouse. done says that the dialog is to be closed.
func (t *TaskDialog) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	isOtherLesson := t.book.CurrentRun != t.run
	if isOtherLesson {
		return nil, true
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return t.updateKey(state, msg)
	case tea.MouseMsg:
		return t.updateMouse(msg), false
	}
	return nil, false
}

// updateKey handles a key. A key without a command scrolls the text. If the learner closes
// the dialog while its question is open, updateKey records that they look around before
// answering.
func (t *TaskDialog) updateKey(state *app.State, msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	if msg.String() == "enter" && !t.isChoosing() {
		return t.closeAndGoOn()
	}

	cmd, done, isBound := app.PressKey(t.Commands(state), msg)
	if done && t.isChoosing() {
		t.run.Session.NoteLook()
		return t.book.Save(state), true
	}
	if !isBound {
		t.scroll.Update(msg)
	}
	return cmd, done
}

// showHint adds the next hint to the text, and saves that it was shown.
func (t *TaskDialog) showHint(state *app.State) tea.Cmd {
	t.run.Session.ShowNextHint()
	t.layOut()
	return t.book.Save(state)
}

// moveCursor moves the cursor down by a number of choices, or up if the number is negative.
// It wraps around at the ends.
func (t *TaskDialog) moveCursor(choiceOffset int) tea.Cmd {
	choiceCount := len(t.choices)
	t.cursor = (t.cursor + choiceCount + choiceOffset) % choiceCount
	t.layOut()
	return nil
}

// updateMouse moves the cursor to the choice that is clicked. Any other mouse event, such
// as a turn of the wheel, scrolls the text.
func (t *TaskDialog) updateMouse(msg tea.MouseMsg) tea.Cmd {
	if !widget.IsClick(msg) {
		t.scroll.Update(msg)
		return nil
	}

	// The footer is below the text, and some of its lines show no choice.
	footerLine := msg.Y - t.scrollHeight
	isInFooter := footerLine >= 0 && footerLine < len(t.footerChoices)
	if !isInFooter || t.footerChoices[footerLine] < 0 {
		return nil
	}
	return t.moveCursor(t.footerChoices[footerLine] - t.cursor)
}

// giveAnswer gives the choice under the cursor as the answer, and shows the explanation.
func (t *TaskDialog) giveAnswer() tea.Cmd {
	t.run.Session.Answer(t.choices[t.cursor])
	t.layOut()
	return app.Send(AnsweredMsg{})
}

// closeAndGoOn closes the dialog. It also asks the root to go on to the next task or lesson
// if there is nothing to do here any more: the lesson is over, or the dialog was about the
// question of a task without goals.
func (t *TaskDialog) closeAndGoOn() (cmd tea.Cmd, done bool) {
	isOver := t.run.Session.IsOver()
	isOnlyQuestion := !isOver && t.question != nil && len(t.run.Session.Task().Checks) == 0
	if isOver || isOnlyQuestion {
		return app.Send(NextTaskMsg{}), true
	}
	return nil, true
}

// View draws the text in a frame, with the choices below it.
func (t *TaskDialog) View(state *app.State) string {
	innerBox := widget.FrameInner(t.box)
	footer := widget.DrawLines(state.Theme, t.footer, innerBox.W)
	body := widget.Fill(widget.JoinVertically(t.scroll.View(state.Theme), footer), innerBox)
	return widget.Frame(state.Theme, t.run.title(t.book), body, t.box, widget.HiddenCounts{})
}

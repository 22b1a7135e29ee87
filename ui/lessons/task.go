package lessons

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

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
	book           *Book
	run            *Run          // the lesson that was played when the dialog was opened
	showsWholeTask bool          // and not only its story
	question       *scenario.Ask // the one that was open when the dialog was opened; nil for none
	choices        []string      // of the question, in the order in which they are shown
	cursor         int           // the index of the choice under the cursor

	maxBox        widget.Box     // the largest box that the dialog may fill
	box           widget.Box     // the box that it fills, which depends on the text
	scroll        *widget.Scroll // the text above the footer
	scrollHeight  int
	footer        []widget.Line // the open question and its choices
	footerChoices []int         // the index of the choice of each line of the footer; -1 for none
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

// layOut wraps the text and computes the size of the dialog, which is no higher than its text.
// A text that is too long scrolls, but the choices in the footer stay visible.
func (t *TaskDialog) layOut() {
	width := min(t.maxBox.W, dialogWidth)
	innerBox := widget.FrameInner(widget.Box{W: width, H: t.maxBox.H})
	frameHeight := t.maxBox.H - innerBox.H

	wrappedText := wrapLines(t.text(), innerBox.W)

	// Without an open question the footer is empty.
	t.footer = nil
	t.footerChoices = nil
	if t.isChoosing() {
		const noChoice = -1
		t.addToFooter(nil, noChoice, innerBox.W) // an empty line
		t.addToFooter(widget.Styled(themes.Strong, t.question.Question), noChoice, innerBox.W)
		for i, choice := range t.choices {
			pointer := "  "
			role := themes.Text
			if i == t.cursor {
				pointer = themes.GlyphPointer + " "
				role = themes.Strong
			}
			line := widget.Styled(themes.Accent, pointer).
				Append(themes.Key, fmt.Sprint(i+1)).
				Append(role, "  "+choice)
			t.addToFooter(line, i, innerBox.W)
		}
	}

	// The text gets the height that the footer leaves, but at least a line.
	maxScrollHeight := max(innerBox.H-len(t.footer), 1)
	t.scrollHeight = min(len(wrappedText), maxScrollHeight)
	height := t.scrollHeight + len(t.footer) + frameHeight
	t.box = widget.Box{W: width, H: min(t.maxBox.H, height)}
	t.scroll.Resize(widget.Box{W: innerBox.W, H: t.scrollHeight})
	t.scroll.RefreshLines(wrappedText)
}

// addToFooter wraps a line to a width and adds it to the footer. choiceIndex is the index of
// the choice that the line shows, or -1 for no choice. It is kept for each wrapped line.
func (t *TaskDialog) addToFooter(line widget.Line, choiceIndex, width int) {
	wrappedLines := wrapLines([]widget.Line{line}, width)
	t.footer = append(t.footer, wrappedLines...)
	t.footerChoices = append(t.footerChoices, slices.Repeat([]int{choiceIndex}, len(wrappedLines))...)
}

// text returns the text above the footer.
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

// Commands returns the commands of the dialog. Those that can do nothing now are left out.
func (t *TaskDialog) Commands(state *app.State) []app.Command {
	session := t.run.Session
	enter := app.DialogCommand("enter", "go on", nil, "enter") // Update closes the dialog
	switch {
	case t.isChoosing():
		enter = app.DialogCommand("enter", "predict", func() tea.Cmd { return t.giveAnswer(state) }, "enter")
	case session.IsOver():
		enter = app.DialogCommand("enter", t.run.NextLabel(t.book), nil, "enter")
	case t.showsWholeTask:
		enter = app.DialogCommand("enter", "close", nil, "enter")
	}
	commands := []app.Command{enter, app.Close}

	// A wrong belief with a contract that behaves as it expects can be compared with the
	// truth.
	if task := session.Task(); task != nil && session.Answered().Given != "" {
		if belief := task.MisconceptionOfChoice(session.Answered().Given); belief.HasWorld() {
			commands = append(commands, app.DialogCommand("w", "the world you believe in",
				func() tea.Cmd { return t.book.CompareContracts(belief) }, "w"))
		}
	}
	if session.IsOver() {
		commands = append(commands, app.DialogCommand("Q", "leave lesson",
			func() tea.Cmd { return t.book.leave(state) }, "Q"))
	}
	hasWrongTasks := len(t.book.Progress[session.Lesson.ID].WrongTasks()) > 0
	if session.IsOver() && !session.IsRepeat() && hasWrongTasks {
		commands = append(commands, app.DialogCommand("R", "what was wrong again",
			func() tea.Cmd { return t.book.RepeatWrong(session.Lesson.ID) }, "R"))
	}
	if t.showsWholeTask && session.HintsLeft() > 0 {
		label := fmt.Sprintf("hint (%d)", session.HintsLeft())
		commands = append(commands, app.DialogCommand("H", label, func() tea.Cmd {
			session.ShowNextHint()
			t.layOut()
			return t.book.Save(state)
		}, "H"))
	}
	if !t.isChoosing() {
		return commands
	}

	// The first list of keys moves the cursor down by 1, and the second moves it up. The
	// number of a choice moves it there; help does not list these keys.
	commands = append(commands, app.OppositeCommands("j k ↓ ↑", "another answer",
		t.moveCursor, +1,
		"j down tab", "k up shift+tab")...)
	for i := range t.choices {
		commands = append(commands, app.DialogCommand("", "",
			func() tea.Cmd { return t.moveCursor(i - t.cursor) }, fmt.Sprint(i+1)))
	}
	return commands
}

// Update handles keys and the mouse. done says that the dialog is to be closed.
func (t *TaskDialog) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	if t.book.CurrentRun != t.run { // another lesson is played by now
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
	session := t.run.Session
	if msg.String() == "enter" && !t.isChoosing() {
		// Go on if there is nothing to do here any more: the lesson is over, or the dialog was
		// about the question of a task without goals.
		if session.IsOver() || t.question != nil && len(session.Task().Checks) == 0 {
			return t.book.nextTask(state), true
		}
		return nil, true
	}

	cmd, done, isBound := app.PressKey(t.Commands(state), msg)
	if done && t.isChoosing() {
		session.NoteLook()
		return t.book.Save(state), true
	}
	if !isBound {
		t.scroll.Update(msg)
	}
	return cmd, done
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
	line := msg.Y - t.scrollHeight
	if line < 0 || line >= len(t.footerChoices) || t.footerChoices[line] < 0 {
		return nil
	}
	return t.moveCursor(t.footerChoices[line] - t.cursor)
}

// giveAnswer gives the choice under the cursor as the answer, and shows the explanation.
func (t *TaskDialog) giveAnswer(state *app.State) tea.Cmd {
	t.run.Session.Answer(t.choices[t.cursor])
	t.layOut()
	return tea.Batch(t.book.Save(state), t.book.check(state))
}

// View draws the text in a frame, with the choices below it.
func (t *TaskDialog) View(state *app.State) string {
	innerBox := widget.FrameInner(t.box)
	footer := widget.DrawLines(state.Theme, t.footer, innerBox.W)
	body := widget.Fill(widget.JoinVertically(t.scroll.View(state.Theme), footer), innerBox)
	return widget.Frame(state.Theme, t.run.title(t.book), body, t.box, widget.HiddenCounts{})
}

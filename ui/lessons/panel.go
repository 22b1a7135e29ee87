package lessons

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// These sizes, in cells, decide how a lesson is shown. A large terminal has a panel beside
// the screen. A smaller one has a few lines above the screen, which are called the strip. A
// low one has a single line.
const (
	minPanelWidth  = 100 // of the terminal, for a panel
	minPanelHeight = 24
	maxPanelWidth  = 48 // longer lines are harder to read
	minStripHeight = 18 // of the terminal, for a strip
	stripHeight    = 3  // with the horizontal rule below it
)

// Resize tells the book the size of the terminal.
func (b *Book) Resize(terminal widget.Box) { b.terminal = terminal }

// isPanelBeside reports whether the terminal has room for the panel, which shows the whole
// task. In a smaller terminal, only a few lines above the screen are about the task.
func (b *Book) isPanelBeside() bool {
	return b.terminal.W >= minPanelWidth && b.terminal.H >= minPanelHeight
}

// PanelSize returns how much of the terminal the task takes: the width of the panel at its
// right, or the height of the strip above the screen. The other one is 0. Without a lesson,
// both are 0.
func (b *Book) PanelSize() (panelWidth, linesAbove int) {
	switch {
	case b.CurrentRun == nil:
		return 0, 0
	case b.isPanelBeside():
		return min(maxPanelWidth, b.terminal.W*3/8), 0
	case b.terminal.H >= minStripHeight:
		return 0, stripHeight
	}
	return 0, 1 // a low terminal has room for only one line
}

// AddTask adds the task to a screen that was drawn and is height lines high: in a panel at its
// right, or in a strip above it. Without a lesson it returns the screen unchanged.
func (b *Book) AddTask(state *app.State, screenView string, height int) string {
	run := b.CurrentRun
	if run == nil {
		return screenView
	}
	panelWidth, linesAbove := b.PanelSize()
	if linesAbove > 0 {
		strip := run.strip(state, b, widget.Box{W: b.terminal.W, H: linesAbove})
		return widget.JoinVertically(strip, screenView)
	}

	// Draw a vertical line between the screen and the panel.
	const ruleWidth = 3    // with a blank at each side
	const hasFocus = false // the panel takes no keys
	rule := app.RuleDown(state, height, hasFocus)
	gap := widget.Fill("", widget.Box{W: 1, H: height})
	panel := run.panel(state, b, widget.Box{W: panelWidth - ruleWidth, H: height})
	return widget.JoinHorizontally(screenView, rule, gap, panel)
}

// title returns the title above the lesson, such as "Lesson 2 · task 1 of 3". At the end of
// the lesson it has the lesson's own title in place of the task. A game of "find the
// mistake" has no numbers. Its title is "Which rule is wrong?", and at the end its own
// title.
func (r *Run) title(book *Book) string {
	playedLesson := r.Session.Lesson
	switch {
	case playedLesson.IsGame() && r.Session.IsOver():
		return playedLesson.Title
	case playedLesson.IsGame():
		return "Which rule is wrong?"
	case r.Session.IsOver():
		return fmt.Sprintf("Lesson %d · %s", book.Number(playedLesson.ID), playedLesson.Title)
	}
	return fmt.Sprintf("Lesson %d · task %d of %d",
		book.Number(playedLesson.ID),
		r.Session.TaskIndex()+1,
		len(playedLesson.Tasks))
}

// storyLines returns the story of the current task, or what to remember once the lesson is
// over.
func (r *Run) storyLines() []widget.Line {
	if task := r.Session.Task(); task != nil {
		return paragraphLines(task.Story)
	}
	return rememberLines(r.Session.Lesson)
}

// questionLines returns the question of the task. Below it is the explanation of the
// learner's answer, or, if there is no answer yet, the key with which the learner gives
// one. It returns nil if the task has no question.
func (r *Run) questionLines() []widget.Line {
	task := r.Session.Task()
	if task == nil || task.Ask == nil {
		return nil
	}
	givenAnswer := r.Session.Answered().Given
	if givenAnswer == "" {
		predictFirst := widget.Warning("").
			Text("predict it first: ").
			Append(themes.Key, "N")
		return []widget.Line{nil, widget.Styled(themes.Strong, task.Ask.Question), predictFirst}
	}
	return append([]widget.Line{nil}, answerLines(task.Ask, givenAnswer)...)
}

// answerLines returns a question, and says whether the given answer is right and why. If it
// is wrong, the lines have the right answer too. A wrong answer can have an explanation of
// its own, which comes before that of the right answer.
func answerLines(question *scenario.Ask, givenAnswer string) []widget.Line {
	lines := []widget.Line{widget.Styled(themes.Strong, question.Question), nil}
	if givenAnswer == question.Answer {
		return append(lines, goodLine("Right: ", givenAnswer), nil, widget.Plain(question.Why))
	}
	lines = append(lines,
		badLine("Not so: ", givenAnswer, themes.Muted),
		goodLine("It is: ", question.Answer))
	if why := question.Choices.Find(givenAnswer).Why; why != "" {
		lines = append(lines, nil, widget.Plain(why))
	}
	return append(lines, nil, widget.Plain(question.Why))
}

// goalLines returns a line for each goal of the task, below a title. A goal that is not reached
// has what is true instead, such as "owner is alice now". It returns nil before the first check.
func (r *Run) goalLines() []widget.Line {
	if len(r.LastCheck.Goals) == 0 {
		return nil
	}
	lines := []widget.Line{nil, widget.Styled(themes.Accent, "To reach")}
	for _, goal := range r.LastCheck.Goals {
		switch {
		case goal.Reached:
			lines = append(lines, goodLine("", goal.Text))
		case goal.Instead != "":
			lines = append(lines, todoLine(goal.Text).Muted(" · "+goal.Instead))
		default:
			lines = append(lines, todoLine(goal.Text))
		}
	}
	return lines
}

// NextLabel returns the label of the key that goes on in the lesson, such as "next task".
func (r *Run) NextLabel(book *Book) string {
	switch {
	case r.Session.Question() != nil:
		return "question"
	case r.HasMistakeToName():
		return "name the mistake"
	case r.Session.IsOver() && book.IsLastLesson():
		return "go back"
	case r.Session.IsOver():
		return "next lesson"
	}
	return "next task"
}

// keyLine returns the keys of the lesson that are useful now, such as "H hint (2)" while two
// hints of the current task are not shown yet.
func (r *Run) keyLine(book *Book) widget.Line {
	var line widget.Line
	isTaskOpen := r.Session.Task() != nil && !r.IsTaskDone()

	// N does nothing while goals are to be reached on the chain.
	hasOpenGoals := isTaskOpen && r.Session.Question() == nil && !r.HasMistakeToName()
	if !hasOpenGoals {
		line = widget.Styled(themes.Key, "N").Append(themes.Good, " "+r.NextLabel(book)+"  ")
	}
	if hintsLeft := r.Session.HintsLeft(); isTaskOpen && hintsLeft > 0 {
		line = line.Append(themes.Key, "H").Muted(fmt.Sprintf(" hint (%d)  ", hintsLeft))
	}
	return line.Append(themes.Key, "I").Muted(" all  ").Append(themes.Key, "Q").Muted(" leave")
}

// panel draws the lesson in a box beside the screen. At the top is the title, and at the
// bottom are the goals and the keys. The hints, the story and the question are between
// them. If that middle part is too long for the box, it is cut, and its last line names the
// key that shows all of it.
func (r *Run) panel(state *app.State, book *Book, box widget.Box) string {
	topLines := wrapLines(r.titleLines(book), box.W)

	bottomLines := wrapLines(append(r.goalLines(), nil), box.W)
	if r.IsTaskDone() {
		bottomLines = append(bottomLines, widget.Styled(themes.Good, themes.GlyphYes+" done"))
	}
	bottomLines = append(bottomLines, r.keyLine(book))

	// The middle gets the lines that are left.
	middleHeight := max(box.H-len(topLines)-len(bottomLines), 0)
	middleLines := slices.Concat(r.hintLines(), r.storyLines(), r.questionLines())
	shownMiddle := cutLines(wrapLines(middleLines, box.W), middleHeight)

	lines := slices.Concat(topLines, shownMiddle, bottomLines)
	return widget.Fill(widget.DrawLines(state.Theme, lines, box.W), box)
}

// cutLines cuts lines to a height. The last of the lines that remain then names the key that
// shows all of them.
func cutLines(lines []widget.Line, height int) []widget.Line {
	if len(lines) <= height {
		return lines
	}
	if height == 0 {
		return nil
	}
	showsAllLine := widget.Faint(themes.GlyphDown+" ").
		Append(themes.Key, "I").
		Append(themes.Faint, " shows all")
	return append(lines[:height-1], showsAllLine)
}

// titleLines returns the title of the panel, which ends with an empty line. It has the
// number of the task and, on a second line, the title of the lesson. At the end of a lesson
// there is only one line, in capitals, because it has the title of the lesson already.
func (r *Run) titleLines(book *Book) []widget.Line {
	if r.Session.IsOver() {
		return []widget.Line{widget.Styled(themes.Title, strings.ToUpper(r.title(book))), nil}
	}
	return []widget.Line{
		widget.Styled(themes.Title, r.title(book)),
		widget.Styled(themes.Strong, r.Session.Lesson.Title),
		nil,
	}
}

// strip draws the lesson in a few lines above the screen. The first line has the title of
// the task and the keys. The second says what to do now. The third is a horizontal rule. In
// a box lower than stripHeight, one line has the title, what to do, and the keys.
func (r *Run) strip(state *app.State, book *Book, box widget.Box) string {
	title := widget.Styled(themes.Title, " "+r.title(book)+" ")
	keys := r.keyLine(book).Render(state.Theme) + " "
	if box.H < stripHeight {
		leftLine := append(title.Text(" "), r.instructionLine()...)
		return widget.JoinEnds(leftLine.Render(state.Theme), keys, box.W)
	}
	const hasFocus = false
	return widget.JoinVertically(
		widget.JoinEnds(title.Render(state.Theme), keys, box.W),
		append(widget.Plain(" "), r.instructionLine()...).Fit(state.Theme, box.W),
		app.RuleAcross(state, box.W, hasFocus),
	)
}

// instructionLine returns a line that says what the learner is to do now: answer the
// question of the task, reach the first goal that is not reached, or go on with the key N.
func (r *Run) instructionLine() widget.Line {
	missingGoals := r.LastCheck.Missing()
	question := r.Session.Question()
	switch {
	case r.Session.IsOver():
		return goodLine("", "the lesson is over")
	case question != nil:
		return widget.Warning("").Text(question.Question)
	case r.IsTaskDone():
		return widget.Styled(themes.Good, themes.GlyphYes+" done: ").
			Append(themes.Key, "N").
			Text(" goes on")
	case len(missingGoals) > 0:
		return todoLine(missingGoals[0])
	}
	return widget.Muted("looking" + themes.GlyphEllipsis) // the goals are not checked yet
}

// goodLine returns a line about something that is right or done. The label may be empty.
func goodLine(label, text string) widget.Line {
	return widget.Styled(themes.Good, themes.GlyphYes+" "+label).Text(text)
}

// todoLine returns a line about something that is not done yet: a muted dot and a text.
func todoLine(text string) widget.Line {
	return widget.Muted(themes.GlyphDot + " ").Text(text)
}

// badLine returns a line about something wrong. The label may be empty.
func badLine(label, text string, role themes.Role) widget.Line {
	return widget.Styled(themes.Bad, themes.GlyphNo+" "+label).Append(role, text)
}

// noteLine returns a line with a coloured sign and a text, for hints and rules.
func noteLine(text string) widget.Line {
	return widget.Styled(themes.Accent2, themes.GlyphInfo+" ").Text(text)
}

// wrapLines wraps lines to a width in cells. If a line begins with a sign, such as "✓ ",
// the continuation of its text is indented, so that all of the text is right of the sign.
func wrapLines(lines []widget.Line, width int) (wrappedLines []widget.Line) {
	width = max(width, 2) // a wide character has two cells and must fit
	for _, line := range lines {
		isPlainText := len(line) == 1 // otherwise it is empty, or has a sign and a text
		if !isPlainText {
			wrappedLines = append(wrappedLines, widget.WrapLine(line, width)...)
			continue
		}
		for _, text := range widget.Wrap(widget.Safe(line[0].Text), width) {
			wrappedLines = append(wrappedLines, widget.Styled(line[0].Role, text))
		}
	}
	return wrappedLines
}

// hintLines returns the hints that were shown. Once all are shown, the solution follows:
// the clock moves and messages that reach the goals. The last line is empty. hintLines
// returns nil if no hint was shown.
func (r *Run) hintLines() []widget.Line {
	hints := r.Session.Hints()
	if len(hints) == 0 {
		return nil
	}
	var lines []widget.Line
	for _, hint := range hints {
		lines = append(lines, noteLine(hint))
	}

	// The session has no solution until the last hint is shown.
	for _, step := range r.Session.Solution() {
		line := widget.Styled(themes.Accent2, themes.GlyphPointer+" ")
		if step.Advance != nil {
			line = line.Text("clock: on by " + step.Advance.String())
		}
		if step.At != nil {
			line = line.Text("clock: to " + step.At.String())
		}
		if step.Sender != "" {
			line = line.Text(step.Sender + " sends ").Muted(string(step.Message))
		}
		lines = append(lines, line)
	}
	return append(lines, nil)
}

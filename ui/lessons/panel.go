package lessons

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// These sizes, in cells, decide how a lesson is shown. A large terminal has a panel beside
// the screen. A smaller one has a few lines above the screen, which are called the strip. A
// low one has a single line.
const (
	// MinPanelWidth is the smallest width of the terminal for a panel.
	MinPanelWidth = 100
	// MinPanelHeight is the smallest height of the terminal for a panel.
	MinPanelHeight = 24
	// MinStripHeight is the smallest height of the terminal for a strip.
	MinStripHeight = 18
	// StripHeight is the height of the strip, with the horizontal rule below it.
	StripHeight = 3
)

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
		return []widget.Line{{}, widget.Styled(themes.Strong, task.Ask.Question), predictFirst}
	}
	return append([]widget.Line{{}}, answerLines(task.Ask, givenAnswer)...)
}

// answerLines returns a question, and says whether the given answer is right and why. If it
// is wrong, the lines have the right answer too. A wrong answer can have an explanation of
// its own, which comes before that of the right answer.
func answerLines(question *scenario.Ask, givenAnswer string) []widget.Line {
	lines := []widget.Line{widget.Styled(themes.Strong, question.Question), {}}
	if givenAnswer == question.Answer {
		return append(lines, goodLine("Right: ", givenAnswer), widget.Line{}, widget.Plain(question.Why))
	}
	lines = append(lines,
		badLine("Not so: ", givenAnswer, themes.Muted),
		goodLine("It is: ", question.Answer))
	if why := question.Replies[givenAnswer].Why; why != "" {
		lines = append(lines, widget.Line{}, widget.Plain(why))
	}
	return append(lines, widget.Line{}, widget.Plain(question.Why))
}

// goalLines returns a line for each goal of the task, below a title. A sign says whether
// the goal is reached. A goal that is not reached has what is true instead, such as "owner
// is alice now". goalLines returns nil before the goals are checked for the first time.
func (r *Run) goalLines() []widget.Line {
	if len(r.LastCheck.Goals) == 0 {
		return nil
	}
	lines := []widget.Line{{}, widget.Styled(themes.Accent, "To reach")} // {} is an empty line
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

// NextLabel returns the label of the key that goes on in the lesson. It names what the key
// opens or begins, such as "question" or "next task".
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

// keyLine returns the keys of the lesson that are useful now. Among them are "N next
// lesson" at the end of a lesson, and "H hint (2)" while two hints of the current task are
// not shown yet.
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

// Panel draws the lesson in a box beside the screen. At the top is the title, and at the
// bottom are the goals and the keys. The hints, the story and the question are between
// them. If that middle part is too long for the box, it is cut, and its last line names the
// key that shows all of it.
func (r *Run) Panel(state *app.State, book *Book, box widget.Box) string {
	topLines := wrapLines(r.titleLines(book), box.W)

	bottomLines := wrapLines(append(r.goalLines(), widget.Line{}), box.W)
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
		return []widget.Line{widget.Styled(themes.Title, strings.ToUpper(r.title(book))), {}}
	}
	return []widget.Line{
		widget.Styled(themes.Title, r.title(book)),
		widget.Styled(themes.Strong, r.Session.Lesson.Title),
		{},
	}
}

// Strip draws the lesson in a few lines above the screen. The first line has the title of
// the task and the keys. The second says what to do now. The third is a horizontal rule. In
// a box lower than StripHeight, one line has the title, what to do, and the keys.
func (r *Run) Strip(state *app.State, book *Book, box widget.Box) string {
	title := widget.Styled(themes.Title, " "+r.title(book)+" ")
	keys := r.keyLine(book).Render(state.Theme) + " "
	if box.H < StripHeight {
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

// goodLine returns a line about something that is right or done. It has a check mark and a
// label in colour, and then a text. The label may be empty.
func goodLine(label, text string) widget.Line {
	return widget.Styled(themes.Good, themes.GlyphYes+" "+label).Text(text)
}

// todoLine returns a line about something that is not done yet: a muted dot and a text.
func todoLine(text string) widget.Line {
	return widget.Muted(themes.GlyphDot + " ").Text(text)
}

// badLine returns a line about something wrong. It has a cross and a label in colour, and
// then a text in the colour of a role. The label may be empty.
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
	return append(lines, widget.Line{})
}

// Run is the state of the lesson that is being played.
type Run struct {
	Session *lesson.Session
	// LastCheck says which goals of the current task are reached. It is zero before the
	// first check of the task.
	LastCheck lesson.Check
	// CountedUntil is the moment up to which the time that the learner took is counted.
	CountedUntil time.Time
}

// AddTime adds the time since the last call to the time that the learner spent on the
// current task.
func (r *Run) AddTime(now time.Time) {
	r.Session.AddTime(now.Sub(r.CountedUntil))
	r.CountedUntil = now
}

// CheckedMsg brings the result of checking the goals of a task in the background. The first
// three fields say what was checked. If they are no longer the current ones when the message
// arrives, the message is ignored.
type CheckedMsg struct {
	Session  *lesson.Session
	Task     int    // the index of the task
	Revision uint64 // the revision of the chain
	Check    lesson.Check
}

// IsTaskDone reports whether the goals of the current task are reached and its question
// answered, so that the next task can start.
func (r *Run) IsTaskDone() bool {
	return r.LastCheck.Done && r.Session.Question() == nil
}

// HasMistakeToName reports whether the task is a game of "find the mistake", and the
// learner has not named the mistake yet.
func (r *Run) HasMistakeToName() bool {
	task := r.Session.Task()
	return task != nil && task.Mistake != nil && !r.LastCheck.Done
}

// NewNaming returns the dialog in which the learner names the mistake of the contract. It
// lists a sentence for every mistake that is possible. The current task must be a game of
// "find the mistake".
func NewNaming(r *Run) *form.Chooser {
	var items []widget.Item
	for _, belief := range r.Session.Task().Mistake.Beliefs {
		items = append(items, widget.Item{ID: belief, Title: belief})
	}
	nameMistake := func(_ *app.State, belief string) tea.Cmd {
		return app.Send(NamedMsg{Belief: belief})
	}
	return form.NewChooser("What is wrong here?", "a word of the rule", items, nameMistake)
}

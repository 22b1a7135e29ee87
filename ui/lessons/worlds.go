package lessons

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/human"
	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// CompareContracts returns the command that plays the current task in two worlds, in the
// background, and opens a dialog with both if the lesson is still played then. In one world
// runs the true contract, in the other a contract that behaves as a misconception of the
// learner. A misconception is a wrong belief, such as that a transfer keeps the approvals of a
// token.
func (b *Book) CompareContracts(belief lesson.Misconception) tea.Cmd {
	session := b.CurrentRun.Session
	playedLesson := session.Lesson
	taskIndex := session.TaskIndex()
	return func() tea.Msg {
		worlds, outcomesDiffer, err := playedLesson.CompareContracts(taskIndex, belief)
		return app.ContinueMsg{
			Engine: session.Chain(),
			Do:     func() tea.Cmd { return showWorlds(worlds, outcomesDiffer, err) },
		}
	}
}

// showWorlds returns the command that opens a dialog with both worlds. If no step has
// different outcomes in them, or if the task could not be played, the command shows a
// notice instead.
func showWorlds(worlds lesson.Worlds, outcomesDiffer bool, err error) tea.Cmd {
	switch {
	case err != nil:
		return app.Notify(app.LevelBad, err.Error())
	case !outcomesDiffer:
		return app.Notify(app.LevelInfo, "this task would go the same way in both worlds")
	}
	return app.OpenDialog(form.NewText("The world you believe in", dialogWidth,
		func(width int) []widget.Line { return worldsLines(worlds, width) }))
}

// worldsLines describes both worlds in lines of a width in cells. Below each step of the task,
// the outcome as supposed is on the left, and the outcome in fact on the right. They differ only
// in the last step.
func worldsLines(worlds lesson.Worlds, width int) []widget.Line {
	lines := wrapLines([]widget.Line{widget.Plain("Suppose that " + worlds.Belief + ".")}, width)
	lines = append(lines, nil)
	supposedTitle := widget.Styled(themes.Accent, "as supposed")
	factTitle := widget.Styled(themes.Accent, "in fact")
	lines = append(lines, inTwoColumns(width, supposedTitle, factTitle)...)
	for i, row := range worlds.Rows {
		block := human.Thousands(uint64(row.Block.Height))
		lines = append(lines, nil, widget.Muted(block+"  ").Text(row.Step))

		// The outcomes of the last row differ, so they have colours.
		believedOutcome := widget.Muted(row.Believed)
		trueOutcome := widget.Muted(row.Truth)
		if i == len(worlds.Rows)-1 {
			believedOutcome = widget.Styled(themes.Bad, row.Believed)
			trueOutcome = widget.Styled(themes.Good, row.Truth)
		}
		if row.Believed+row.Truth != "" {
			lines = append(lines, inTwoColumns(width, believedOutcome, trueOutcome)...)
		}
	}

	// Below the steps are the rules that decide.
	lines = append(lines, nil)
	if len(worlds.Why) > 0 {
		lines = append(lines, widget.Styled(themes.Accent, "What the contract decides"))
	}
	for _, rule := range worlds.Why {
		lines = append(lines, noteLine(rule))
	}
	return lines
}

// inTwoColumns wraps two texts into columns of the same width, one beside the other. The
// columns and the gap between them are width cells wide together.
func inTwoColumns(width int, left, right widget.Line) []widget.Line {
	const gap = 3 // in cells
	columnWidth := max(0, (width-gap)/2)
	leftLines := wrapLines([]widget.Line{left}, columnWidth)
	rightLines := wrapLines([]widget.Line{right}, columnWidth)
	return widget.Columns(leftLines, rightLines, columnWidth)
}

// lessonSummary returns the lines at the end of a lesson. They say how many predictions were
// right, and show a bar of the lessons that are done. For a challenge or game they have the
// score too.
func (b *Book) lessonSummary(r *Run) []widget.Line {
	isGame := r.Session.Lesson.IsGame()
	rightCount, answerCount := r.Session.AnswerCounts()
	var summary string
	switch {
	case answerCount > 0:
		summary = fmt.Sprintf("Well done: %d of %d predictions were right", rightCount, answerCount)
	case isGame:
		summary = "The mistake is found"
	default:
		summary = "The lesson is done"
	}

	// Below the summary is a bar of the course.
	lines := []widget.Line{widget.Styled(themes.Good, themes.GlyphYes+" ").Strong(summary)}
	if !isGame { // there is always another game, so a bar would never be full
		lines = append(lines, b.courseBar())
	}
	lines = append(lines, nil)

	// A challenge and a game have a score.
	if score := r.Session.Score(); score != nil {
		for _, text := range score.Lines() {
			lines = append(lines, widget.Plain(text))
		}
		lines = append(lines, nil)
	}
	return lines
}

// courseBar returns a bar with one cell for each lesson and challenge, filled as far as
// they are done. Behind it is a text such as " 3 of 20 lessons".
func (b *Book) courseBar() widget.Line {
	doneCount := 0
	for _, l := range b.Lessons {
		if b.Progress[l.ID].Done {
			doneCount++
		}
	}
	lessonCount := len(b.Lessons)
	doneShare := float64(doneCount) / float64(lessonCount)
	text := fmt.Sprintf(" %d of %d lessons", doneCount, lessonCount)
	return widget.Bar(lessonCount, doneShare, themes.Good).Muted(text)
}

// correctionLines returns an empty line, and then a line with the right answer for each
// question of the lesson that the learner answered wrongly.
func (r *Run) correctionLines() (lines []widget.Line) {
	lines = []widget.Line{nil}
	for _, correction := range r.Session.Corrections() {
		lines = append(lines, badLine("", correction, themes.Text))
	}
	return lines
}

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

// WorldsMsg brings the current task of a session as it goes in two worlds: under the true
// contract, and under one in which a misconception of the learner is true. A misconception
// is a wrong belief, such as that a transfer keeps the approvals of a token.
type WorldsMsg struct {
	Session *lesson.Session
	Show    tea.Cmd // opens a dialog with both worlds
}

// Worlds returns the command that runs the current task in both worlds, in the
// background. belief is the misconception.
func (b *Book) Worlds(belief lesson.Misconception) tea.Cmd {
	session := b.Playing.Session
	played := session.Lesson
	task := session.TaskIndex()
	return func() tea.Msg {
		worlds, differ, err := played.Worlds(task, belief)
		return WorldsMsg{Session: session, Show: showWorlds(worlds, differ, err)}
	}
}

// showWorlds returns the command that opens a dialog with both worlds. If the task goes the
// same way in both, or could not be run, the command shows a notice instead.
func showWorlds(worlds lesson.Worlds, differ bool, err error) tea.Cmd {
	switch {
	case err != nil:
		return app.Notify(app.LevelBad, err.Error())
	case !differ:
		return app.Notify(app.LevelInfo, "this task would go the same way in both worlds")
	}
	lines := func(width int) []widget.Line { return worldsLines(worlds, width) }
	return app.OpenDialog(form.NewText("The world you believe in", dialogWidth, lines))
}

// worldsLines describes both worlds in lines of a width in cells: the belief, the steps
// with their outcomes as supposed on the left and in fact on the right, and the rules that
// decide. Only the last step has different outcomes.
func worldsLines(worlds lesson.Worlds, width int) []widget.Line {
	lines := wrapLines([]widget.Line{widget.Plain("Suppose that " + worlds.Belief + ".")}, width)
	lines = append(lines, widget.Line{})
	lines = append(lines, inTwoColumns(width, widget.In(themes.Accent, "as supposed"), widget.In(themes.Accent, "in fact"))...)
	for i, row := range worlds.Rows {
		block := human.Thousands(uint64(row.Block.Height))
		lines = append(lines, widget.Line{}, widget.Muted(block+"  ").Text(row.Step))

		// An outcome has a colour where the worlds differ, which is the last row.
		believed := widget.Muted(row.Believed)
		truth := widget.Muted(row.Truth)
		isLast := i == len(worlds.Rows)-1 // where the worlds differ
		if isLast {
			believed = widget.In(themes.Bad, row.Believed)
			truth = widget.In(themes.Good, row.Truth)
		}
		hasOutcome := row.Believed+row.Truth != ""
		if hasOutcome {
			lines = append(lines, inTwoColumns(width, believed, truth)...)
		}
	}

	lines = append(lines, widget.Line{})

	// Below the steps are the rules that decide.
	if len(worlds.Why) > 0 {
		lines = append(lines, widget.In(themes.Accent, "What the contract decides"))
	}
	for _, rule := range worlds.Why {
		lines = append(lines, noteLine(rule))
	}
	return lines
}

// inTwoColumns wraps two texts into two columns. Together with the gap between them the
// columns are w cells wide.
func inTwoColumns(w int, left, right widget.Line) []widget.Line {
	const gap = 3
	half := max(0, (w-gap)/2)
	return widget.Columns(wrapLines([]widget.Line{left}, half), wrapLines([]widget.Line{right}, half), half)
}

// lessonSummary returns the lines shown at the end of a lesson: how many predictions
// were right, a bar of the lessons that are done, and the score of a challenge.
func (b *Book) lessonSummary(r *Run) []widget.Line {
	isGame := r.Session.Lesson.IsGame()
	summary := "The lesson is done"
	if isGame {
		summary = "The mistake is found"
	}
	right, answered := r.Session.Right()
	if answered > 0 {
		summary = fmt.Sprintf("Well done: %d of %d predictions were right", right, answered)
	}

	// The first line says what was reached, and the bar how much of the course is done.
	lines := []widget.Line{widget.In(themes.Good, themes.GlyphYes+" ").Strong(summary)}
	if !isGame { // there is always another game, so a bar would never be full
		lines = append(lines, b.courseBar())
	}
	lines = append(lines, widget.Line{})

	// A challenge has a score.
	if score := r.Session.Score(); score != nil {
		for _, text := range score.Lines() {
			lines = append(lines, widget.Plain(text))
		}
		lines = append(lines, widget.Line{})
	}
	return lines
}

// courseBar returns a bar that shows how many of the lessons and challenges are done, with one
// cell for each, and the numbers behind it.
func (b *Book) courseBar() widget.Line {
	done := 0
	for _, l := range b.Lessons {
		if b.Progress[l.ID].Done {
			done++
		}
	}
	share := float64(done) / float64(len(b.Lessons))
	count := fmt.Sprintf(" %d of %d lessons", done, len(b.Lessons))
	return widget.Bar(len(b.Lessons), share, themes.Good).Muted(count)
}

// correctionLines returns an empty line, and the right answer to each question of the lesson
// that the learner answered wrongly.
func (r *Run) correctionLines() (lines []widget.Line) {
	lines = append(lines, widget.Line{})
	for _, correction := range r.Session.Corrections() {
		lines = append(lines, badLine("", correction, themes.Text))
	}
	return lines
}

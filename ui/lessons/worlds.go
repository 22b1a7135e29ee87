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

// WorldsMsg brings the current task as it goes in two worlds: under the true contract,
// and under one in which a misconception of the learner is true. A misconception is a
// wrong belief, such as that a transfer keeps the approvals of a token.
type WorldsMsg struct {
	Session *lesson.Session
	worlds  lesson.Worlds
	differ  bool
	err     error
}

// Worlds returns the command that runs the current task in both worlds, in the
// background. belief is the misconception.
func (b *Book) Worlds(belief lesson.Misconception) tea.Cmd {
	msg := WorldsMsg{Session: b.Playing.Session}
	played := msg.Session.Lesson
	task := msg.Session.TaskIndex()
	return func() tea.Msg {
		msg.worlds, msg.differ, msg.err = played.Worlds(task, belief)
		return msg
	}
}

// Open returns the command that opens a dialog with both worlds. If the task goes the
// same way in both, or could not be run, the command shows a notice instead.
func (m WorldsMsg) Open() tea.Cmd {
	switch {
	case m.err != nil:
		return app.Notify(app.LevelBad, m.err.Error())
	case !m.differ:
		return app.Notify(app.LevelInfo, "this task would go the same way in both worlds")
	}
	return app.OpenDialog(&worldsDialog{worlds: m.worlds})
}

// worldsDialog shows both worlds side by side: each step of the task with its two
// outcomes, up to the first step at which they differ.
type worldsDialog struct {
	*form.TextDialog
	worlds lesson.Worlds
}

// Resize makes the text anew for the width of the box.
func (d *worldsDialog) Resize(b widget.Box) {
	w := widget.FrameInner(widget.Box{W: min(b.W, dialogWidth), H: b.H}).W
	d.TextDialog = form.NewText("The world you believe in", dialogWidth, d.bodyLines(w))
	d.TextDialog.Resize(b)
}

// bodyLines returns the text of the dialog, w cells wide: the belief, the steps with what
// happens as supposed on the left and in fact on the right, and the rules that decide.
func (d *worldsDialog) bodyLines(w int) []widget.Line {
	out := append(wrapLines([]widget.Line{widget.Plain("Suppose that " + d.worlds.Misconception.Belief() + ".")}, w), widget.Line{})
	out = append(out, inTwoColumns(w, widget.In(themes.Accent, "as supposed"), widget.In(themes.Accent, "in fact"))...)
	last := len(d.worlds.Rows) - 1
	for i, row := range d.worlds.Rows {
		out = append(out, widget.Line{}, widget.In(themes.Muted, human.Thousands(uint64(row.Block.Height))+"  ").And(themes.Text, row.Step))
		believed, truth := themes.Muted, themes.Muted
		if i == last {
			believed, truth = themes.Bad, themes.Good
		}
		if row.Believed+row.Truth != "" {
			out = append(out, inTwoColumns(w, widget.In(believed, row.Believed), widget.In(truth, row.Truth))...)
		}
	}
	if out = append(out, widget.Line{}); len(d.worlds.Why) > 0 {
		out = append(out, widget.In(themes.Accent, "What the contract decides"))
	}
	for _, rule := range d.worlds.Why {
		out = append(out, widget.In(themes.Accent2, themes.GlyphInfo+" ").And(themes.Text, rule))
	}
	return out
}

// inTwoColumns wraps two texts into two columns, which together are w cells wide.
func inTwoColumns(w int, left, right widget.Line) []widget.Line {
	half := max(0, (w-3)/2)
	return widget.Columns(wrapLines([]widget.Line{left}, half), wrapLines([]widget.Line{right}, half), half)
}

// lessonSummary returns the lines shown at the end of a lesson: how many predictions
// were right, and a bar of the lessons that are done.
func (b *Book) lessonSummary(r *Run) []widget.Line {
	summary := "The lesson is done"
	right, answered := r.Session.Right()
	if answered > 0 {
		summary = fmt.Sprintf("Well done: %d of %d predictions were right", right, answered)
	}

	lessonsDone := 0
	for _, l := range b.Lessons {
		if b.Progress[l.ID].Done {
			lessonsDone++
		}
	}
	share := float64(lessonsDone) / float64(len(b.Lessons))
	bar := widget.Bar(len(b.Lessons), share, themes.Good).And(themes.Muted, fmt.Sprintf(" %d of %d lessons", lessonsDone, len(b.Lessons)))
	lines := []widget.Line{widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Strong, summary), bar, {}}
	if score := r.Session.Score(); score != nil {
		for _, text := range score.Lines() {
			lines = append(lines, widget.Plain(text))
		}
		lines = append(lines, widget.Line{})
	}
	return lines
}

// correctionLines returns an empty line, and the right answer to each question of the lesson
// that the learner answered wrongly.
func (r *Run) correctionLines() (lines []widget.Line) {
	lines = append(lines, widget.Line{})
	for _, correction := range r.Session.Corrections() {
		lines = append(lines, widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, correction))
	}
	return lines
}

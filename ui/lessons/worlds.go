package lessons

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// WorldsMsg brings the task in hand as it goes under a contract that somebody
// believes in, beside the true one.
type WorldsMsg struct {
	Session *lesson.Session
	worlds  lesson.Worlds
	parted  bool
	err     error
}

// Worlds plays the task in hand in both.
func (b *Book) Worlds(lie lesson.Misconception) tea.Cmd {
	msg := WorldsMsg{Session: b.Run.Session}
	l, task := msg.Session.Lesson, msg.Session.TaskIndex()
	return func() tea.Msg {
		msg.worlds, msg.parted, msg.err = l.Worlds(task, lie)
		return msg
	}
}

// Show opens the dialog, or says why there is none.
func (m WorldsMsg) Show() tea.Cmd {
	switch {
	case m.err != nil:
		return app.Notify(app.LevelBad, m.err.Error())
	case !m.parted:
		return app.Notify(app.LevelInfo, "this task would go the same way in both worlds")
	}
	return app.OpenDialog(&worldsDialog{worlds: m.worlds})
}

// worldsDialog shows both worlds side by side, to the block where they part.
type worldsDialog struct {
	*form.TextDialog
	worlds lesson.Worlds
}

func (d *worldsDialog) Resize(b widget.Box) {
	w := widget.FrameInner(widget.Box{W: min(b.W, dialogWidth), H: b.H}).W
	d.TextDialog = form.NewText("The world you believe in", dialogWidth, d.lines(w))
	d.TextDialog.Resize(b)
}

func (d *worldsDialog) lines(w int) []widget.Line {
	out := append(flow([]widget.Line{widget.Plain("Suppose that " + d.worlds.Misconception.Belief() + ".")}, w), widget.Line{})
	out = append(out, beside(w, widget.In(themes.Accent, "as supposed"), widget.In(themes.Accent, "in fact"))...)
	last := len(d.worlds.Rows) - 1
	for i, row := range d.worlds.Rows {
		out = append(out, widget.Line{}, widget.In(themes.Muted, chain.Thousands(uint64(row.Block.Height))+"  ").And(themes.Text, row.Step))
		believed, truth := themes.Muted, themes.Muted
		if i == last {
			believed, truth = themes.Bad, themes.Good
		}
		if row.Believed+row.Truth != "" {
			out = append(out, beside(w, widget.In(believed, row.Believed), widget.In(truth, row.Truth))...)
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

// beside wraps two texts into columns of a width.
func beside(w int, left, right widget.Line) []widget.Line {
	half := max(0, (w-3)/2)
	return widget.Columns(flow([]widget.Line{left}, half), flow([]widget.Line{right}, half), half)
}

// done says that a lesson is over, how it went, and how many are.
func (b *Book) done(r *Run) []widget.Line {
	n := 0
	for _, x := range b.All {
		if b.Progress[x.ID].Done {
			n++
		}
	}
	said := "The lesson is done"
	if right, of := r.Session.Right(); of > 0 {
		said = fmt.Sprintf("Well done: %d of %d predictions were right", right, of)
	}
	bar := widget.Bar(len(b.All), float64(n)/float64(len(b.All)), themes.Good).And(themes.Muted, fmt.Sprintf(" %d of %d lessons", n, len(b.All)))
	return []widget.Line{widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Strong, said), bar, {}}
}

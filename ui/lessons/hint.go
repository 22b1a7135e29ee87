package lessons

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// HintReader shows the hints, and the next one with the key that asked for
// this one.
type HintReader struct {
	*form.TextDialog
	Book *Book
	Run  *Run
	room widget.Box
}

// HintReading shows the hints that were asked for so far.
func (r *Run) HintReading() *form.TextDialog {
	title := "The strongest hint"
	if left := r.Session.HintsLeft(); left > 0 {
		title = fmt.Sprintf("Hint, %d more to come", left)
	}
	return form.NewText(title, dialogWidth, r.hints())
}

func (h *HintReader) Resize(b widget.Box) {
	h.room = b
	h.TextDialog.Resize(b)
}

func (h *HintReader) Commands(st *app.State) []app.Command {
	all := h.TextDialog.Commands(st)
	if h.Run.Session.HintsLeft() > 0 {
		all = append(app.Listed(app.GroupHere, app.Bind("H", "next hint", "H")), all...)
	}
	return all
}

func (h *HintReader) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if key, ok := msg.(tea.KeyMsg); ok && key.String() == "H" && h.Book.Run == h.Run {
		h.Run.Session.Hint()
		h.TextDialog = h.Run.HintReading()
		h.Resize(h.room)
		return h.Book.Save(st), false
	}
	return h.TextDialog.Update(st, msg)
}

// hints are the hints that were asked for, and after the strongest the solution.
func (r *Run) hints() (out []widget.Line) {
	for _, h := range r.Session.Hints() {
		out = append(out, widget.In(themes.Accent2, themes.GlyphInfo+" ").And(themes.Text, h))
	}
	for _, s := range r.Session.Solution() {
		line := widget.In(themes.Accent2, themes.GlyphPointer+" ")
		if s.Advance != nil {
			line = line.And(themes.Text, "clock: on by "+s.Advance.String())
		}
		if s.At != nil {
			line = line.And(themes.Text, "clock: to "+s.At.String())
		}
		if s.As != "" {
			line = line.And(themes.Text, s.As+" sends ").And(themes.Muted, string(s.Message))
		}
		out = append(out, line)
	}
	return out
}

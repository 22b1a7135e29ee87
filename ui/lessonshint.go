package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// hint gives the next hint, in a dialog where the panel cannot show it.
func (m *Model) hint(run *lessonRun) tea.Cmd {
	if run.session.Over() {
		return nil
	}
	if len(run.session.Hint()) == 0 {
		return say(levelInfo, "there is nothing to do here but to answer")
	}
	if m.beside() {
		return nil
	}
	return dialog(&hintReader{run: run, reading: run.hintReading()})
}

// hintReader shows the hints, and the next one with the key that asked for
// this one.
type hintReader struct {
	*reading
	run  *lessonRun
	room widget.Box
}

func (r *lessonRun) hintReading() *reading {
	title := "The strongest hint"
	if left := r.session.HintsLeft(); left > 0 {
		title = fmt.Sprintf("Hint, %d more to come", left)
	}
	return newReading(title, lessonDialogWidth, r.hints())
}

func (h *hintReader) Resize(b widget.Box) {
	h.room = b
	h.reading.Resize(b)
}

func (h *hintReader) Commands(d *Desk) []Command {
	all := h.reading.Commands(d)
	if h.run.session.HintsLeft() > 0 {
		all = append(listed(groupHere, bind("H", "next hint", "H")), all...)
	}
	return all
}

func (h *hintReader) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	if key, ok := msg.(tea.KeyMsg); ok && key.String() == "H" {
		h.run.session.Hint()
		h.reading = h.run.hintReading()
		h.Resize(h.room)
		return nil, false
	}
	return h.reading.Update(d, msg)
}

// hints are the hints that were asked for, and after the strongest the solution.
func (r *lessonRun) hints() (out []widget.Line) {
	for _, h := range r.session.Hints() {
		out = append(out, widget.In(themes.Accent2, themes.GlyphInfo+" ").And(themes.Text, h))
	}
	for _, s := range r.session.Solution() {
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

package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/ui/widget"
)

// naming asks for the name of a moment. A name that cannot be had keeps the
// dialog open with what was typed.
type naming struct {
	form *widget.Form
	id   history.ID
	box  widget.Box
}

// namedMsg says whether the name was given.
type namedMsg struct {
	from *naming
	name string
	err  error
}

func openNaming(_ *Desk, id history.ID) tea.Cmd {
	return dialog(&naming{id: id, form: widget.NewForm(widget.Field{
		Name: "name", Label: "Name", Placeholder: "before the sale", Hint: "a name to come back to; a branch has the name of its last moment",
	})})
}

func (n *naming) Resize(b widget.Box) { n.box = b }

func (n *naming) Commands(*Desk) []Command { return formKeys(n.form, "name it", "cancel") }

func (n *naming) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case namedMsg:
		if msg.from != n {
			return nil, false
		}
		if msg.err != nil {
			n.form.SetError("name", msg.err.Error())
			return nil, false
		}
		text := fmt.Sprintf("#%d is named %s", n.id, msg.name)
		return func() tea.Msg { return changedMsg{text, nil} }, true
	case tea.KeyMsg:
		switch n.form.Update(msg) {
		case widget.FormCancel:
			return nil, true
		case widget.FormSubmit:
			return n.submit(d), false
		}
	}
	return nil, false
}

func (n *naming) submit(d *Desk) tea.Cmd {
	engine, id, name := d.Engine, n.id, strings.TrimSpace(n.form.Value("name"))
	return d.write(func() tea.Msg {
		_, err := engine.Snapshot(name, id)
		return namedMsg{n, name, err}
	})
}

func (n *naming) View(d *Desk) string {
	box := widget.Box{W: min(n.box.W, 64), H: n.box.H}
	inner := widget.FrameInner(box)
	n.form.Resize(inner)
	h := min(n.form.Height(d.Theme), inner.H)
	n.form.Resize(widget.Box{W: inner.W, H: h})
	box.H = min(box.H, h+box.H-inner.H)
	return widget.Frame(d.Theme, fmt.Sprintf("Name #%d", n.id), n.form.View(d.Theme), true, box)
}

package history

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// naming asks for the name of a moment. A name that cannot be had keeps the
// dialog open with what was typed.
type naming struct {
	form *widget.Form
	id   history.ID
	old  string // the name that another one is to stand for; empty for one more
	box  widget.Box
}

// namedMsg says whether the name was given.
type namedMsg struct {
	name string
	err  error
}

func openNaming(_ *app.State, id history.ID) tea.Cmd { return app.OpenDialog(newNaming(id, "")) }

func newNaming(id history.ID, old string) *naming {
	return &naming{id: id, old: old, form: widget.NewForm(widget.Field{
		Name: "name", Label: "Name", Value: old, Placeholder: "before the sale", Hint: "a name to come back to; a branch has the name of its last moment",
	})}
}

// openRenaming asks for another name for one that a moment has.
func openRenaming(id history.ID, names []string) tea.Cmd {
	return ofNames("Rename which?", names, func(name string) tea.Cmd { return app.OpenDialog(newNaming(id, name)) })
}

// openUnnaming deletes a name that a moment has, after a question: undo does not
// bring it back.
func openUnnaming(st *app.State, id history.ID, names []string) tea.Cmd {
	return ofNames("Delete which?", names, func(name string) tea.Cmd {
		text := fmt.Sprintf("#%d stays in the history, and can be named anew. Only the name goes, and undo does not bring it back.", id)
		return app.OpenDialog(form.NewConfirm("Delete the name “"+widget.Safe(name)+"”", text, "Delete", func() tea.Cmd {
			return app.Change(st, fmt.Sprintf("#%d is no longer named %s", id, name), func(e app.Engine) error {
				_, err := e.DeleteSnapshot(name)
				return err
			})
		}))
	})
}

// ofNames goes on with the name of a moment, or asks which where it has several.
func ofNames(title string, names []string, then func(name string) tea.Cmd) tea.Cmd {
	if len(names) == 1 {
		return then(names[0])
	}
	items := make([]widget.Item, len(names))
	for i, name := range names {
		items[i] = widget.Item{ID: name, Title: name}
	}
	return app.OpenDialog(form.NewChooser(title, "this moment has several names", items, func(_ *app.State, name string) tea.Cmd { return then(name) }))
}

func (n *naming) Resize(b widget.Box) { n.box = b }

func (n *naming) Commands(*app.State) []app.Command {
	if n.old != "" {
		return form.FormKeys(n.form, "rename it", "cancel")
	}
	return form.FormKeys(n.form, "name it", "cancel")
}

func (n *naming) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case namedMsg:
		if msg.err != nil {
			n.form.SetError("name", msg.err.Error())
			return nil, false
		}
		text := fmt.Sprintf("#%d is named %s", n.id, msg.name)
		if n.old != "" {
			text = fmt.Sprintf("#%d is named %s now, and not %s", n.id, msg.name, n.old)
		}
		return func() tea.Msg { return app.ChangedMsg{Text: text, Err: nil} }, true
	case tea.KeyMsg:
		switch n.form.Update(msg) {
		case widget.FormCancel:
			return nil, true
		case widget.FormSubmit:
			return n.submit(st), false
		}
	}
	return nil, false
}

func (n *naming) submit(st *app.State) tea.Cmd {
	id, old, name := n.id, n.old, strings.TrimSpace(n.form.Value("name"))
	return st.Write(func(e app.Engine) tea.Msg {
		var err error
		if old != "" {
			_, err = e.RenameSnapshot(old, name)
		} else {
			_, err = e.Snapshot(name, id)
		}
		return app.Answer{Engine: e, To: n, Msg: namedMsg{name, err}}
	})
}

func (n *naming) View(st *app.State) string {
	box := widget.Box{W: min(n.box.W, 64), H: n.box.H}
	inner := widget.FrameInner(box)
	n.form.Resize(inner)
	h := min(n.form.Height(st.Theme), inner.H)
	n.form.Resize(widget.Box{W: inner.W, H: h})
	box.H = min(box.H, h+box.H-inner.H)
	title := fmt.Sprintf("Name #%d", n.id)
	if n.old != "" {
		title = fmt.Sprintf("Rename %s, at #%d", widget.Safe(n.old), n.id)
	}
	return widget.Frame(st.Theme, title, n.form.View(st.Theme), true, box)
}

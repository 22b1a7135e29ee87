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

// openNaming asks for a name for a moment; with old for one to stand for that. A
// name that cannot be had keeps the form open with what was typed.
func openNaming(st *app.State, id history.ID, old string) tea.Cmd {
	title, verb := fmt.Sprintf("Name #%d", id), "name it"
	if old != "" {
		title, verb = fmt.Sprintf("Rename %s, at #%d", widget.Safe(old), id), "rename it"
	}
	f := form.NewAction(title, func(_ *app.State, v map[string]string) form.Result {
		name := strings.TrimSpace(v["name"])
		return form.Result{Do: func(e app.Engine) form.Done {
			var err error
			text := fmt.Sprintf("#%d is named %s", id, name)
			if old == "" {
				_, err = e.Snapshot(name, id)
			} else {
				text = fmt.Sprintf("#%d is named %s now, and not %s", id, name, old)
				_, err = e.RenameSnapshot(old, name)
			}
			return form.Done{Err: err, Field: "name", Then: func() tea.Msg { return app.ChangedMsg{Text: text} }}
		}}
	}, widget.Field{Name: "name", Label: "Name", Value: old, Amend: true, Placeholder: "before the sale", Hint: "a name to come back to; a branch has the name of its last moment"})
	f.Verb = verb
	return form.Open(st, f)
}

// openRenaming asks for another name for one that a moment has.
func openRenaming(st *app.State, id history.ID, names []string) tea.Cmd {
	return ofNames("Rename which?", names, func(name string) tea.Cmd { return openNaming(st, id, name) })
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

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

// openNaming returns the command that opens the form for naming a node, so that the user
// can come back to it. A named node is called a snapshot.
func openNaming(state *app.State, id history.ID) tea.Cmd {
	return openNameForm(state, fmt.Sprintf("Name #%d", id), "name it", "",
		func(engine app.Engine, name string) (notice string, err error) {
			_, err = engine.Snapshot(name, id)
			return fmt.Sprintf("#%d is named %s", id, name), err
		})
}

// openRenaming returns the command that opens the form for renaming a snapshot of a node.
// If the node has several names, a list first asks which.
func openRenaming(state *app.State, id history.ID, names []string) tea.Cmd {
	return withChosenName("Rename which?", id, names, func(oldName string) tea.Cmd {
		title := fmt.Sprintf("Rename %s, at #%d", widget.Safe(oldName), id)
		return openNameForm(state, title, "rename it", oldName,
			func(engine app.Engine, name string) (notice string, err error) {
				_, err = engine.RenameSnapshot(oldName, name)
				return fmt.Sprintf("#%d is named %s instead of %s", id, name, oldName), err
			})
	})
}

// openNameForm returns the command that opens a form for a name. The field of the name
// begins with oldName, which is "" for a new name. giveName gives the typed name, and returns
// a notice for the user. If the chain refuses the name, the form stays open and shows the
// reason below the field.
func openNameForm(
	state *app.State,
	title, verb, oldName string,
	giveName func(engine app.Engine, name string) (notice string, err error),
) tea.Cmd {
	nameField := widget.Field{
		Name:         "name",
		Label:        "Name",
		Value:        oldName,
		TypingAmends: true, // typing changes the old name
		Placeholder:  "before the sale",
		Hint:         "a name to come back to; a branch is called by its newest one",
	}
	naming := form.NewAction(title, func(_ *app.State, values map[string]string) form.Result {
		name := strings.TrimSpace(values["name"])
		return form.Result{Do: func(engine app.Engine) form.WorkOutcome {
			notice, err := giveName(engine, name)
			return form.WorkOutcome{Err: err, Field: "name", Then: app.Send(app.ChangedMsg{Text: notice})}
		}}
	}, nameField)
	naming.Verb = verb
	return form.Open(state, naming)
}

// openNameDeletion returns the command that asks whether to delete a name of a node,
// because undo does not bring a name back. If the node has several names, a list first
// asks which.
func openNameDeletion(state *app.State, id history.ID, names []string) tea.Cmd {
	return withChosenName("Delete which?", id, names, func(name string) tea.Cmd {
		title := "Delete the name “" + widget.Safe(name) + "”"
		question := fmt.Sprintf(
			"#%d stays in the history, and can be named again. Undo does not bring the name back.",
			id)
		return app.OpenDialog(form.NewConfirm(title, question, "Delete", func() tea.Cmd {
			notice := fmt.Sprintf("#%d is no longer named %s", id, name)
			return app.Change(state, notice, func(engine app.Engine) error {
				_, err := engine.DeleteSnapshot(name)
				return err
			})
		}))
	})
}

// withChosenName calls useName with the only name of a node, and returns its command. If
// there are several names, the command opens a list with a title, and useName is called
// with the chosen name. If there is no name, the command shows a notice.
func withChosenName(title string, id history.ID, names []string, useName func(name string) tea.Cmd) tea.Cmd {
	switch len(names) {
	case 0:
		return app.Notify(app.LevelInfo, fmt.Sprintf("#%d has no name: n gives it one", id))
	case 1:
		return useName(names[0])
	}
	items := make([]widget.Item, len(names))
	for i, name := range names {
		items[i] = widget.Item{ID: name, Title: name}
	}
	return app.OpenDialog(form.NewChooser(title, "this moment has several names", items,
		func(_ *app.State, name string) tea.Cmd { return useName(name) }))
}

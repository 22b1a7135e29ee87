package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// OpenCopy lets a person choose what to copy.
func OpenCopy(st *app.State, what []app.CopyItem) tea.Cmd {
	items := make([]widget.Item, len(what))
	for i, c := range what {
		items[i] = widget.Item{ID: c.Name, Title: c.Name, Detail: app.Plural(len(c.Text), "byte")}
	}
	return app.OpenDialog(NewChooser("Copy", "what to copy", items, func(st *app.State, id string) tea.Cmd {
		for _, c := range what {
			if c.Name == id {
				return app.CopyText(st, c)
			}
		}
		return nil
	}))
}

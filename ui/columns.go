package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// lister is a screen with a list.
type lister interface {
	app.Screen
	List() *widget.Table
}

// columnsCommand hides a column of the list that is shown, or shows it again.
func (m *Model) columnsCommand() app.Command {
	s, ok := m.screen().(lister)
	return app.NewCommand(app.Bind("", ""), "Columns: hide one, or show it again", app.GroupProgram, func() tea.Cmd {
		hidden := s.List().Hidden()
		var items []widget.Item
		for _, title := range s.List().Hideable() {
			item := widget.Item{ID: title, Title: title, Detail: "hide it"}
			if slices.Contains(hidden, title) {
				item.Detail = "is hidden: show it"
			}
			items = append(items, item)
		}
		return app.OpenDialog(form.NewChooser("Columns of "+s.Name(), "a column", items, func(_ *app.State, title string) tea.Cmd {
			now := slices.DeleteFunc(slices.Clone(hidden), func(h string) bool { return h == title })
			if len(now) == len(hidden) {
				now = append(now, title)
			}
			s.List().HideColumns(now)
			return nil
		}))
	}).Unless(!ok, "this screen is no list")
}

// hiddenColumns are the titles of the columns that are hidden, by the names of the screens.
func (m *Model) hiddenColumns() map[string][]string {
	all := map[string][]string{}
	for _, s := range m.screens {
		if l, ok := s.(lister); ok && len(l.List().Hidden()) > 0 {
			all[s.Name()] = l.List().Hidden()
		}
	}
	return all
}

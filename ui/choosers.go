package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// columnsCommand hides a column of the list that is shown, or shows it again.
func (m *Model) columnsCommand() app.Command {
	screen := m.screen()
	lister, ok := screen.(app.Lister)
	return app.NewCommand(app.Bind("", ""), "Columns: hide one, or show it again", app.GroupProgram, func() tea.Cmd {
		hidden := lister.List().Hidden()
		var items []widget.Item
		for _, title := range lister.List().Hideable() {
			item := widget.Item{ID: title, Title: title, Detail: "hide it"}
			if slices.Contains(hidden, title) {
				item.Detail = "is hidden: show it"
			}
			items = append(items, item)
		}
		return app.OpenDialog(form.NewChooser("Columns of "+screen.Name(), "a column", items, func(_ *app.State, title string) tea.Cmd {
			now := slices.DeleteFunc(slices.Clone(hidden), func(h string) bool { return h == title })
			if len(now) == len(hidden) {
				now = append(now, title)
			}
			lister.List().HideColumns(now)
			return nil
		}))
	}).Unless(!ok, "this screen is no list")
}

// hiddenColumns are the titles of the columns that are hidden, by the names of the screens.
func (m *Model) hiddenColumns() map[string][]string {
	all := map[string][]string{}
	for _, s := range m.screens {
		if l, ok := s.(app.Lister); ok && len(l.List().Hidden()) > 0 {
			all[s.Name()] = l.List().Hidden()
		}
	}
	return all
}

type themeMsg struct{ theme *themes.Theme }

// newThemePicker shows each theme as soon as the cursor is on it.
func newThemePicker(st *app.State) *form.Chooser {
	var items []widget.Item
	for _, name := range themes.Names() {
		p, err := themes.Lookup(name, themes.UnknownBackground)
		if err != nil {
			continue
		}
		items = append(items, widget.Item{ID: name, Title: name, Detail: p.About})
	}
	was, options := st.Theme, st.ThemeOptions
	wear := func(id string) tea.Cmd {
		p, err := themes.Lookup(id, options.Terminal)
		if err != nil {
			return app.Notify(app.LevelBad, err.Error())
		}
		th := themes.New(p, options)
		return func() tea.Msg { return themeMsg{th} }
	}
	c := form.NewChooser("Theme", "a theme", items, func(_ *app.State, id string) tea.Cmd { return wear(id) })
	c.Moved = func(_ *app.State, id string) tea.Cmd { return wear(id) }
	c.Cancel = func(*app.State) tea.Cmd { return func() tea.Msg { return themeMsg{was} } }
	c.List.Select(st.Theme.Name)
	return c
}

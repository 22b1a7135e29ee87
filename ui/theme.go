package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

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
			return app.Say(app.LevelBad, err.Error())
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

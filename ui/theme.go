package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

type themeMsg struct{ theme *themes.Theme }

// newThemePicker shows each theme as soon as the cursor is on it.
func newThemePicker(d *Desk) *chooser {
	var items []widget.Item
	for _, name := range themes.Names() {
		p, err := themes.Lookup(name, themes.UnknownBackground)
		if err != nil {
			continue
		}
		items = append(items, widget.Item{ID: name, Title: name, Detail: p.About})
	}
	was, options := d.Theme, d.ThemeOptions
	wear := func(id string) tea.Cmd {
		p, err := themes.Lookup(id, options.Terminal)
		if err != nil {
			return say(levelBad, err.Error())
		}
		th := themes.New(p, options)
		return func() tea.Msg { return themeMsg{th} }
	}
	c := newChooser("Theme", "a theme", items, func(_ *Desk, id string) tea.Cmd { return wear(id) })
	c.moved = func(_ *Desk, id string) tea.Cmd { return wear(id) }
	c.cancel = func(*Desk) tea.Cmd { return func() tea.Msg { return themeMsg{was} } }
	c.list.Select(d.Theme.Name)
	return c
}

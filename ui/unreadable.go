package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// screen is the screen that is shown. One that reads the storage is replaced by
// a sentence where a compiled contract keeps that in a form of its own.
func (m *Model) screen() app.Screen {
	s := m.screens[m.current]
	if m.state.Unreadable != "" && s.Kind() <= app.KindCollection {
		return unreadable{s, m.layout().box}
	}
	return s
}

// unreadable says in the place of a screen why that cannot show anything.
type unreadable struct {
	app.Screen
	box widget.Box
}

func (unreadable) Refresh(*app.State)                 {}
func (unreadable) Needs(*app.State) app.Read          { return nil }
func (unreadable) Update(*app.State, tea.Msg) tea.Cmd { return nil }
func (unreadable) Typing() bool                       { return false }

// Commands puts first what can be looked at all the same.
func (unreadable) Commands(st *app.State) []app.Command {
	return []app.Command{storageCommand(app.GroupHere, func() tea.Cmd { return inspect.OpenStorage(st, app.Subject{}) })}
}

func (u unreadable) View(st *app.State) string {
	text := "\n" + st.Unreadable + ": the " + strings.ToLower(u.Name()) + " cannot be read from it.\n\n" +
		"S shows its records with their keys decoded. Console, History and Accounts, the clock, undo, branches and scenarios work as always."
	lines := widget.Wrap(text, max(min(u.box.W-2, 76), 1))
	for i, l := range lines {
		lines[i] = " " + st.Theme.Render(themes.Text, l)
	}
	return widget.Fill(strings.Join(lines, "\n"), u.box)
}

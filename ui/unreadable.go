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

// faultView is what there is to see when the database could not be opened: why,
// which says what can be done elsewhere, and what can be done here.
func (m *Model) faultView(box widget.Box) string {
	th := m.state.Theme
	lines := []string{"", th.Render(themes.Bad, widget.Fit(" "+themes.GlyphNo+" the database could not be opened", box.W)), ""}
	for _, l := range widget.Wrap(widget.Safe(m.openErr.Error()), max(box.W-4, 2)) {
		lines = append(lines, "   "+l)
	}
	lines = append(lines, "", th.Render(themes.Muted, widget.Fit("   r tries again   q quits", box.W)))
	return widget.Fill(strings.Join(lines, "\n"), box)
}

// retry opens the database once more: another program may have let go of it, or
// somebody may have made room.
func (m *Model) retry() tea.Cmd {
	if m.openErr == nil || m.opening {
		return nil
	}
	m.opening = true
	return open(m.state.Open)
}

package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/collection"
	"ephemera/ui/console"
	"ephemera/ui/form"
	"ephemera/ui/grants"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/lessons"
	"ephemera/ui/picture"
	"ephemera/ui/tokens"
	"ephemera/ui/widget"
)

// newScreens returns the screens in the order of their keys. hidden holds the
// titles of the hidden columns by the names of the screens.
func newScreens(book *lessons.Book, hidden map[string][]string) []app.Screen {
	screens := []app.Screen{
		tokens.New(),
		grants.NewApprovals(),
		grants.NewOperators(),
		collection.New(),
		history.New(),
		console.New(),
		lessons.New(book),
		accounts.New(),
	}
	for _, s := range screens {
		if lister, ok := s.(app.Lister); ok {
			lister.List().HideColumns(hidden[s.Name()])
		}
	}
	return screens
}

// screen returns the screen that is shown. If the storage of a compiled contract
// cannot be decoded, a sentence takes the place of the screens that read it.
func (m *Model) screen() app.Screen {
	s := m.screens[m.currentScreen]
	if m.state.Unreadable != "" && s.Kind() <= app.KindCollection {
		return unreadableScreen{Screen: s, box: m.layout().box}
	}
	return s
}

// chooseScreen shows the screen at an index because the user chose it. There is no way
// back from it, and a notice of the screen before goes.
func (m *Model) chooseScreen(index int) tea.Cmd {
	if notice, ok := m.notices.Current(); ok && notice.Level == app.LevelInfo {
		m.hideNotice()
	}
	m.trail = nil
	return m.showScreen(index)
}

// followLink shows a screen that something on the current one links to. The user
// can go back.
func (m *Model) followLink(kind app.Kind) tea.Cmd {
	index := slices.IndexFunc(m.screens, func(s app.Screen) bool { return s.Kind() == kind })
	if index != m.currentScreen {
		m.trail = append(m.trail, m.screens[m.currentScreen])
	}
	return m.showScreen(index)
}

// showScreen changes to the screen at an index. An index out of range changes nothing.
func (m *Model) showScreen(index int) tea.Cmd {
	if index < 0 || index >= len(m.screens) {
		return nil
	}
	if s := m.subject(); !s.Empty() {
		m.state.LastSelection = s
	}
	var cmds []tea.Cmd
	if m.screens[m.currentScreen].Kind() == app.KindTokens && index != m.currentScreen {
		cmds = append(cmds, m.freePicture())
	}

	m.currentScreen = index
	m.resize(m.size)
	if m.state.HasCollection() {
		m.screens[index].Refresh(m.state)
	}
	if m.screens[index].Kind() == app.KindLessons && !m.book.IsLoaded() {
		cmds = append(cmds, m.book.Load(false))
	}
	return tea.Batch(cmds...)
}

// freePicture returns the command that lets the terminal free the picture of a
// token that is no longer shown.
func (m *Model) freePicture() tea.Cmd {
	send := m.state.SendPicture
	if send == nil {
		return nil
	}
	m.state.PicturesFreed++
	return func() tea.Msg {
		_ = send([]byte(picture.DeleteSequence())) // without a terminal there is no picture
		return nil
	}
}

// actAs changes the actor.
func (m *Model) actAs(msg app.ActAsMsg) {
	m.state.Actor = msg.Address
	m.hasStaleFacts = true
	m.showNotice(app.LevelGood, "acting as "+cmp.Or(msg.Name, m.state.DisplayName(msg.Address)))
}

// screenCommands go to a screen by its number, or to the next or previous one.
func (m *Model) screenCommands() []app.Command {
	var all []app.Command
	for i, s := range m.screens {
		key := fmt.Sprint(i + 1)
		all = append(all, app.NewCommand(app.Bind(key, s.Name(), key), "Go to "+s.Name(), app.GroupScreens, func() tea.Cmd { return m.chooseScreen(i) }))
	}
	turnBy := func(steps int) func() tea.Cmd {
		return func() tea.Cmd { return m.chooseScreen((m.currentScreen + steps + len(m.screens)) % len(m.screens)) }
	}
	return append(all,
		app.NewCommand(app.Bind("]", "next screen", "]"), "", app.GroupScreens, turnBy(+1)),
		app.NewCommand(app.Bind("[", "previous screen", "["), "", app.GroupScreens, turnBy(-1)),
	)
}

// backCommand returns to the screen that led here; there is none after
// [Model.chooseScreen]. It leaves esc to a command of the screen that has it.
func (m *Model) backCommand(others []app.Command) []app.Command {
	last := len(m.trail) - 1
	if last < 0 {
		return nil
	}
	binding := app.Bind("esc", "back", "esc", "ctrl+o")
	if app.HasKey(others, "esc") {
		binding = app.Bind("ctrl+o", "back", "ctrl+o")
	}
	origin := m.trail[last]
	return []app.Command{app.NewCommand(binding, "Go back to "+origin.Name(), app.GroupScreens, func() tea.Cmd {
		m.trail = m.trail[:last]
		return m.showScreen(slices.Index(m.screens, origin))
	})}
}

// columnsCommand hides a column of the list that is shown, or shows it again.
func (m *Model) columnsCommand() app.Command {
	screen := m.screen()
	lister, ok := screen.(app.Lister)
	return app.NewCommand(app.Bind("", ""), "Columns: hide one, or show it again", app.GroupProgram, func() tea.Cmd {
		return openColumns(screen.Name(), lister.List())
	}).DisabledIf(!ok, "this screen is no list")
}

// openColumns opens the chooser that hides a column of a list or shows it again.
func openColumns(screenName string, list *widget.Table) tea.Cmd {
	hidden := list.Hidden()
	var items []widget.Item
	for _, title := range list.Hideable() {
		item := widget.Item{ID: title, Title: title, Detail: "hide it"}
		if slices.Contains(hidden, title) {
			item.Detail = "is hidden: show it"
		}
		items = append(items, item)
	}
	toggle := func(_ *app.State, title string) tea.Cmd {
		remaining := slices.DeleteFunc(slices.Clone(hidden), func(h string) bool { return h == title })
		if len(remaining) == len(hidden) {
			remaining = append(remaining, title)
		}
		list.HideColumns(remaining)
		return nil
	}
	return app.OpenDialog(form.NewChooser("Columns of "+screenName, "a column", items, toggle))
}

// hiddenColumns returns the titles of the hidden columns by the names of the
// screens. Screens without any are left out.
func (m *Model) hiddenColumns() map[string][]string {
	hidden := map[string][]string{}
	for _, s := range m.screens {
		if lister, ok := s.(app.Lister); ok && len(lister.List().Hidden()) > 0 {
			hidden[s.Name()] = lister.List().Hidden()
		}
	}
	return hidden
}

// unreadableScreen takes the place of a screen that cannot show anything, and
// says why.
type unreadableScreen struct {
	app.Screen
	box widget.Box
}

func (unreadableScreen) Refresh(*app.State)                 {}
func (unreadableScreen) Needs(*app.State) app.Read          { return nil }
func (unreadableScreen) Update(*app.State, tea.Msg) tea.Cmd { return nil }
func (unreadableScreen) Typing() bool                       { return false }

// Commands lists raw storage first: it works without decoding.
func (unreadableScreen) Commands(st *app.State) []app.Command {
	return []app.Command{storageCommand(app.GroupHere, func() tea.Cmd { return inspect.OpenStorage(st, app.Subject{}) })}
}

func (u unreadableScreen) View(st *app.State) string {
	text := "\n" + st.Unreadable + ": the " + strings.ToLower(u.Name()) + " cannot be read from it.\n\n" +
		"S shows its records with their keys decoded. Console, History and Accounts, the clock, undo, branches and scenarios work as always."
	lines := widget.Wrap(text, max(min(u.box.W-2, 76), 1))
	for i, line := range lines {
		lines[i] = " " + st.Theme.Render(themes.Text, line)
	}
	return widget.Fill(strings.Join(lines, "\n"), u.box)
}

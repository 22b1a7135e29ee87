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

	// Hide the columns that the user has hidden before.
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
		return unreadableScreen{Screen: s, box: m.bodyBox}
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

	// A picture takes memory of the terminal, so it is freed when its screen is left.
	var cmds []tea.Cmd
	if m.screens[m.currentScreen].Kind() == app.KindTokens && index != m.currentScreen {
		cmds = append(cmds, m.freePicture())
	}

	// The new screen gets its box, and reads what has changed since it was shown.
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

// freePicture returns the command that asks the terminal to free the memory of the
// pictures of tokens, because the screen with the pictures is being left. It returns nil
// for a terminal without pictures.
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

// actAs changes the actor, the account that messages are sent as. The facts that depend
// on the actor are read again.
func (m *Model) actAs(msg app.ActAsMsg) {
	m.state.Actor = msg.Address
	m.hasStaleFacts = true
	m.showNotice(app.LevelGood, "acting as "+cmp.Or(msg.Name, m.state.DisplayName(msg.Address)))
}

// screenCommands returns the commands that change the screen: one for each screen, by
// its number, and two that go to the next and the previous one, around the ends.
func (m *Model) screenCommands() []app.Command {
	var all []app.Command
	for i, s := range m.screens {
		key := fmt.Sprint(i + 1)
		all = append(all, app.ScreenCommand(key, s.Name(), "Go to "+s.Name(), func() tea.Cmd { return m.chooseScreen(i) }))
	}
	turnBy := func(steps int) func() tea.Cmd {
		return func() tea.Cmd { return m.chooseScreen((m.currentScreen + steps + len(m.screens)) % len(m.screens)) }
	}
	return append(all,
		app.ScreenCommand("]", "next screen", "", turnBy(+1)),
		app.ScreenCommand("[", "previous screen", "", turnBy(-1)),
	)
}

// backCommand returns the command that goes back to the screen from which the user
// followed a link to this one. The list is empty if there is no such screen. The key is
// esc, unless one of the other commands has it.
func (m *Model) backCommand(others []app.Command) []app.Command {
	last := len(m.trail) - 1
	if last < 0 {
		return nil
	}
	origin := m.trail[last]
	goBack := func() tea.Cmd {
		m.trail = m.trail[:last]
		return m.showScreen(slices.Index(m.screens, origin))
	}
	command := app.ScreenCommand("esc", "back", "Go back to "+origin.Name(), goBack, "esc", "ctrl+o")
	if app.HasKey(others, "esc") {
		command.Binding = app.Bind("ctrl+o", "back")
	}
	return []app.Command{command}
}

// columnsCommand returns the command that opens the chooser of columns to hide. It is
// disabled on a screen that is no list.
func (m *Model) columnsCommand() app.Command {
	screen := m.screen()
	lister, ok := screen.(app.Lister)
	return app.ScreenCommand("", "", "Columns: hide one, or show it again", func() tea.Cmd {
		return openColumns(screen.Name(), lister.List())
	}).DisabledIf(!ok, "this screen is no list")
}

// openColumns returns the command that opens a dialog with the columns of a list.
// Choosing one hides it, or shows it again if it is hidden.
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
		// A title that was not hidden before is hidden now.
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

// unreadableScreen takes the place of a screen whose data cannot be decoded, because a
// compiled contract stores it in an unknown layout. It shows why, and needs no data.
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
	return []app.Command{storageCommand(func() tea.Cmd { return inspect.OpenStorage(st, app.Subject{}) })}
}

// View draws the reason why the storage cannot be decoded, and what still works.
func (u unreadableScreen) View(st *app.State) string {
	text := "\n" + st.Unreadable + ": the " + strings.ToLower(u.Name()) + " cannot be read from it.\n\n" +
		"S shows its records with their keys decoded. Console, History and Accounts, the clock, undo, branches and scenarios work as always."
	lines := widget.Wrap(text, max(min(u.box.W-2, 76), 1))
	for i, line := range lines {
		lines[i] = " " + st.Theme.Render(themes.Text, line)
	}
	return widget.Fill(strings.Join(lines, "\n"), u.box)
}

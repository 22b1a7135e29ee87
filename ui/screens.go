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

// newScreens returns the screens in the order of their keys. hiddenTitles holds, by the name
// of a screen, the titles of the columns that the user has hidden.
func newScreens(book *lessons.Book, hiddenTitles map[string][]string) []app.Screen {
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

	// Hide columns of the screens that are lists.
	for _, screen := range screens {
		if lister, ok := screen.(app.Lister); ok {
			lister.List().HideColumns(hiddenTitles[screen.Name()])
		}
	}
	return screens
}

// screen returns the screen that is shown. If the storage of the contract cannot be decoded,
// it returns a screen that says so in place of one that reads the storage.
func (m *Model) screen() app.Screen {
	screen := m.screens[m.currentScreen]
	readsStorage := screen.Kind() <= app.KindCollection // the kinds up to it show what is stored
	if m.state.UnreadableReason != "" && readsStorage {
		return unreadableScreen{Screen: screen, box: m.bodyBox}
	}
	return screen
}

// chooseScreen shows the screen at an index, which the user has chosen by its key or tab.
// The command "back" does not return from it.
func (m *Model) chooseScreen(index int) tea.Cmd {
	m.endNotice()
	m.trail = nil
	return m.showScreen(index)
}

// followLink shows a screen that something on the current screen links to. The command
// "back" returns from it to the current screen.
func (m *Model) followLink(kind app.Kind) tea.Cmd {
	isTarget := func(screen app.Screen) bool { return screen.Kind() == kind }
	index := slices.IndexFunc(m.screens, isTarget)
	if index != m.currentScreen {
		m.trail = append(m.trail, m.screens[m.currentScreen])
	}
	return m.showScreen(index)
}

// showScreen changes to the screen at an index, and remembers what was under the cursor of
// the screen before. An index out of range changes nothing. It returns the command that frees
// pictures which are no longer shown, and reads the lessons when they are first needed.
func (m *Model) showScreen(index int) tea.Cmd {
	if index < 0 || index >= len(m.screens) {
		return nil
	}
	if subject := m.subject(); !subject.Empty() {
		m.state.LastSelection = subject
	}

	// The screen of tokens shows pictures, which take memory of the terminal. They are freed
	// when that screen is left.
	var cmds []tea.Cmd
	leavesTokens := m.screens[m.currentScreen].Kind() == app.KindTokens && index != m.currentScreen
	if leavesTokens {
		cmds = append(cmds, m.freePicture())
	}

	// The new screen gets its box, and reads what has changed since it was shown.
	m.currentScreen = index
	m.resize(m.size)
	if m.state.HasCollection() {
		m.screens[index].Refresh(m.state)
	}
	if m.screens[index].Kind() == app.KindLessons && !m.book.IsLoaded() {
		cmds = append(cmds, m.book.Load(opensNoList))
	}
	return tea.Batch(cmds...)
}

// freePicture returns the command that asks the terminal to free the memory of the pictures
// of tokens. It returns nil for a terminal that cannot show pictures.
func (m *Model) freePicture() tea.Cmd {
	send := m.state.SendPicture
	if send == nil {
		return nil
	}
	m.state.PicturesFreed++
	return func() tea.Msg {
		_ = send([]byte(picture.DeleteSequence())) // if this fails, the terminal is gone
		return nil
	}
}

// actAs changes the actor, which is the account that sends the messages, and shows a notice
// about that. It marks the facts as out of date, because some of them depend on the actor, so
// that they are read again.
func (m *Model) actAs(msg app.ActAsMsg) {
	m.state.Actor = msg.Address
	m.hasStaleFacts = true
	m.showNotice(app.LevelGood, "acting as "+cmp.Or(msg.Name, m.state.DisplayName(msg.Address)))
}

// screenCommands returns the commands that change the screen. The keys "1" to "8" go to a
// screen by its number. The keys "]" and "[" go to the next and the previous screen; the
// first screen follows the last.
func (m *Model) screenCommands() []app.Command {
	var commands []app.Command
	for i, screen := range m.screens {
		number := fmt.Sprint(i + 1)
		show := func() tea.Cmd { return m.chooseScreen(i) }
		command := app.ScreenCommand(number, screen.Name(), "Go to "+screen.Name(), show)
		commands = append(commands, command)
	}

	// turnBy returns the action that moves by a number of screens, 1 or -1.
	turnBy := func(steps int) func() tea.Cmd {
		return func() tea.Cmd {
			count := len(m.screens)
			return m.chooseScreen((m.currentScreen + steps + count) % count)
		}
	}
	return append(commands,
		app.ScreenCommand("]", "next screen", "", turnBy(+1)),
		app.ScreenCommand("[", "previous screen", "", turnBy(-1)),
	)
}

// backCommand returns the command that goes back to the screen from which the user has
// followed a link to this one. The list is empty if there is no such screen. The keys are
// esc and ctrl+o, or only ctrl+o if one of otherCommands has esc.
func (m *Model) backCommand(otherCommands []app.Command) []app.Command {
	if len(m.trail) == 0 {
		return nil
	}
	lastIndex := len(m.trail) - 1
	origin := m.trail[lastIndex]
	goBack := func() tea.Cmd {
		m.trail = m.trail[:lastIndex]
		return m.showScreen(slices.Index(m.screens, origin))
	}
	command := app.ScreenCommand("esc", "back", "Go back to "+origin.Name(), goBack, "esc", "ctrl+o")
	if app.HasKey(otherCommands, "esc") {
		command.Binding = app.Bind("ctrl+o", "back")
	}
	return []app.Command{command}
}

// columnsCommand returns the command that opens a dialog in which the user hides columns of
// the list, or shows them again. It is disabled on a screen that is not a list.
func (m *Model) columnsCommand() app.Command {
	screen := m.screen()
	lister, isList := screen.(app.Lister)
	open := func() tea.Cmd { return openColumns(screen.Name(), lister.List()) }
	command := app.ScreenCommand("", "", "Columns: hide one, or show it again", open)
	return command.DisabledIf(!isList, "this screen is no list")
}

// openColumns returns the command that opens a dialog with the columns of a list.
// Choosing one hides it, or shows it again if it is hidden.
func openColumns(screenName string, list *widget.Table) tea.Cmd {
	hiddenTitles := list.Hidden()
	var items []widget.Item
	for _, title := range list.Hideable() {
		item := widget.Item{ID: title, Title: title, Detail: "hide it"}
		if slices.Contains(hiddenTitles, title) {
			item.Detail = "is hidden: show it"
		}
		items = append(items, item)
	}

	// toggle shows a column that is hidden, and hides one that is not.
	toggle := func(_ *app.State, title string) tea.Cmd {
		titles := slices.Clone(hiddenTitles)
		if !slices.Contains(titles, title) {
			list.HideColumns(append(titles, title))
			return nil
		}

		isChosen := func(other string) bool { return other == title }
		list.HideColumns(slices.DeleteFunc(titles, isChosen))
		return nil
	}
	return app.OpenDialog(form.NewChooser("Columns of "+screenName, "a column", items, toggle))
}

// hiddenColumns returns the titles of the hidden columns of each screen, by the screen's
// name. Screens without hidden columns are left out.
func (m *Model) hiddenColumns() map[string][]string {
	hiddenTitles := map[string][]string{}
	for _, screen := range m.screens {
		lister, isList := screen.(app.Lister)
		if !isList {
			continue
		}
		if titles := lister.List().Hidden(); len(titles) > 0 {
			hiddenTitles[screen.Name()] = titles
		}
	}
	return hiddenTitles
}

// unreadableScreen is shown in place of a screen whose data cannot be decoded, because a
// compiled contract stores it in an unknown layout. It draws a text that says why.
type unreadableScreen struct {
	app.Screen // the screen that cannot be shown
	box        widget.Box
}

// The following methods do nothing, because there is no data to read and nothing to type.

func (unreadableScreen) Refresh(*app.State)                 {}
func (unreadableScreen) NextRead(*app.State) app.Read       { return nil }
func (unreadableScreen) Update(*app.State, tea.Msg) tea.Cmd { return nil }
func (unreadableScreen) Typing() bool                       { return false }

// Commands returns the command that shows the raw storage, which works without decoding.
func (unreadableScreen) Commands(state *app.State) []app.Command {
	open := func() tea.Cmd { return inspect.OpenStorage(state, app.Subject{}) }
	return []app.Command{storageCommand(open)}
}

// View draws the reason why the storage cannot be decoded, and what still works.
func (u unreadableScreen) View(state *app.State) string {
	data := strings.ToLower(u.Name()) // such as "tokens"
	reason := "\n" + state.UnreadableReason + ": the " + data + " cannot be read from it.\n\n"
	advice := "S shows its records with their keys decoded. Console, History and Accounts, the clock, undo, branches and scenarios work as always."

	const maxTextWidth = 76
	textWidth := max(min(u.box.W-2, maxTextWidth), 1)
	lines := widget.Wrap(reason+advice, textWidth)
	for i, line := range lines {
		lines[i] = " " + state.Theme.Render(themes.Text, line)
	}
	return widget.Fill(strings.Join(lines, "\n"), u.box)
}

package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/start"
)

// Commands returns everything that the user can do now. The commands of the screen come
// first, then those that work on every screen. If several commands have the same key, the
// key carries out the first one that is enabled. Keys, help, the command palette and the
// footer all use this list, which is made once after each message. It is empty while no
// collection is shown.
func (m *Model) Commands() []app.Command {
	if m.commands != nil || !m.state.HasCollection() {
		return m.commands
	}
	state := m.state
	ownCommands := m.screen().Commands(state)
	m.commands = slices.Concat(
		ownCommands,
		app.InGroup(app.GroupAsk, subjectCommands(state, &m.screens, &m.clock, ownCommands)),
		app.InGroup("Lesson", m.book.Commands(state)),
		app.InGroup(app.GroupClock, m.clock.commands(state)),
		app.InGroup(app.GroupScreens, m.screens.backCommand(state, ownCommands)),
		app.InGroup(app.GroupProgram, m.programCommands()),
		app.InGroup(app.GroupProgram, fileCommands(state, m.book)),
		start.UnavailableMenuCommands(),
		app.InGroup(app.GroupScreens, m.screens.commands(state)),
	)
	return m.commands
}

// programCommands returns the commands that work on every screen and concern the whole
// program, such as undo, help and quit. Those without a key are listed in the command
// palette only.
//
// Undo and redo first pause the clock if it moves by itself, because its next move would be a
// new step of the history.
func (m *Model) programCommands() []app.Command {
	state := m.state
	walk := func(verb string, walk func(app.Engine) (chain.WalkResult, error)) func() tea.Cmd {
		return func() tea.Cmd {
			m.clock.pause()
			return app.Walk(state, verb, walk)
		}
	}
	return []app.Command{
		app.ScreenCommand("u", "undo", "Undo",
			walk("undid", func(e app.Engine) (chain.WalkResult, error) { return e.Undo(1) })).AsQueuedWrite().
			FoundBy("back, rewind, revert, go back, oops, mistake, ctrl+z, previous, step back, undo all, undo last"),
		app.ScreenCommand(":", "commands", "Commands: everything by name",
			func() tea.Cmd { return openPalette(state, &m.screens, m.Commands()) }),
		app.ScreenCommand("?", "help", "Help: the keys in force",
			func() tea.Cmd { return app.OpenDialog(newHelp(slices.Concat(m.Commands(), legend))) }, "?", "f1").
			FoundBy("keys, shortcuts, what can i do, manual, f1, hotkeys, key bindings, documentation, docs"),
		app.ScreenCommand("U ctrl+r", "redo", "Redo",
			walk("did again", func(e app.Engine) (chain.WalkResult, error) { return e.Redo(1) })).AsQueuedWrite().
			FoundBy("again, forward, repeat"),
		app.ScreenCommand("a", "act as", "Act as somebody else",
			func() tea.Cmd { return accounts.OpenActAs(state) }).
			FoundBy("sign in, login, log in, wallet, switch, user, account, sender, impersonate, become, who am i, connect, log out, logout, change user"),
		app.ScreenCommand("f", "form of times", "Times: relative, UTC, nanoseconds",
			func() tea.Cmd {
				state.Times = state.Times.Next()
				m.screen().Refresh(state)
				return app.Notify(app.LevelInfo, "times are shown as "+state.Times.String())
			}).
			FoundBy("time zone, format, date format"),
		app.ScreenCommand("x", "expired grants", "Show or hide expired grants",
			func() tea.Cmd {
				state.HideExpired = !state.HideExpired
				m.screen().Refresh(state)
				if state.HideExpired {
					return app.Notify(app.LevelInfo, "expired grants are hidden, as queries hide them")
				}
				return app.Notify(app.LevelInfo, "expired grants are shown")
			}),
		app.ScreenCommand("ctrl+l", "notices", "Notices: all of this session",
			func() tea.Cmd { return app.OpenDialog(form.NewLog(m.notices.log.Log())) }).
			FoundBy("log, errors, what did it say, notifications"),
		app.ScreenCommand("", "", "Theme",
			func() tea.Cmd { return app.OpenDialog(newThemePicker(state)) }).
			FoundBy("colour, color, dark mode, light mode, contrast, appearance, preferences, accessibility"),
		m.screens.columnsCommand(state),
		app.ScreenCommand("q", "quit", "Quit", m.askToQuit).
			FoundBy("exit, close, leave, end, bye, stop, :q"),
	}
}

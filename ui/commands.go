package ui

import (
	"cmp"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
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

// subjectCommands returns the commands that look at what is under the cursor, such as "why".
// It leaves out a command if one of the screen's own commands has its key.
//
// The commands that show what the contract would permit are disabled while a lesson waits for
// a prediction, and the commands about grants if the contract's storage cannot be decoded.
func subjectCommands(state *app.State, screens *screenSet, clock *clockPanel, screenCommands []app.Command) []app.Command {
	// about returns the action that opens a dialog about what is under the cursor.
	about := func(open func(*app.State, app.Subject) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return open(state, screens.subject(state)) }
	}
	lockText := ""
	if err := state.LockReason(); err != nil {
		lockText = err.Error()
	}
	noVerdict := cmp.Or(state.UnreadableReason, lockText) // why nothing can be judged now

	commands := []app.Command{
		app.ScreenCommand("w", "why", "Why: who may do what, rule by rule", about(inspect.OpenWhy)).
			FoundBy("permission, rights, allowed, why not, can i, refused, denied, unauthorized, explain, rules").
			DisabledIf(noVerdict != "", noVerdict),
		app.ScreenCommand("!", "why it expired", "Why: the approval that has just expired",
			func() tea.Cmd {
				expired := clock.expiredSubject
				return tea.Sequence(app.ShowToken(*expired.Token), inspect.OpenWhy(state, expired))
			}).
			FoundBy("what expired, just expired").
			DisabledIf(clock.expiredSubject.Empty(), "no approval expired in the last move of the clock"),
		app.ScreenCommand("W", "who can", "Who can: a search for a way to do something, now or later",
			about(inspect.OpenWhoCan)).
			FoundBy("hack, risk, attack, steal, exploit, danger, safe, vulnerability, is it safe, who can steal, who could").
			DisabledIf(noVerdict != "", noVerdict),
		app.ScreenCommand("B", "probe", "Boundary probe: one message around an expiry", about(inspect.OpenProbe)).
			FoundBy("last block, exactly when, off by one, test an expiry, edge").
			DisabledIf(noVerdict != "", noVerdict),
		app.ScreenCommand("L", "timeline", "Timeline: every grant as a bar, over past and future blocks",
			about(inspect.OpenTimeline)).
			FoundBy("calendar, schedule, expiries, deadlines, upcoming, when does it expire, never expires, forever").
			DisabledIf(state.UnreadableReason != "", state.UnreadableReason),
		app.ScreenCommand("", "", "Dangling grants: grants that people forget or misjudge",
			func() tea.Cmd { return app.GoTo(app.KindApprovals, app.ShowGrantMsg{Filter: "is:dangling"}) }).
			FoundBy("forgotten, stale, leftover, clean up, audit, security, unused, old approvals").
			DisabledIf(noVerdict != "", noVerdict),
		storageCommand(about(inspect.OpenStorage)),
		history.RecordCommand(state),
		app.ScreenCommand("v", "views", "Other views: timeline, storage, branches", about(openViews)).
			DisabledIf(lockText != "", lockText),
		app.ScreenCommand("y", "copy", "Copy: ids, addresses, command lines", about(copySubject)).
			FoundBy("clipboard, address, wasmd, command line"),
	}

	// A screen may use some of these keys for its own commands.
	return slices.DeleteFunc(commands, func(command app.Command) bool {
		return slices.ContainsFunc(command.Binding.Keys(), func(key string) bool {
			return app.HasKey(screenCommands, key)
		})
	})
}

// storageCommand returns the command that shows the raw storage of the contract by calling
// open.
func storageCommand(open func() tea.Cmd) app.Command {
	return app.ScreenCommand("S", "raw storage", "Raw storage: the records of the contract, keys decoded", open).
		FoundBy("database, bytes, state, keys, hex")
}

// screenPhrases holds the phrases by which the palette finds a screen.
var screenPhrases = map[app.Kind]string{
	app.KindTokens:     "tokens, nft, nfts, owner, who owns, items, home, list",
	app.KindApprovals:  "approvals, grants, spenders, allowances, renew, extend",
	app.KindCollection: "collection, name, symbol, supply, total supply, description, about, info, minter, creator, roles, settings, set royalty, set royalties",
	app.KindHistory:    "history, past, events, transactions, what happened, snapshots, compare, diff, restore, reset, start again, checkpoint",
	app.KindConsole:    "console, query, message, raw, execute, wasm, terminal",
	app.KindLessons:    "lessons, learn, teach, tutorial, course, challenge, exercise, how does it work, beginner, quiz, intro, basics",
	app.KindAccounts:   "accounts, people, holders, addresses, users, alice",
}

// commands returns the commands that change the screen. The keys "1" to "8" go to a screen by
// its number. The keys "]" and "[" go to the next and the previous screen; the first screen
// follows the last.
func (s *screenSet) commands(state *app.State) []app.Command {
	var commands []app.Command
	for i, screen := range s.all {
		commands = append(commands, app.ScreenCommand(
			fmt.Sprint(i+1), screen.Name(), "Go to "+screen.Name(),
			func() tea.Cmd { return s.choose(state, i) },
		).FoundBy(screenPhrases[screen.Kind()]))
	}
	count := len(s.all)
	return append(commands,
		app.ScreenCommand("]", "next screen", "",
			func() tea.Cmd { return s.choose(state, (s.current+1)%count) }),
		app.ScreenCommand("[", "previous screen", "",
			func() tea.Cmd { return s.choose(state, (s.current+count-1)%count) }),
	)
}

// backCommand returns the command that goes back to the screen from which the user has
// followed a link to this one. The list is empty if there is no such screen. The keys are
// esc and ctrl+o, or only ctrl+o if one of otherCommands has esc.
func (s *screenSet) backCommand(state *app.State, otherCommands []app.Command) []app.Command {
	if len(s.trail) == 0 {
		return nil
	}
	origin := s.trail[len(s.trail)-1]
	command := app.ScreenCommand("esc", "back", "Go back to "+origin.Name(),
		func() tea.Cmd { return s.goBack(state) }, "esc", "ctrl+o")
	if app.HasKey(otherCommands, "esc") {
		command.Binding = app.Bind("ctrl+o", "back")
	}
	return []app.Command{command}
}

// columnsCommand returns the command that opens a dialog in which the user hides columns of
// the list, or shows them again. It is disabled on a screen that is not a list.
func (s *screenSet) columnsCommand(state *app.State) app.Command {
	screen := s.shown(state)
	lister, isList := screen.(app.Lister)
	open := func() tea.Cmd { return openColumns(screen.Name(), lister.List()) }
	command := app.ScreenCommand("", "", "Columns: hide one, or show it again", open)
	return command.FoundBy("table, layout").DisabledIf(!isList, "this screen is no list")
}

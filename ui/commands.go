package ui

import (
	"fmt"
	"io"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// Commands lists everything that can be done now: here first, then the clock
// and the rest of the program. Keys, help, palette and footer all read it.
func (m *Model) Commands() []app.Command {
	if !m.state.HasCollection() {
		return nil
	}
	all := m.screen().Commands(m.state)
	all = append(all, m.views(all)...)
	all = append(all, m.lessonCommands()...)
	all = append(all, m.clock.commands(m.state)...)
	all = append(all, m.wayBack(all)...)
	all = append(all, m.program()...)
	all = append(all, m.fileCommands()...)
	all = append(all, start.DoorCommands(m.state)...)
	return append(all, m.screenCommands()...)
}

// wayBack returns from where a key has led. It leaves esc to a screen that has
// something else to close.
func (m *Model) wayBack(taken []app.Command) []app.Command {
	last := len(m.trail) - 1
	if last < 0 {
		return nil
	}
	from, b := m.trail[last], app.Bind("ctrl+o", "back", "ctrl+o")
	if !app.ClaimsKey(taken, "esc") {
		b = app.Bind("esc", "back", "esc", "ctrl+o")
	}
	return []app.Command{app.NewCommand(b, "Go back to "+from.Name(), app.GroupScreens, func() tea.Cmd {
		m.trail = m.trail[:last]
		return m.show(slices.Index(m.screens, from))
	})}
}

func (m *Model) program() []app.Command {
	st := m.state
	return []app.Command{
		app.NewCommand(app.Bind("u", "undo", "u"), "Undo", app.GroupProgram, func() tea.Cmd {
			m.clock.pause()
			return app.Walk(st, "undid", func(e app.Engine) (chain.Walked, error) { return e.Undo(1) })
		}).AsQueuedWrite(),
		app.NewCommand(app.Bind(":", "commands", ":"), "Commands: everything by name", app.GroupProgram, m.openPalette),
		app.NewCommand(app.Bind("?", "help", "?", "f1"), "Help: the keys in force", app.GroupProgram, func() tea.Cmd { return app.OpenDialog(newHelp(m.Commands())) }),
		app.NewCommand(app.Bind("U ctrl+r", "redo", "U", "ctrl+r"), "Redo", app.GroupProgram, func() tea.Cmd {
			m.clock.pause()
			return app.Walk(st, "did again", func(e app.Engine) (chain.Walked, error) { return e.Redo(1) })
		}).AsQueuedWrite(),
		app.NewCommand(app.Bind("a", "act as", "a"), "Act as somebody else", app.GroupProgram, func() tea.Cmd { return accounts.OpenActAs(st) }),
		app.NewCommand(app.Bind("f", "form of times", "f"), "Times: relative, UTC, nanoseconds", app.GroupProgram, func() tea.Cmd {
			st.Times = st.Times.Next()
			m.screen().Refresh(st)
			return app.Notify(app.LevelInfo, "times are shown as "+st.Times.String())
		}),
		app.NewCommand(app.Bind("x", "expired grants", "x"), "Show or hide expired grants", app.GroupProgram, func() tea.Cmd {
			st.HideExpired = !st.HideExpired
			text := "expired grants are shown"
			if st.HideExpired {
				text = "expired grants are hidden, as queries hide them"
			}
			m.screen().Refresh(st)
			return app.Notify(app.LevelInfo, text)
		}),
		app.NewCommand(app.Bind("ctrl+l", "notices", "ctrl+l"), "Notices: everything that was said", app.GroupProgram, func() tea.Cmd { return app.OpenDialog(form.NewLog(m.notes.Log())) }),
		app.NewCommand(app.Bind("", ""), "Theme", app.GroupProgram, func() tea.Cmd { return app.OpenDialog(newThemePicker(st)) }),
		m.columnsCommand(),
		app.NewCommand(app.Bind("q", "quit", "q"), "Quit", app.GroupProgram, m.askToLeave),
	}
}

func (m *Model) screenCommands() []app.Command {
	var all []app.Command
	for i, s := range m.screens {
		key := fmt.Sprint(i + 1)
		all = append(all, app.NewCommand(app.Bind(key, s.Name(), key), "Go to "+s.Name(), app.GroupScreens, func() tea.Cmd { return m.turn(i) }))
	}
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd { return m.turn((m.current + by + len(m.screens)) % len(m.screens)) }
	}
	return append(all,
		app.NewCommand(app.Bind("]", "next screen", "]"), "", app.GroupScreens, step(+1)),
		app.NewCommand(app.Bind("[", "previous screen", "["), "", app.GroupScreens, step(-1)),
	)
}

// askToLeave quits, after a question where the history would be lost.
func (m *Model) askToLeave() tea.Cmd {
	d := m.state.Session
	if m.home != nil {
		if d = m.home.session; d.Engine == nil || !d.InMemory || !d.CanUndo {
			return app.OpenDialog(form.NewConfirm("Quit", "This quits the whole program, not only the lesson. Q leaves the lesson; how far you are is kept.", "Quit", m.leave))
		}
	}
	if !d.InMemory || !d.CanUndo {
		return m.leave()
	}
	return app.OpenDialog(form.NewConfirm("Quit", "This collection is only in memory: what you did here will be gone.", "Quit", m.leave))
}

func (m *Model) leave() tea.Cmd {
	m.quit = true
	return tea.Quit
}

// fileCommands write what there is to files, as the commands of these names do.
func (m *Model) fileCommands() []app.Command {
	return []app.Command{
		app.NewCommand(app.Bind("", ""), "Export: the contract's storage, to a file", app.GroupProgram, m.openExport).
			Unless(m.state.Export == nil || m.state.Save == nil, "export: files cannot be written here"),
		app.NewCommand(app.Bind("", ""), "Backup: the whole database, to a file", app.GroupProgram, m.openBackup).
			Unless(m.state.Backup == nil || m.state.InMemory, "backup: this collection is only in memory"),
	}
}

func (m *Model) openExport() tea.Cmd {
	export, save := m.state.Export, m.state.Save
	return form.Open(m.state, form.NewFile("Export", "state.json", "", func(v map[string]string, out *form.Result) form.Fill {
		out.Said = []widget.Line{widget.In(themes.Muted, "Writes the contract's storage as chains print it; import takes it.")}
		withClock := v["clock"] == "true"
		return func(e app.Engine, path string, replace bool) (string, error) {
			return "exported to " + path, save(path, replace, func(w io.Writer) error {
				return e.View(func(v *chain.View) error { return export(v, w, withClock) })
			})
		}
	}, widget.Field{Name: "clock", Label: "With clock", Kind: widget.ToggleField, Hint: "where the clock stands and who is who, which chains ignore"}))
}

func (m *Model) openBackup() tea.Cmd {
	backup := m.state.Backup
	return form.Open(m.state, form.NewFile("Backup", "apes.backup", "", func(_ map[string]string, out *form.Result) form.Fill {
		out.Said = []widget.Line{widget.In(themes.Muted, "Writes the collection, its history, the clock and the accounts; `ephemera backup --restore` takes it.")}
		return func(_ app.Engine, path string, replace bool) (string, error) {
			return "the database is copied to " + path, backup(path, replace)
		}
	}))
}

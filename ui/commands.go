package ui

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/lessons"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// Commands returns everything that the user can do now. The commands of the screen come
// first, then those that work on every screen. If several commands have the same key, the
// key carries out the first one that is enabled. Keys, help, the command palette and the
// footer all use this list. It is empty while no collection is shown.
func (m *Model) Commands() []app.Command {
	if !m.state.HasCollection() {
		return nil
	}
	ownCommands := m.screen().Commands(m.state)
	return slices.Concat(
		ownCommands,
		app.InGroup(app.GroupAsk, m.subjectCommands(ownCommands)),
		app.InGroup("Lesson", m.lessonCommands()),
		app.InGroup(app.GroupClock, m.clock.commands(m.state)),
		app.InGroup(app.GroupScreens, m.backCommand(ownCommands)),
		app.InGroup(app.GroupProgram, m.programCommands()),
		app.InGroup(app.GroupProgram, m.fileCommands()),
		start.UnavailableMenuCommands(),
		app.InGroup(app.GroupScreens, m.screenCommands()),
	)
}

// programCommands returns the commands that work on every screen and concern the whole
// program, such as undo, help and quit. Those without a key are listed in the command
// palette only.
func (m *Model) programCommands() []app.Command {
	state := m.state
	return []app.Command{
		app.ScreenCommand("u", "undo", "Undo", m.undo).AsQueuedWrite(),
		app.ScreenCommand(":", "commands", "Commands: everything by name", m.openPalette),
		app.ScreenCommand("?", "help", "Help: the keys in force",
			func() tea.Cmd { return app.OpenDialog(newHelp(append(m.Commands(), legend...))) }, "?", "f1"),
		app.ScreenCommand("U ctrl+r", "redo", "Redo", m.redo).AsQueuedWrite(),
		app.ScreenCommand("a", "act as", "Act as somebody else",
			func() tea.Cmd { return accounts.OpenActAs(state) }),
		app.ScreenCommand("f", "form of times", "Times: relative, UTC, nanoseconds", m.changeTimes),
		app.ScreenCommand("x", "expired grants", "Show or hide expired grants", m.toggleExpired),
		app.ScreenCommand("ctrl+l", "notices", "Notices: all of this session",
			func() tea.Cmd { return app.OpenDialog(form.NewLog(m.notices.Log())) }),
		app.ScreenCommand("", "", "Theme",
			func() tea.Cmd { return app.OpenDialog(newThemePicker(state)) }),
		m.columnsCommand(),
		app.ScreenCommand("q", "quit", "Quit", m.askToQuit),
	}
}

// undo returns the command that takes back the last step of the history, which is a message
// or a move of the clock. It first pauses the clock if it moves by itself, because its next
// move would be a new step.
func (m *Model) undo() tea.Cmd {
	m.clock.pause()
	return app.Walk(m.state, "undid", func(engine app.Engine) (chain.WalkResult, error) {
		return engine.Undo(1)
	})
}

// redo returns the command that does the last undone step of the history again. Like undo,
// it first pauses the clock.
func (m *Model) redo() tea.Cmd {
	m.clock.pause()
	return app.Walk(m.state, "did again", func(engine app.Engine) (chain.WalkResult, error) {
		return engine.Redo(1)
	})
}

// changeTimes changes the form in which all screens write times, to the next of three:
// relative, such as "in 8 blocks"; calendar, such as "2026-11-21 12:40:00 UTC"; nanoseconds.
// A notice names the new form.
func (m *Model) changeTimes() tea.Cmd {
	state := m.state
	state.Times = state.Times.Next()
	m.screen().Refresh(state)
	return app.Notify(app.LevelInfo, "times are shown as "+state.Times.String())
}

// toggleExpired hides the expired grants in all lists, or shows them again. It deletes
// nothing: a contract keeps expired grants in its storage, and only hides them in the
// answers to queries. A notice says which of the two it did.
func (m *Model) toggleExpired() tea.Cmd {
	state := m.state
	state.HideExpired = !state.HideExpired
	m.screen().Refresh(state)
	if state.HideExpired {
		return app.Notify(app.LevelInfo, "expired grants are hidden, as queries hide them")
	}
	return app.Notify(app.LevelInfo, "expired grants are shown")
}

// quitQuestion is the question whether to quit the program.
type quitQuestion struct{ *form.ConfirmDialog }

// askToQuit quits the program. If that loses something, it first asks the user.
func (m *Model) askToQuit() tea.Cmd {
	text := m.textBeforeQuitting()
	if text == "" {
		return m.quit()
	}
	text += " ctrl+c again quits."
	m.pushDialog(quitQuestion{form.NewConfirm("Quit", text, "Quit", m.quit)})
	return nil
}

// textBeforeQuitting says what quitting would lose: what was typed into a form or the console,
// the rest of a batch, or a collection in memory. During a lesson it says how to leave only the
// lesson. It is empty if there is nothing to say.
func (m *Model) textBeforeQuitting() string {
	session := m.databaseSession()
	switch {
	case slices.ContainsFunc(m.dialogs, hasInput), slices.ContainsFunc(m.screens, hasInput):
		return "Quitting loses what you typed or have not sent yet."
	case session.InMemory && session.CanUndo:
		return "This collection is only in memory: quitting loses what you did here."
	case m.ownSession != nil:
		return "This quits the whole program, not only the lesson. Q leaves the lesson. Your progress is saved."
	}
	return ""
}

// hasInput reports whether a dialog or a screen has what would be lost with it.
func hasInput[T any](part T) bool {
	holder, ok := any(part).(interface{ HasInput() bool })
	return ok && holder.HasInput()
}

// interrupt does what ctrl+c does, without waiting for anything: it quits, but asks first
// where q asks. While the question is open, it quits. The keys that wait were not meant for
// the question.
func (m *Model) interrupt() tea.Cmd {
	for _, dialog := range m.dialogs {
		if _, isQuestion := dialog.(quitQuestion); isQuestion {
			return m.quit()
		}
	}
	m.keys.waiting = nil
	return m.askToQuit()
}

// fileCommands returns the commands that write a file: "export" writes the contract's
// storage as JSON, "backup" copies the whole database, and "write my result" writes what
// the user did in the lessons. A command is disabled, with a reason, if the program was
// started without the function that it needs.
func (m *Model) fileCommands() []app.Command {
	state := m.state
	return []app.Command{
		app.ScreenCommand("", "", "Export: the contract's storage, to a file",
			func() tea.Cmd { return openExport(state) }).
			DisabledIf(state.Export == nil || state.Save == nil, "export: files cannot be written here"),
		app.ScreenCommand("", "", "Backup: the whole database, to a file",
			func() tea.Cmd { return openBackup(state) }).
			DisabledIf(state.Backup == nil || state.InMemory, "backup: this collection is only in memory"),
		app.ScreenCommand("", "", "Write my result: what I did in the lessons, for a teacher",
			func() tea.Cmd { return openResult(state, m.book) }).
			DisabledIf(state.Save == nil, "result: files cannot be written here"),
	}
}

// openExport returns the command that opens the form for "export". The form asks for
// the name of a JSON file, and whether to add the clock and the accounts, which the
// contract does not store.
func openExport(state *app.State) tea.Cmd {
	options := state.Options

	// readForm takes the values of the form and returns the function that writes the
	// file. That function runs on another goroutine, so it must not use the state.
	readForm := func(values map[string]string, result *form.Result) form.WriteFile {
		result.Effect = mutedLine("Writes the contract's storage as a chain's dump, which import reads.")
		return exportFile(options, values["clock"] == "true")
	}

	clockField := widget.Field{
		Name:  "clock",
		Label: "With clock",
		Kind:  widget.ToggleField,
		Hint:  "also the clock and the names of accounts, which chains ignore",
	}
	return form.Open(state, form.NewFile("Export", "state.json", "", readForm, clockField))
}

// mutedLine returns a text as the only line of what a form says that it will do.
func mutedLine(text string) []widget.Line { return []widget.Line{widget.Muted(text)} }

// exportFile returns the function that writes the contract's storage to a file.
func exportFile(options app.Options, withClock bool) form.WriteFile {
	return func(engine app.Engine, path string, replace bool) (string, error) {
		saveExport := func(view *chain.View) error {
			write := func(w io.Writer) error { return options.Export(view, w, withClock) }
			return options.Save(path, replace, write)
		}
		return "exported to " + path, engine.View(saveExport)
	}
}

// openBackup returns the command that opens the form for "backup". The form asks for
// the name of a file and copies the whole database into it.
func openBackup(state *app.State) tea.Cmd {
	backup := state.Backup

	// readForm returns the function that writes the file when the user submits the form.
	readForm := func(_ map[string]string, result *form.Result) form.WriteFile {
		result.Effect = mutedLine("Writes the collection, its history, the clock and the accounts; `ephemera backup --restore` reads it.")
		return func(_ app.Engine, path string, replace bool) (string, error) {
			return "the database is copied to " + path, backup(path, replace)
		}
	}
	return form.Open(state, form.NewFile("Backup", "apes.backup", "", readForm))
}

// openResult returns the command that opens the form for the learner's result, which is what
// the learner did in the lessons, for a teacher. The form asks for the name of a file and
// writes the result into it as JSON, with the same content as `learn --result` writes.
func openResult(state *app.State, book *lessons.Book) tea.Cmd {
	save := state.Save
	wallTime := state.WallTime

	// readForm returns the function that writes the file when the user submits the form.
	readForm := func(_ map[string]string, result *form.Result) form.WriteFile {
		result.Effect = mutedLine("Writes what you did in the lessons; `ephemera class report` reads it.")
		return func(_ app.Engine, path string, replace bool) (string, error) {
			learnerResult, err := book.ReadResult(wallTime())
			if err != nil {
				return "", err
			}

			writeResult := func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s\n", learnerResult)
				return err
			}
			return "your result is in " + path, save(path, replace, writeResult)
		}
	}
	fileName := cmp.Or(book.Learner, "result") + ".json"
	return form.Open(state, form.NewFile("My result", fileName, "", readForm))
}

// themeMsg asks the [Model] to draw everything with another theme.
type themeMsg struct{ theme *themes.Theme }

// newThemePicker returns the dialog in which the user chooses one of the themes, the sets of
// colours of the explorer. The cursor starts on the present theme.
func newThemePicker(state *app.State) *form.Chooser {
	// Lookup fails only for an unknown name, so its errors are ignored here.
	var items []widget.Item
	for _, name := range themes.Names() {
		palette, _ := themes.Lookup(name, themes.UnknownBackground)
		items = append(items, widget.Item{ID: name, Title: name, Detail: palette.Description})
	}

	options := state.ThemeOptions
	apply := func(_ *app.State, name string) tea.Cmd {
		palette, _ := themes.Lookup(name, options.Terminal)
		theme := themes.New(palette, options)
		return app.Send(themeMsg{theme})
	}
	chooser := form.NewChooser("Theme", "a theme", items, apply)
	chooser.List.Select(state.Theme.Name)
	return chooser
}

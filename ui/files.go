package ui

import (
	"cmp"
	"fmt"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/lessons"
	"ephemera/ui/widget"
)

// fileCommands returns the commands that write a file. A command is disabled if the program was
// started without the function that it needs.
func fileCommands(state *app.State, book *lessons.Book) []app.Command {
	return []app.Command{
		app.ScreenCommand("", "", "Export: the contract's storage, to a file",
			func() tea.Cmd { return openExport(state) }).
			FoundBy("dump, state, save, download, json").
			DisabledIf(state.Export == nil || state.Save == nil, "export: files cannot be written here"),
		app.ScreenCommand("", "", "Backup: the whole database, to a file",
			func() tea.Cmd { return openBackup(state) }).
			FoundBy("copy, save, archive").
			DisabledIf(state.Backup == nil || state.InMemory, "backup: this collection is only in memory"),
		app.ScreenCommand("", "", "Write my result: what I did in the lessons, for a teacher",
			func() tea.Cmd { return openResult(state, book) }).
			FoundBy("teacher, homework, hand in").
			DisabledIf(state.Save == nil, "result: files cannot be written here"),
	}
}

// openExport opens the form for "export". The form asks for the name of a JSON file, and whether
// to add the clock and the accounts, which the contract does not store.
//
// The functions of the forms in this file that write the file run on another goroutine, so they
// must not use the state.
func openExport(state *app.State) tea.Cmd {
	options := state.Options
	readForm := func(values map[string]string, result *form.Result) form.WriteFile {
		result.Effect = mutedLine("Writes the contract's storage as a chain's dump, which import reads.")
		withClock := values["clock"] == "true"
		return func(engine app.Engine, path string, replace bool) (string, error) {
			return "exported to " + path, engine.View(func(view *chain.View) error {
				return options.Save(path, replace, func(w io.Writer) error {
					return options.Export(view, w, withClock)
				})
			})
		}
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

// openBackup opens the form for "backup", which copies the whole database into a file.
func openBackup(state *app.State) tea.Cmd {
	backup := state.Backup
	readForm := func(_ map[string]string, result *form.Result) form.WriteFile {
		result.Effect = mutedLine("Writes the collection, its history, the clock and the accounts; `ephemera backup --restore` reads it.")
		return func(_ app.Engine, path string, replace bool) (string, error) {
			return "the database is copied to " + path, backup(path, replace)
		}
	}
	return form.Open(state, form.NewFile("Backup", "apes.backup", "", readForm))
}

// openResult opens the form for the learner's result, which is what the learner did in the
// lessons, for a teacher. The file is what `learn --result` writes.
func openResult(state *app.State, book *lessons.Book) tea.Cmd {
	save := state.Save
	wallTime := state.WallTime
	readForm := func(_ map[string]string, result *form.Result) form.WriteFile {
		result.Effect = mutedLine("Writes what you did in the lessons; `ephemera class report` reads it.")
		return func(_ app.Engine, path string, replace bool) (string, error) {
			learnerResult, err := book.ReadResult(wallTime())
			if err != nil {
				return "", err
			}
			return "your result is in " + path, save(path, replace, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s\n", learnerResult)
				return err
			})
		}
	}
	fileName := cmp.Or(book.Learner, "result") + ".json"
	return form.Open(state, form.NewFile("My result", fileName, "", readForm))
}

package ui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

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

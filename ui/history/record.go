package history

import (
	"fmt"
	"io"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// RecordCommand writes a part of what happened to a file.
func RecordCommand(st *app.State, name, group string, part scenario.HistoryPart) app.Command {
	return app.NewCommand(app.Bind("R", "record", "R"), name, group, func() tea.Cmd { return OpenRecord(st, part) }).
		DisabledIf(st.Save == nil, "record: files cannot be written here")
}

// OpenRecord asks for the name of a file and writes a part of what happened
// there, as a scenario.
func OpenRecord(st *app.State, part scenario.HistoryPart) tea.Cmd {
	file := st.Save
	return form.Open(st, form.NewFile("Record as a scenario", "story.yaml", "the end of the name says how: .yaml, .jsonl or .jsonl.gz", func(v map[string]string, out *form.Result) form.Fill {
		out.Said = []widget.Line{widget.In(themes.Muted, "Writes "+partWords(part)+", with every answer.")}
		if _, err := scenario.FormatOf(strings.TrimSpace(v["file"])); err != nil && len(out.Problems) == 0 {
			out.Problems = []form.Problem{{Field: "file", Text: "file: expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz"}}
		}
		return func(engine app.Engine, path string, replace bool) (string, error) {
			save := func(path string, write func(io.Writer) error) error { return file(path, replace, write) }
			steps, err := scenario.RecordToFile(engine, path, part, save, nil)
			return fmt.Sprintf("recorded %s in %s; `ephemera run` plays it", app.Plural(steps, "step"), path), err
		}
	}))
}

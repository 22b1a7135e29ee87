package start

import (
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// importTick is how often a form says how far an import is.
const importTick = 100 * time.Millisecond

// inFile leaves the rule set to what the file tells.
const inFile = "as in the file"

// openImport opens the form that reads a contract's storage from a file into the
// empty database.
func openImport(st *app.State) tea.Cmd {
	var records atomic.Int64 // read so far: the import counts, the form looks
	f := form.NewAction("Import a contract", func(st *app.State, v map[string]string) form.Result {
		out := form.Result{Said: []widget.Line{widget.In(themes.Muted, "enter reads it in; a file that does not fit changes nothing")}}
		path := strings.TrimSpace(v["path"])
		if path == "" {
			out.Fail("path", "file: expected the path of a file")
		}
		g := readGenesis(v, wallClock(st), &out)
		if v["height"] == "" {
			g.Clock.Height = 0 // as in the file
		}
		if v["time"] == "" {
			g.Clock.Time = 0
		}
		g.Module = st.Module
		load := st.Import
		opened := app.OpenedMsg{Engine: st.Engine, InMemory: st.InMemory}
		out.Do = func(app.Engine) form.Done {
			records.Store(0)
			err := load(path, g, func(n int) { records.Store(int64(n)) })
			return form.Done{Err: err, Then: func() tea.Msg { return opened }}
		}
		return out
	},
		widget.Field{Name: "path", Label: "File", Placeholder: "state.json", Hint: "what wasmd prints for: query wasm contract-state all"},
		widget.Field{Name: "prefix", Label: "Address prefix", Placeholder: "that of the addresses in the file"},
		widget.Field{Name: "rules", Label: "Rule set", Kind: widget.ChoiceField, Options: rulesChoices(inFile), Value: inFile, Hint: "as exported with its clock, else of the release that contract_info names"},
		widget.Field{Name: "height", Label: "Start height", Placeholder: "as in the file, else 1", Hint: "the block that the file is of"},
		widget.Field{Name: "time", Label: "Start time", Placeholder: "as in the file, else now", Hint: form.TimeExamples(wallClock(st))},
	)
	f.Verb = "import it"
	f.Working = func() string { return "reading: " + app.Plural(int(records.Load()), "record") + " so far" }
	f.RedrawEvery = importTick
	return form.Open(st, f)
}

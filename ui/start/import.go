package start

import (
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// importRedrawInterval is the time between two redraws of the form while an import runs.
// A redraw updates the number of imported records.
const importRedrawInterval = 100 * time.Millisecond

// openImport opens the form that imports a contract's storage into the empty database.
// The storage comes from a file with the JSON that a chain's node prints for "query wasm
// contract-state all". While the import runs, the form shows the number of records that
// were read so far.
func openImport(state *app.State) tea.Cmd {
	// progress is the number of records read so far. It is atomic because the import
	// counts in another goroutine than the one that draws.
	var progress atomic.Int64
	fields := []widget.Field{
		{
			Name:        "path",
			Label:       "File",
			Placeholder: "state.json",
			Hint:        "what wasmd prints for: query wasm contract-state all",
		},
		{Name: "prefix", Label: "Address prefix", Placeholder: "that of the addresses in the file"},
		{
			Name:    "rules",
			Label:   "Rule set",
			Kind:    widget.ChoiceField,
			Options: optionsOrUnset("as in the file", cw721.AllRules()...),
			Hint:    "as exported with its clock, else of the release that contract_info names",
		},
		{
			Name:        "height",
			Label:       "Start height",
			Placeholder: "as in the file, else 1",
			Hint:        "the block of the dump",
		},
		{
			Name:        "time",
			Label:       "Start time",
			Placeholder: "as in the file, else now",
			Hint:        form.TimeExamples(wallClock(state)),
		},
	}
	action := form.NewAction("Import a contract", func(st *app.State, values map[string]string) form.Result {
		return readImport(st, values, &progress)
	}, fields...)
	action.Verb = "import it"
	action.ProgressText = func() string {
		return "reading: " + human.Plural(int(progress.Load()), "record") + " so far"
	}
	action.RedrawEvery = importRedrawInterval
	return form.Open(state, action)
}

// readImport reads the import form. An empty height or time means that of the file. The
// returned Do runs the import, and keeps the number of records in progress. Then the explorer
// shows the new collection.
func readImport(state *app.State, values map[string]string, progress *atomic.Int64) form.Result {
	effect := widget.Muted("enter imports it; a file that cannot be imported changes nothing")
	result := form.Result{Effect: []widget.Line{effect}}
	path := strings.TrimSpace(values["path"])
	if path == "" {
		result.Fail("path", "file: expected the path of a file")
	}
	genesis := readGenesis(values, wallClock(state), &result)
	genesis.Module = state.Module

	// Do runs on another goroutine, so it uses copies of what state has.
	importFile := state.Import
	openedMsg := app.OpenedMsg{Engine: state.Engine, InMemory: state.InMemory}
	result.Do = func(app.Engine) form.WorkOutcome {
		progress.Store(0)
		notes, err := importFile(path, genesis, func(records int) { progress.Store(int64(records)) })
		then := app.Send(openedMsg)
		if len(notes) > 0 {
			then = tea.Sequence(then, app.Notify(app.LevelWarn, strings.Join(notes, "; ")))
		}
		return form.WorkOutcome{Err: err, Then: then}
	}
	return result
}

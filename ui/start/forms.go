package start

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// fieldOptions returns an option of a form field for each of some values. When the form
// opens, the field has the first of them.
func fieldOptions[S ~string](values ...S) (options []widget.Candidate) {
	for _, value := range values {
		options = append(options, widget.Candidate{Value: string(value)})
	}
	return options
}

// optionsOrUnset returns the options of a form field that may stay without a value. The
// first option stands for no value, and its label is unsetLabel. Then come the values.
func optionsOrUnset[S ~string](unsetLabel string, values ...S) []widget.Candidate {
	unsetOption := widget.Candidate{Label: unsetLabel}
	return append([]widget.Candidate{unsetOption}, fieldOptions(values...)...)
}

// accountHint is the hint of a field for an account of the new collection.
const accountHint = "a name, which gets an address of its own, or an address"

// openCreate opens the form that creates a collection in the empty database.
// [readCreation] reads the values of the form.
func openCreate(state *app.State) tea.Cmd {
	fields := slices.Concat(mainFields(), messageFields(state), chainFields(state))
	action := form.NewAction("Create a collection", readCreation, fields...)
	action.Verb = "create it"
	action.MissingText = "a name and a symbol are enough"
	return form.Open(state, action)
}

// mainFields returns the fields for a new collection that most people fill in, and then a fold
// with all others.
func mainFields() []widget.Field {
	return []widget.Field{
		{Name: "name", Label: "Name", Placeholder: "Interchain Apes"},
		{Name: "symbol", Label: "Symbol", Placeholder: "APE"},
		{
			Name:  "more",
			Label: "More",
			Kind:  widget.FoldField,
			Hint:  "space shows or hides them; all may stay as they are",
		},
		{Name: "description", Label: "Description", Placeholder: "none"},
		{Name: "you", Label: "You are", Value: "creator", Hint: accountHint},
		{
			Name:  "cast",
			Label: "With people",
			Kind:  widget.ToggleField,
			Value: "true",
			Hint:  "alice, bob, carol, a market that accepts tokens, a vault that rejects them",
		},
	}
}

// messageFields returns the fields for the further members of the instantiate message. At
// the end are fields for a compiled contract, and for an instantiate message that
// replaces all other fields. All of them may stay empty.
func messageFields(state *app.State) []widget.Field {
	contract := "the built-in one"
	if state.Module != nil {
		contract = state.Module.File
	}
	return []widget.Field{
		{Name: "minter", Label: "Minter", Placeholder: "you", Hint: accountHint},
		{Name: "creator", Label: "Creator", Placeholder: "you", Hint: accountHint},
		{
			Name:        "share",
			Label:       "Royalty",
			Placeholder: "none",
			Hint:        "like 5 % or 0.05; at most " + cw721.MaxShare.Percentage() + " %",
		},
		{Name: "payment_address", Label: "Royalty to", Placeholder: "you", Hint: accountHint},
		{
			Name:        "image",
			Label:       "Image",
			Placeholder: "none",
			Hint:        "an absolute URL, like ipfs://bafy…/cover.png",
		},
		{
			Name:        "external_link",
			Label:       "Link",
			Placeholder: "none",
			Hint:        "an absolute URL, like https://apes.example.com",
		},
		{
			Name:    "explicit_content",
			Label:   "Explicit content",
			Kind:    widget.ChoiceField,
			Options: optionsOrUnset("not set", "no", "yes"),
		},
		{
			Name:        "start_trading_time",
			Label:       "Trading starts",
			Placeholder: "not set",
			Hint:        form.TimeExamples(wallClock(state)),
		},
		{Name: "withdraw_address", Label: "Withdraw address", Placeholder: "none", Hint: accountHint},
		{
			Name:        "contract",
			Label:       "Contract",
			Placeholder: contract,
			Hint:        "a compiled contract to run instead: the path of a .wasm file",
		},
		{
			Name:        "message",
			Label:       "Its message",
			Placeholder: "made from the fields above",
			Hint:        "the instantiate message of that contract, as JSON",
		},
	}
}

// chainFields returns the fields for the new chain: what its tokens hold, its rule set,
// its address prefix, and the height and time of its first block.
func chainFields(state *app.State) []widget.Field {
	return []widget.Field{
		{
			Name:    "flavour",
			Label:   "Tokens hold",
			Kind:    widget.ChoiceField,
			Options: fieldOptions(cw721.FlavourOnchain, cw721.FlavourBase),
			Hint:    "metadata-onchain: nine fields a token; base: only a link",
		},
		{
			Name:    "rules",
			Label:   "Rule set",
			Kind:    widget.ChoiceField,
			Options: optionsOrUnset("as the contract has it", cw721.AllRules()...),
			Hint:    "standard is the interface as documented, the default; the others are as released",
		},
		{Name: "prefix", Label: "Address prefix", Placeholder: "cosmos"},
		{Name: "height", Label: "Start height", Placeholder: "1"},
		{
			Name:        "time",
			Label:       "Start time",
			Placeholder: "now",
			Hint:        form.TimeExamples(wallClock(state)),
		},
	}
}

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
	readForm := func(st *app.State, values map[string]string) form.Result {
		return readImport(st, values, &progress)
	}

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

	action := form.NewAction("Import a contract", readForm, fields...)
	action.Verb = "import it"
	action.ProgressText = func() string {
		records := app.Plural(int(progress.Load()), "record")
		return "reading: " + records + " so far"
	}
	action.RedrawEvery = importRedrawInterval
	return form.Open(state, action)
}

// readImport reads the values of the import form, by the name of the field, and returns
// what the form shows and does. A missing path or a wrong value is a problem of its
// field. An empty height or time means that of the file. The returned Do runs the import,
// and then has the explorer show the new collection. While it runs, it keeps the number
// of records in progress.
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
	showProgress := func(records int) { progress.Store(int64(records)) }
	result.Do = func(app.Engine) form.WorkOutcome {
		progress.Store(0)
		notes, err := importFile(path, genesis, showProgress)
		then := app.Send(openedMsg)
		if len(notes) > 0 {
			then = tea.Sequence(then, app.Notify(app.LevelWarn, strings.Join(notes, "; ")))
		}
		return form.WorkOutcome{Err: err, Then: then}
	}
	return result
}

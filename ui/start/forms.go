package start

import (
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

func choices[S ~string](all []S) (out []widget.Candidate) {
	for _, s := range all {
		out = append(out, widget.Candidate{Value: string(s)})
	}
	return out
}

// rulesChoices are the rule sets, after the choice that leaves them open.
func rulesChoices(open string) []widget.Candidate {
	return append(choices([]string{open}), choices(cw721.AllRules())...)
}

const notSaid = "not said"

// ofContract leaves the rule set to the contract that is run.
const ofContract = "as the contract has it"

// openCreate opens the form that makes a collection: the whole instantiate message,
// and the chain that it runs on, with a preview of both.
func openCreate(st *app.State) tea.Cmd {
	whoHint := "a name, which gets an address of its own, or an address"
	builtIn := "the built-in one"
	if st.Module != nil {
		builtIn = st.Module.File
	}
	times := form.TimeExamples(wallClock(st))
	f := form.NewAction("Create a collection", readCreation,
		widget.Field{Name: "name", Label: "Name", Placeholder: "Interchain Apes"},
		widget.Field{Name: "symbol", Label: "Symbol", Placeholder: "APE"},
		widget.Field{Name: "description", Label: "Description", Placeholder: "none"},
		widget.Field{Name: "you", Label: "You are", Value: "creator", Hint: whoHint},
		widget.Field{Name: "cast", Label: "With people", Kind: widget.ToggleField, Value: "true", Hint: "alice, bob, carol, a market that accepts tokens, a vault that rejects them"},
		widget.Field{Kind: widget.Heading, Label: "Everything below can stay as it is"},
		widget.Field{Name: "minter", Label: "Minter", Placeholder: "you", Hint: whoHint},
		widget.Field{Name: "creator", Label: "Creator", Placeholder: "you", Hint: whoHint},
		widget.Field{Name: "share", Label: "Royalty", Placeholder: "none", Hint: "like 5 % or 0.05; at most " + cw721.MaxShare.Percentage() + " %"},
		widget.Field{Name: "payment_address", Label: "Royalty to", Placeholder: "you", Hint: whoHint},
		widget.Field{Name: "image", Label: "Image", Placeholder: "none", Hint: "an absolute URL, like ipfs://bafy…/cover.png"},
		widget.Field{Name: "external_link", Label: "Link", Placeholder: "none", Hint: "an absolute URL, like https://apes.example.com"},
		widget.Field{Name: "explicit_content", Label: "Explicit content", Kind: widget.ChoiceField, Options: choices([]string{notSaid, "no", "yes"}), Value: notSaid},
		widget.Field{Name: "start_trading_time", Label: "Trading starts", Placeholder: notSaid, Hint: times},
		widget.Field{Name: "withdraw_address", Label: "Withdraw address", Placeholder: "none", Hint: whoHint},
		widget.Field{Name: "contract", Label: "Contract", Placeholder: builtIn, Hint: "a compiled contract to run instead: the path of a .wasm file"},
		widget.Field{Name: "message", Label: "Its message", Placeholder: "made of what stands above", Hint: "the instantiate message of that contract, as JSON"},
		widget.Field{Name: "flavour", Label: "Tokens hold", Kind: widget.ChoiceField, Options: choices([]cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase}), Value: string(cw721.FlavourOnchain), Hint: "metadata-onchain: nine fields a token; base: only a link"},
		widget.Field{Name: "rules", Label: "Rule set", Kind: widget.ChoiceField, Options: rulesChoices(ofContract), Value: ofContract, Hint: "standard is the interface as documented, the default; the others are as released"},
		widget.Field{Name: "prefix", Label: "Address prefix", Placeholder: "cosmos"},
		widget.Field{Name: "height", Label: "Start height", Placeholder: "1"},
		widget.Field{Name: "time", Label: "Start time", Placeholder: "now", Hint: times},
	)
	f.Verb, f.Missing = "create it", "a name and a symbol are enough"
	return form.Open(st, f)
}

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

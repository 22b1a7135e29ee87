package start

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
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

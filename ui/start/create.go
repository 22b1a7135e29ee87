package start

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openCreate opens the form that creates a collection in the empty database.
// [readCreation] reads the values of the form.
func openCreate(state *app.State) tea.Cmd {
	fields := slices.Concat(mainFields(), messageFields(state), chainFields(state))
	action := form.NewAction("Create a collection", readCreation, fields...)
	action.Verb = "create it"
	action.MissingText = "a name and a symbol are enough"
	return form.Open(state, action)
}

// accountHint is the hint of a field for an account of the new collection.
const accountHint = "a name, which gets an address of its own, or an address"

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

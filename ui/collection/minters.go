package collection

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// additionalMintersValue lists the names of the accounts that may mint besides the
// minter.
func additionalMintersValue(state *app.State, collection chain.Collection) widget.Line {
	if len(collection.AdditionalMinters) == 0 {
		return widget.Plain("none")
	}
	var names []string
	for _, address := range collection.AdditionalMinters {
		names = append(names, state.DisplayName(address))
	}
	return widget.Plain(strings.Join(names, ", "))
}

// minterActions are the messages about additional minters.
var minterActions = []messageChoice{
	{
		name:        "add",
		title:       "Additional minter: add",
		description: "may mint from then on, while the minter stays the same",
		inputNames:  []string{"minter"},
	},
	{
		name:        "remove",
		title:       "Additional minter: remove",
		description: "may not mint any more",
		inputNames:  []string{"minter"},
	},
}

// openMintersForm opens the form that adds or removes an additional minter.
func openMintersForm(state *app.State, actionName string) tea.Cmd {
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		account := input.ReadAddress("minter")
		if input.Values["action"] == "remove" {
			return &cw721.RemoveMinter{Minter: account}
		}
		return &cw721.AddMinter{Minter: account}
	}
	minter := form.AccountField(state, "minter", "Account")
	return openActionForm(state, "Additional minters", minterActions, actionName, readMessage, minter)
}

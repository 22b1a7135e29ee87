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

// withdrawPhrases are the phrases of [app.Command.FoundBy] for all of these.
const withdrawPhrases = "withdraw_funds, set_withdraw_address, remove_withdraw_address, money, payout, balance"

// withdrawActions are the messages about the coins that the contract holds.
var withdrawActions = []messageChoice{
	{
		name:        "set",
		title:       "Withdraw address: set",
		description: "the creator says where coins go",
		phrases:     withdrawPhrases,
		inputNames:  []string{"address"},
	},
	{
		name:        "remove",
		title:       "Withdraw address: remove",
		description: "coins stay in the contract until another is set",
		phrases:     withdrawPhrases,
	},
	{
		name:        "withdraw",
		title:       "Withdraw funds",
		description: "pays coins of the contract to the address",
		phrases:     withdrawPhrases,
		inputNames:  []string{"amount", "denom"},
	},
}

// openWithdrawForm opens the form that sets or removes the withdraw address, or
// pays coins to it.
func openWithdrawForm(state *app.State, collection chain.Collection, actionName string) tea.Cmd {
	address := form.AccountField(state, "address", "Address")
	if collection.WithdrawAddress != nil {
		address.Value = state.InputText(*collection.WithdrawAddress)
	}
	amount := widget.Field{Name: "amount", Label: "Amount", Placeholder: "1000000"}
	denom := widget.Field{Name: "denom", Label: "Coin", Value: "uatom"} // as on the Cosmos Hub
	return openActionForm(state, "Withdraw address", withdrawActions, actionName,
		readWithdrawMessage, address, amount, denom)
}

// readWithdrawMessage reads the form of [openWithdrawForm].
func readWithdrawMessage(input *form.Input) cw721.ExecuteMsg {
	switch input.Values["action"] {
	case "remove":
		return &cw721.RemoveWithdrawAddress{}
	case "withdraw":
		amount := form.WithoutSeparators(input.Values["amount"])
		if amount == "" || strings.Trim(amount, "0123456789") != "" {
			input.Fail("amount", "amount: expected a whole number of the coin's smallest unit")
		}
		coin := cw721.Coin{Denom: input.Values["denom"], Amount: cw721.Uint128(amount)}
		return &cw721.WithdrawFunds{Amount: coin}
	default: // "set"
		return &cw721.SetWithdrawAddress{Address: input.ReadAddress("address")}
	}
}

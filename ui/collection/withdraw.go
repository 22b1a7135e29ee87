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

// withdrawOneCoin pays one coin to the withdraw address.
var withdrawOneCoin = &cw721.WithdrawFunds{Amount: cw721.Coin{Denom: "uatom", Amount: "1"}}

// setWithdrawMessage returns the message that sets the withdraw address to an account.
func setWithdrawMessage(_ chain.Collection, account cw721.Address) cw721.ExecuteMsg {
	return &cw721.SetWithdrawAddress{Address: account}
}

// withdrawActions are the messages about the coins that the contract holds.
var withdrawActions = []messageChoice{
	{
		name:        "set",
		title:       "Withdraw address: set",
		description: "the creator says where coins go",
		inputNames:  []string{"address"},
	},
	{
		name:        "remove",
		title:       "Withdraw address: remove",
		description: "coins stay in the contract until another is set",
	},
	{
		name:        "withdraw",
		title:       "Withdraw funds",
		description: "pays coins of the contract to the address",
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

// readWithdrawMessage reads the form of [openWithdrawForm]. It returns the message of the
// chosen action.
func readWithdrawMessage(input *form.Input) cw721.ExecuteMsg {
	switch input.Values["action"] {
	case "remove":
		return &cw721.RemoveWithdrawAddress{}
	case "withdraw":
		coin := cw721.Coin{Denom: input.Values["denom"], Amount: readAmount(input)}
		return &cw721.WithdrawFunds{Amount: coin}
	default: // "set"
		return &cw721.SetWithdrawAddress{Address: input.ReadAddress("address")}
	}
}

// readAmount reads the amount to withdraw. An amount that is no whole number is a problem of
// the input.
func readAmount(input *form.Input) cw721.Uint128 {
	amount := withoutSeparators(input.Values["amount"])
	isNumber := amount != "" && strings.Trim(amount, "0123456789") == ""
	if !isNumber {
		input.Fail("amount", "amount: expected a whole number of the coin's smallest unit")
	}
	return cw721.Uint128(amount)
}

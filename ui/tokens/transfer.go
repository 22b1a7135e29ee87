package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// transferForm gives a token to another owner.
var transferForm = tokenForm{
	title: "Transfer",
	fields: func(state *app.State) []widget.Field {
		return []widget.Field{form.AccountField(state, "recipient", "Recipient")}
	},
	readMessage: func(input *form.Input, tokenID string) cw721.ExecuteMsg {
		return &cw721.TransferNft{Recipient: input.ReadAddress("recipient"), TokenID: tokenID}
	},
}

// openSend opens the form that sends a token to a contract, together with a message for
// that contract. It suggests the first account of the address book that is a contract,
// since only a contract takes tokens.
func openSend(state *app.State, token chain.Token) tea.Cmd {
	contract := form.AccountField(state, "contract", "Contract")
	for _, account := range state.Accounts {
		if account.Receiver == chain.ReceiverAccepts || account.Receiver == chain.ReceiverRejects {
			contract.Value = account.Name
			break
		}
	}
	message := widget.Field{
		Name:  "msg",
		Label: "Message",
		Value: "{}",
		Hint:  "the message for the contract; it is sent as base64",
	}
	title := form.TokenTitle("Send", token.ID) + " to a contract"
	return form.Open(state, form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.SendNft{
			Contract: input.ReadAddress("contract"),
			TokenID:  token.ID,
			Msg:      []byte(input.Values["msg"]),
		}
	}, contract, message))
}

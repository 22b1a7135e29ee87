package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// reader reads whom a message about a token is for, and makes that message for any token.
type reader func(st *app.State, v map[string]string, out *form.Result) (who cw721.Address, message func(id string) cw721.ExecuteMsg)

func readTransfer(st *app.State, v map[string]string, out *form.Result) (cw721.Address, func(string) cw721.ExecuteMsg) {
	to := form.ReadAddress(st, v, "recipient", out)
	return to, func(id string) cw721.ExecuteMsg { return &cw721.TransferNft{Recipient: to, TokenID: id} }
}

func readApproval(st *app.State, v map[string]string, out *form.Result) (cw721.Address, func(string) cw721.ExecuteMsg) {
	spender, expires := form.ReadAddress(st, v, "spender", out), form.ReadExpiry(st, v, "expires", out)
	return spender, func(id string) cw721.ExecuteMsg {
		return &cw721.Approve{Spender: spender, TokenID: id, Expires: expires}
	}
}

// oneForm opens the form of a message about one token.
func oneForm(st *app.State, title, id string, read reader, fields ...widget.Field) tea.Cmd {
	return form.Open(st, form.NewMessage(form.Title(title, id), func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		_, message := read(st, v, out)
		return message(id)
	}, fields...))
}

func transferForm(st *app.State, t chain.Token) tea.Cmd {
	return oneForm(st, "Transfer", t.ID, readTransfer, form.AccountField(st, "recipient", "Recipient"))
}

func approveForm(st *app.State, t chain.Token) tea.Cmd {
	return oneForm(st, "Approve a spender for", t.ID, readApproval, form.AccountField(st, "spender", "Spender"), form.ExpiryField(st, "expires"))
}

func sendForm(st *app.State, t chain.Token) tea.Cmd {
	field := form.AccountField(st, "contract", "Contract")
	for _, a := range st.Accounts {
		if a.Receiver == chain.ReceiverAccepts || a.Receiver == chain.ReceiverRejects {
			field.Value = a.Name
			break
		}
	}
	return form.Open(st, form.NewMessage(form.Title("Send", t.ID)+" to a contract", func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		return &cw721.SendNft{Contract: form.ReadAddress(st, v, "contract", out), TokenID: t.ID, Msg: []byte(v["msg"])}
	}, field, widget.Field{Name: "msg", Label: "Message", Value: "{}", Hint: "what the contract is told; it travels as base64"}))
}

func revokeForm(st *app.State, t chain.Token) tea.Cmd {
	field := form.AccountField(st, "spender", "Spender")
	if len(t.Approvals) > 0 {
		field.Value = st.Typed(t.Approvals[0].Spender)
	}
	return form.Open(st, form.NewMessage(form.Title("Revoke an approval of", t.ID), func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		return &cw721.Revoke{Spender: form.ReadAddress(st, v, "spender", out), TokenID: t.ID}
	}, field))
}

func burnForm(st *app.State, t chain.Token) tea.Cmd {
	return form.Open(st, form.NewMessage(form.Title("Burn", t.ID), func(*app.State, map[string]string, *form.Result) cw721.ExecuteMsg {
		return &cw721.Burn{TokenID: t.ID}
	}, widget.Field{Kind: widget.Heading, Label: "It goes, with its approvals; the id can be minted again. u undoes it."}))
}

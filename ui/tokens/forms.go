package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

func transferForm(st *app.State, t chain.Token) tea.Cmd {
	return form.Open(st, form.NewAction(form.Title("Transfer", t.ID), func(st *app.State, v map[string]string) form.Result {
		to, problems := form.ReadAddress(st, v, "recipient")
		out := form.Result{Problems: problems}
		return out.Fill(&cw721.TransferNft{Recipient: to, TokenID: t.ID})
	}, form.AccountField(st, "recipient", "Recipient")))
}

func sendForm(st *app.State, t chain.Token) tea.Cmd {
	field := form.AccountField(st, "contract", "Contract")
	for _, a := range st.Accounts {
		if a.Receiver == chain.ReceiverAccepts || a.Receiver == chain.ReceiverRejects {
			field.Value = a.Name
			break
		}
	}
	return form.Open(st, form.NewAction(form.Title("Send", t.ID)+" to a contract", func(st *app.State, v map[string]string) form.Result {
		to, problems := form.ReadAddress(st, v, "contract")
		out := form.Result{Problems: problems}
		return out.Fill(&cw721.SendNft{Contract: to, TokenID: t.ID, Msg: []byte(v["msg"])})
	}, field, widget.Field{Name: "msg", Label: "Message", Value: "{}", Hint: "what the contract is told; it travels as base64"}))
}

func approveForm(st *app.State, t chain.Token) tea.Cmd {
	return form.Open(st, form.NewAction(form.Title("Approve a spender for", t.ID), func(st *app.State, v map[string]string) form.Result {
		spender, problems := form.ReadAddress(st, v, "spender")
		out := form.Result{Problems: problems}
		expires := form.ReadExpiry(st, v, "expires", &out)
		return out.Fill(&cw721.Approve{Spender: spender, TokenID: t.ID, Expires: expires})
	}, form.AccountField(st, "spender", "Spender"), form.ExpiryField(st, "expires")))
}

func revokeForm(st *app.State, t chain.Token) tea.Cmd {
	field := form.AccountField(st, "spender", "Spender")
	if len(t.Approvals) > 0 {
		field.Value = st.Typed(t.Approvals[0].Spender)
	}
	return form.Open(st, form.NewAction(form.Title("Revoke an approval of", t.ID), func(st *app.State, v map[string]string) form.Result {
		spender, problems := form.ReadAddress(st, v, "spender")
		out := form.Result{Problems: problems}
		return out.Fill(&cw721.Revoke{Spender: spender, TokenID: t.ID})
	}, field))
}

func burnForm(st *app.State, t chain.Token) tea.Cmd {
	return form.Open(st, form.NewAction(form.Title("Burn", t.ID), func(*app.State, map[string]string) form.Result {
		return form.Message(&cw721.Burn{TokenID: t.ID})
	}, widget.Field{Kind: widget.Heading, Label: "It goes, with its approvals; the id can be minted again. u undoes it."}))
}

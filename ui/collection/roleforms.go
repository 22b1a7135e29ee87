package collection

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// action is a choice of a form: its value, how a command names it, what it comes
// to, and the fields that it needs, apart by spaces.
type action struct{ name, title, about, fields string }

// actionForm opens a form for one of several actions. It shows the fields that the
// chosen one needs.
func actionForm(st *app.State, title string, all []action, chosen string, build func(*app.State, map[string]string, *form.Result) cw721.ExecuteMsg, fields ...widget.Field) tea.Cmd {
	choice := widget.Field{Name: "action", Label: "Action", Kind: widget.ChoiceField, Value: chosen, Hint: "← → choose"}
	needs := map[string][]string{}
	for _, a := range all {
		choice.Options = append(choice.Options, widget.Candidate{Value: a.name, Detail: a.about})
		needs[a.name] = strings.Fields(a.fields)
	}
	f := form.NewMessage(title, build, append([]widget.Field{choice}, fields...)...)
	f.Change = func(f *widget.Form, _ string) {
		for _, field := range fields {
			f.Show(field.Name, slices.Contains(needs[f.Value("action")], field.Name))
		}
	}
	f.Change(f.Form, "")
	if len(needs[chosen]) > 0 {
		f.Form.Focus(needs[chosen][0])
	}
	return form.Open(st, f)
}

// roleActions are what can be done with a role.
var roleActions = []action{
	{"offer", "Offer", "it stays yours until somebody accepts it", "new_owner expiry"},
	{"accept", "Accept", "whoever it is offered to takes it over", ""},
	{"renounce", "Renounce", "nobody holds it from then on, ever", ""},
}

// roleForm hands a role on, takes it over, or gives it up. Without an action it
// begins with what whoever acts is most likely to want.
func roleForm(st *app.State, c chain.Collection, r app.RoleKind, action string) tea.Cmd {
	o := r.Of(c)
	if action == "" {
		action = "offer"
		if o.PendingOwner != nil && *o.PendingOwner == st.Actor {
			action = "accept"
		}
	}
	return actionForm(st, "The role of "+r.Name, roleActions, action, func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		switch v["action"] {
		case "accept":
			return r.Wraps(cw721.Accept)
		case "renounce":
			return r.Wraps(cw721.Renounce)
		}
		return r.Wraps(cw721.Offer(form.ReadAddress(st, v, "new_owner", out), form.ReadExpiry(st, v, "expiry", out)))
	}, form.AccountField(st, "new_owner", "New "+r.Name), form.ExpiryField(st, "expiry"))
}

// minterActions are what the minter can do about the additional ones.
var minterActions = []action{
	{"add", "Additional minter: add", "may mint from then on, while the minter stays the same", "minter"},
	{"remove", "Additional minter: remove", "may not mint any more", "minter"},
}

// mintersForm adds an additional minter, or removes one.
func mintersForm(st *app.State, action string) tea.Cmd {
	return actionForm(st, "Additional minters", minterActions, action, func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		who := form.ReadAddress(st, v, "minter", out)
		if v["action"] == "remove" {
			return &cw721.RemoveMinter{Minter: who}
		}
		return &cw721.AddMinter{Minter: who}
	}, form.AccountField(st, "minter", "Account"))
}

// withdrawActions are what can be done about the contract's coins.
var withdrawActions = []action{
	{"set", "Withdraw address: set", "the creator says where coins go", "address"},
	{"remove", "Withdraw address: remove", "coins stay in the contract until another is set", ""},
	{"withdraw", "Withdraw funds", "pays coins of the contract to the address", "amount denom"},
}

// withdrawForm sets or removes the withdraw address, or pays coins to it.
func withdrawForm(st *app.State, c chain.Collection, action string) tea.Cmd {
	address := form.AccountField(st, "address", "Address")
	if c.Withdraw != nil {
		address.Value = st.Typed(*c.Withdraw)
	}
	return actionForm(st, "Withdraw address", withdrawActions, action, func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		switch v["action"] {
		case "remove":
			return &cw721.RemoveWithdrawAddress{}
		case "withdraw":
			amount := strings.NewReplacer(",", "", "_", "").Replace(strings.TrimSpace(v["amount"]))
			if amount == "" || strings.Trim(amount, "0123456789") != "" {
				out.Fail("amount", "amount: expected a whole number of the coin's smallest unit")
			}
			return &cw721.WithdrawFunds{Amount: cw721.Coin{Denom: v["denom"], Amount: cw721.Uint128(amount)}}
		}
		return &cw721.SetWithdrawAddress{Address: form.ReadAddress(st, v, "address", out)}
	},
		address,
		widget.Field{Name: "amount", Label: "Amount", Placeholder: "1000000"},
		widget.Field{Name: "denom", Label: "Coin", Value: "uatom"})
}

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

// action is a choice of a form: its value, how a command names it, and what it
// comes to.
type action struct{ name, title, about string }

// actionField lets a person choose among actions.
func actionField(all []action, chosen string) widget.Field {
	f := widget.Field{Name: "action", Label: "Action", Kind: widget.ChoiceField, Value: chosen, Hint: "← → choose"}
	for _, a := range all {
		f.Options = append(f.Options, widget.Candidate{Value: a.name, Detail: a.about})
	}
	return f
}

// roleActions are what can be done with a role.
var roleActions = []action{
	{"offer", "Offer", "it stays yours until somebody accepts it"},
	{"accept", "Accept", "whoever it is offered to takes it over"},
	{"renounce", "Renounce", "nobody holds it from then on, ever"},
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
	follow := func(_ *app.State, form *widget.Form, _ string) {
		offer := form.Value("action") == "offer"
		form.Show("new_owner", offer)
		form.Show("expiry", offer)
	}
	f, _ := form.NewAction(st, "The role of "+r.Name, func(st *app.State, v map[string]string) form.Result {
		switch v["action"] {
		case "accept":
			return form.Message(r.Wraps(cw721.Accept))
		case "renounce":
			return form.Message(r.Wraps(cw721.Renounce))
		}
		to, problems := form.ReadAddress(st, v, "new_owner")
		out := form.Result{Problems: problems}
		end := form.ReadExpiry(st, v, "expiry", &out)
		return out.Fill(r.Wraps(cw721.Offer(to, end)))
	},
		actionField(roleActions, action),
		form.Who(st, "new_owner", "New "+r.Name),
		form.Until("expiry"))
	f.Change = follow
	follow(st, f.Form, "")
	if action == "offer" {
		f.Form.Focus("new_owner")
	}
	return form.Open(f, f.Review(st))
}

// minterActions are what the minter can do about the additional ones.
var minterActions = []action{
	{"add", "Additional minter: add", "may mint from then on, while the minter stays the same"},
	{"remove", "Additional minter: remove", "may not mint any more"},
}

// mintersForm adds an additional minter, or removes one.
func mintersForm(st *app.State, action string) tea.Cmd {
	f, preview := form.NewAction(st, "Additional minters", func(st *app.State, v map[string]string) form.Result {
		who, problems := form.ReadAddress(st, v, "minter")
		out := form.Result{Problems: problems}
		if v["action"] == "remove" {
			return out.Fill(&cw721.RemoveMinter{Minter: who})
		}
		return out.Fill(&cw721.AddMinter{Minter: who})
	}, actionField(minterActions, action), form.Who(st, "minter", "Account"))
	f.Form.Focus("minter")
	return form.Open(f, preview)
}

// withdrawActions are what can be done about the contract's coins.
var withdrawActions = []action{
	{"set", "Withdraw address: set", "the creator says where coins go"},
	{"remove", "Withdraw address: remove", "coins stay in the contract until another is set"},
	{"withdraw", "Withdraw funds", "pays coins of the contract to the address"},
}

// withdrawForm sets or removes the withdraw address, or pays coins to it.
func withdrawForm(st *app.State, c chain.Collection, action string) tea.Cmd {
	address := form.Who(st, "address", "Address")
	if c.Withdraw != nil {
		address.Value = st.Typed(*c.Withdraw)
	}
	follow := func(_ *app.State, form *widget.Form, _ string) {
		action := form.Value("action")
		form.Show("address", action == "set")
		form.Show("amount", action == "withdraw")
		form.Show("denom", action == "withdraw")
	}
	f, _ := form.NewAction(st, "Withdraw address", func(st *app.State, v map[string]string) form.Result {
		switch v["action"] {
		case "remove":
			return form.Message(&cw721.RemoveWithdrawAddress{})
		case "withdraw":
			amount := strings.NewReplacer(",", "", "_", "").Replace(strings.TrimSpace(v["amount"]))
			if amount == "" || strings.Trim(amount, "0123456789") != "" {
				return form.Result{Problems: []form.Problem{{Field: "amount", Text: "amount: expected a whole number of the coin's smallest unit"}}}
			}
			return form.Message(&cw721.WithdrawFunds{Amount: cw721.Coin{Denom: v["denom"], Amount: cw721.Uint128(amount)}})
		}
		to, problems := form.ReadAddress(st, v, "address")
		out := form.Result{Problems: problems}
		return out.Fill(&cw721.SetWithdrawAddress{Address: to})
	},
		actionField(withdrawActions, action),
		address,
		widget.Field{Name: "amount", Label: "Amount", Placeholder: "1000000"},
		widget.Field{Name: "denom", Label: "Coin", Value: "uatom"})
	f.Change = follow
	follow(st, f.Form, "")
	switch action {
	case "set":
		f.Form.Focus("address")
	case "withdraw":
		f.Form.Focus("amount")
	}
	return form.Open(f, f.Review(st))
}

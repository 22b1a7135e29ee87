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

// roleActions are what can be done with a role.
var roleActions = []struct{ name, what, about string }{
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
	var options []widget.Candidate
	for _, a := range roleActions {
		options = append(options, widget.Candidate{Value: a.name, Detail: a.about})
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
		widget.Field{Name: "action", Label: "Action", Kind: widget.ChoiceField, Options: options, Value: action, Hint: "← → choose"},
		form.Who(st, "new_owner", "New "+r.Name),
		form.Until("expiry"))
	f.Change = follow
	follow(st, f.Form, "")
	if action == "offer" {
		f.Form.Focus("new_owner")
	}
	return form.Open(f, f.Review(st))
}

// withdrawActions are what can be done about the contract's coins.
var withdrawActions = []struct{ name, title, about string }{
	{"set", "Withdraw address: set", "the creator says where coins go"},
	{"remove", "Withdraw address: remove", "coins stay in the contract until another is set"},
	{"withdraw", "Withdraw funds", "pays coins of the contract to the address"},
}

// withdrawForm sets or removes the withdraw address, or pays coins to it.
func withdrawForm(st *app.State, c chain.Collection, action string) tea.Cmd {
	if action == "" {
		action = "set"
	}
	address := form.Who(st, "address", "Address")
	if c.Withdraw != nil {
		address.Value = st.Typed(*c.Withdraw)
	}
	var options []widget.Candidate
	for _, a := range withdrawActions {
		options = append(options, widget.Candidate{Value: a.name, Detail: a.about})
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
		widget.Field{Name: "action", Label: "Action", Kind: widget.ChoiceField, Options: options, Value: action, Hint: "← → choose"},
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

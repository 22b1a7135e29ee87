package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
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
func roleForm(d *Desk, c chain.Collection, r roleKind, action string) tea.Cmd {
	o := r.of(c)
	if action == "" {
		action = "offer"
		if o.PendingOwner != nil && *o.PendingOwner == d.Actor {
			action = "accept"
		}
	}
	var options []widget.Candidate
	for _, a := range roleActions {
		options = append(options, widget.Candidate{Value: a.name, Detail: a.about})
	}
	follow := func(_ *Desk, form *widget.Form, _ string) {
		offer := form.Value("action") == "offer"
		form.Show("new_owner", offer)
		form.Show("expiry", offer)
	}
	f, _ := newActionForm(d, "The role of "+r.name, func(d *Desk, v map[string]string) draft {
		switch v["action"] {
		case "accept":
			return message(r.wraps(cw721.Accept))
		case "renounce":
			return message(r.wraps(cw721.Renounce))
		}
		to, problems := readAddress(d, v, "new_owner")
		out := draft{problems: problems}
		end := readExpiry(d, v, "expiry", &out)
		return out.fill(r.wraps(cw721.Offer(to, end)))
	},
		widget.Field{Name: "action", Label: "Action", Kind: widget.ChoiceField, Options: options, Value: action, Hint: "← → choose"},
		who(d, "new_owner", "New "+r.name),
		until("expiry"))
	f.change = follow
	follow(d, f.form, "")
	if action == "offer" {
		f.form.Focus("new_owner")
	}
	return openForm(f, f.review(d))
}

// withdrawActions are what can be done about the contract's coins.
var withdrawActions = []struct{ name, title, about string }{
	{"set", "Withdraw address: set", "the creator says where coins go"},
	{"remove", "Withdraw address: remove", "coins stay in the contract until another is set"},
	{"withdraw", "Withdraw funds", "pays coins of the contract to the address"},
}

// withdrawForm sets or removes the withdraw address, or pays coins to it.
func withdrawForm(d *Desk, c chain.Collection, action string) tea.Cmd {
	if action == "" {
		action = "set"
	}
	address := who(d, "address", "Address")
	if c.Withdraw != nil {
		address.Value = d.typed(*c.Withdraw)
	}
	var options []widget.Candidate
	for _, a := range withdrawActions {
		options = append(options, widget.Candidate{Value: a.name, Detail: a.about})
	}
	follow := func(_ *Desk, form *widget.Form, _ string) {
		action := form.Value("action")
		form.Show("address", action == "set")
		form.Show("amount", action == "withdraw")
		form.Show("denom", action == "withdraw")
	}
	f, _ := newActionForm(d, "Withdraw address", func(d *Desk, v map[string]string) draft {
		switch v["action"] {
		case "remove":
			return message(&cw721.RemoveWithdrawAddress{})
		case "withdraw":
			amount := strings.NewReplacer(",", "", "_", "").Replace(strings.TrimSpace(v["amount"]))
			if amount == "" || strings.Trim(amount, "0123456789") != "" {
				return draft{problems: []problem{{"amount", "amount: expected a whole number of the coin's smallest unit"}}}
			}
			return message(&cw721.WithdrawFunds{Amount: cw721.Coin{Denom: v["denom"], Amount: cw721.Uint128(amount)}})
		}
		to, problems := readAddress(d, v, "address")
		out := draft{problems: problems}
		return out.fill(&cw721.SetWithdrawAddress{Address: to})
	},
		widget.Field{Name: "action", Label: "Action", Kind: widget.ChoiceField, Options: options, Value: action, Hint: "← → choose"},
		address,
		widget.Field{Name: "amount", Label: "Amount", Placeholder: "1000000"},
		widget.Field{Name: "denom", Label: "Coin", Value: "uatom"})
	f.change = follow
	follow(d, f.form, "")
	switch action {
	case "set":
		f.form.Focus("address")
	case "withdraw":
		f.form.Focus("amount")
	}
	return openForm(f, f.review(d))
}

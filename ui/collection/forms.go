package collection

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// collectionForm opens the form of one field.
func collectionForm(st *app.State, what string, build func(*app.State, map[string]string, *form.Result) cw721.ExecuteMsg, fields ...widget.Field) tea.Cmd {
	return form.Open(st, form.NewMessage("Change the "+what, build, fields...))
}

// textField returns the field of a text. stored returns the text in the
// collection, nil for none, and update the message that replaces it.
func textField(key, hint string, stored func(chain.Collection) *string, update func(*string) cw721.CollectionInfoMsg) collectionField {
	label := strings.ReplaceAll(key, "_", " ")
	return collectionField{
		key: key, label: label, verb: "change", asks: asksInfo(update(&anyText)),
		value: func(_ *app.State, c chain.Collection) widget.Line {
			switch text := stored(c); {
			case text == nil:
				return widget.In(themes.Faint, "none")
			case *text == "":
				return widget.In(themes.Faint, "empty")
			default:
				return widget.Plain(*text)
			}
		},
		edit: func(st *app.State, c chain.Collection) tea.Cmd {
			f := widget.Field{Name: key, Label: strings.ToUpper(label[:1]) + label[1:], Hint: hint, Value: *cmp.Or(stored(c), new(string))}
			return collectionForm(st, label, func(_ *app.State, v map[string]string, _ *form.Result) cw721.ExecuteMsg {
				text := v[key]
				return &cw721.UpdateCollectionInfo{CollectionInfo: update(&text)}
			}, f)
		},
	}
}

// extensionText returns the field of a text of the extension.
func extensionText(key, hint string, ofExtension func(*cw721.CollectionExtension) *string, update func(*string) cw721.CollectionExtensionMsg) collectionField {
	stored := func(c chain.Collection) *string {
		if c.Extension == nil {
			return nil
		}
		return ofExtension(c.Extension)
	}
	field := textField(key, hint, stored, func(text *string) cw721.CollectionInfoMsg {
		e := update(text)
		return cw721.CollectionInfoMsg{Extension: &e}
	})
	field.about = func(_ *app.State, f *collectionFacts) []widget.Line {
		text := cmp.Or(stored(f.Collection), new(string))
		return []widget.Line{widget.In(themes.Muted, app.Plural(len(*text), "byte")+" of text. It can be replaced, never cleared.")}
	}
	return field
}

// extended returns the message that changes the extension.
func extended(e cw721.CollectionExtensionMsg) cw721.ExecuteMsg {
	return &cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Extension: &e}}
}

// extension returns the extension of the collection; empty for none.
func extension(c chain.Collection) cw721.CollectionExtension {
	return *cmp.Or(c.Extension, &cw721.CollectionExtension{})
}

func explicitForm(st *app.State, c chain.Collection) tea.Cmd {
	value := "no"
	if e := extension(c).ExplicitContent; e != nil && *e {
		value = "yes"
	}
	return collectionForm(st, "explicit content", func(_ *app.State, v map[string]string, _ *form.Result) cw721.ExecuteMsg {
		yes := v["explicit_content"] == "yes"
		return extended(cw721.CollectionExtensionMsg{ExplicitContent: &yes})
	}, widget.Field{Name: "explicit_content", Label: "Explicit content", Kind: widget.ChoiceField, Options: []widget.Candidate{{Value: "no"}, {Value: "yes"}}, Value: value, Hint: "← → choose"})
}

func tradingForm(st *app.State, c chain.Collection) tea.Cmd {
	examples := form.TimeExamples(st.Clock)
	f := widget.Field{Name: "start_trading_time", Label: "Trading starts", Placeholder: examples, Hint: examples}
	if at := extension(c).StartTradingTime; at != nil {
		f.Value = form.FormatExpiry(cw721.UntilTime(*at))
	}
	return collectionForm(st, "start of trading", func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		at := form.ReadTime(st.Clock, v["start_trading_time"], "start_trading_time", "trading starts", out)
		return extended(cw721.CollectionExtensionMsg{StartTradingTime: at})
	}, f)
}

func royaltyForm(st *app.State, c chain.Collection) tea.Cmd {
	old := extension(c).RoyaltyInfo
	payment, share := form.AccountField(st, "payment_address", "Paid to"), widget.Field{Name: "share", Label: "Share", Placeholder: "5 %", Hint: "like 5 % or 0.05"}
	if old != nil {
		payment.Value, share.Value = st.InputText(old.PaymentAddress), old.Share.Percentage()+" %"
	}
	return collectionForm(st, "royalty", func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		r := cw721.RoyaltyInfo{PaymentAddress: form.ReadAddress(st, v, "payment_address", out)}
		var err error
		if r.Share, err = form.ParseShare(v["share"]); err != nil {
			out.Fail("share", err.Error())
		} else if r.Share.Cmp(cw721.Percent(100)) <= 0 {
			out.Note("share", widget.In(themes.Muted, splitSale(st, r, exampleSale)))
		}
		out.Note("share", form.PercentSignWarning(v["share"], r.Share)...)
		out.Note("share", widget.In(themes.Muted, limits(st.Config.Rules, old)))
		return extended(cw721.CollectionExtensionMsg{RoyaltyInfo: &r})
	}, share, payment)
}

// action is a choice in a form.
type action struct {
	name   string // the value of the choice
	title  string // the name of its command
	about  string
	fields string // the names of the fields that it needs, separated by spaces
}

// actionForm opens a form for one of several actions. It shows the fields that
// the chosen action needs.
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

// roleActions are the actions of the form of a role.
var roleActions = []action{
	{name: "offer", title: "Offer", about: "it stays yours until somebody accepts it", fields: "new_owner expiry"},
	{name: "accept", title: "Accept", about: "whoever it is offered to takes it over"},
	{name: "renounce", title: "Renounce", about: "nobody holds it from then on, ever"},
}

// roleForm opens the form that offers, accepts or renounces a role. Without an
// action, accepting is chosen if the role is offered to the actor, and otherwise
// offering.
func roleForm(st *app.State, c chain.Collection, r app.RoleKind, action string) tea.Cmd {
	if action == "" {
		action = "offer"
		if candidate := r.Of(c).PendingOwner; candidate != nil && *candidate == st.Actor {
			action = "accept"
		}
	}
	return actionForm(st, "The role of "+r.Name, roleActions, action, func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		switch v["action"] {
		case "accept":
			return r.Message(cw721.Accept)
		case "renounce":
			return r.Message(cw721.Renounce)
		}
		return r.Message(cw721.Offer(form.ReadAddress(st, v, "new_owner", out), form.ReadExpiry(st, v, "expiry", out)))
	}, form.AccountField(st, "new_owner", "New "+r.Name), form.ExpiryField(st, "expiry"))
}

// minterActions are the actions of the form of additional minters.
var minterActions = []action{
	{name: "add", title: "Additional minter: add", about: "may mint from then on, while the minter stays the same", fields: "minter"},
	{name: "remove", title: "Additional minter: remove", about: "may not mint any more", fields: "minter"},
}

// mintersForm opens the form that adds or removes an additional minter.
func mintersForm(st *app.State, action string) tea.Cmd {
	return actionForm(st, "Additional minters", minterActions, action, func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		who := form.ReadAddress(st, v, "minter", out)
		if v["action"] == "remove" {
			return &cw721.RemoveMinter{Minter: who}
		}
		return &cw721.AddMinter{Minter: who}
	}, form.AccountField(st, "minter", "Account"))
}

// withdrawActions are the actions of the form about the contract's coins.
var withdrawActions = []action{
	{name: "set", title: "Withdraw address: set", about: "the creator says where coins go", fields: "address"},
	{name: "remove", title: "Withdraw address: remove", about: "coins stay in the contract until another is set"},
	{name: "withdraw", title: "Withdraw funds", about: "pays coins of the contract to the address", fields: "amount denom"},
}

// withdrawForm opens the form that sets or removes the withdraw address, or pays
// coins to it.
func withdrawForm(st *app.State, c chain.Collection, action string) tea.Cmd {
	address := form.AccountField(st, "address", "Address")
	if c.Withdraw != nil {
		address.Value = st.InputText(*c.Withdraw)
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

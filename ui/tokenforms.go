package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// who is a field that takes an account by name or an address.
func who(d *Desk, name, label string) widget.Field {
	return widget.Field{Name: name, Label: label, Placeholder: "a name or an address", Complete: d.Candidates()}
}

// whoFrom is the same, filled in with an account.
func whoFrom(d *Desk, name, label string, a cw721.Address) widget.Field {
	f := who(d, name, label)
	f.Value = d.typed(a)
	return f
}

// typed is how an account can be typed: its name, or its address.
func (d *Desk) typed(a cw721.Address) string {
	if name, ok := d.Names[a]; ok {
		return name
	}
	return string(a)
}

// readAddress reads an account from a form.
func readAddress(d *Desk, values map[string]string, field string) (cw721.Address, []problem) {
	if values[field] == "" {
		return "", []problem{{field, field + ": a name or an address is missing"}}
	}
	return address(d.Accounts, values[field]), nil
}

// until is a field that takes an end.
func until(name string) widget.Field {
	return widget.Field{Name: name, Label: "Expires", Value: "", Placeholder: "never", Hint: ExpiryHelp}
}

// readExpiry reads an end from a form; nil is never, and left out of the message.
func readExpiry(d *Desk, values map[string]string, field string, out *draft) *cw721.Expiration {
	e, err := parseExpiry(values[field], d.Clock)
	if err != nil {
		out.problems = append(out.problems, problem{field, err.Error()})
		return nil
	}
	out.note(field, widget.In(themes.Muted, d.forms(e.Expiration)))
	if e.Warning != "" {
		out.note(field, widget.In(themes.Warn, themes.GlyphWarn+" "+e.Warning))
	}
	if e.Axis == cw721.Never {
		return nil
	}
	return &e.Expiration
}

// note puts a line under a field.
func (out *draft) note(field string, l widget.Line) {
	if out.notes == nil {
		out.notes = map[string][]widget.Line{}
	}
	out.notes[field] = append(out.notes[field], l)
}

// fill puts a message into a draft that has no problems.
func (out *draft) fill(msg cw721.ExecuteMsg) draft {
	if len(out.problems) == 0 {
		out.msg = cw721.Encode(msg)
	}
	return *out
}

// title names a token in the title of a form.
func title(what, id string) string { return what + " " + widget.Safe(tokenName(id)) }

func transferForm(d *Desk, t chain.Token) tea.Cmd {
	return openForm(newActionForm(d, title("Transfer", t.ID), func(d *Desk, v map[string]string) draft {
		to, problems := readAddress(d, v, "recipient")
		out := draft{problems: problems}
		return out.fill(&cw721.TransferNft{Recipient: to, TokenID: t.ID})
	}, who(d, "recipient", "Recipient")))
}

func sendForm(d *Desk, t chain.Token) tea.Cmd {
	field := who(d, "contract", "Contract")
	for _, a := range d.Accounts {
		if a.Receiver == chain.ReceiverAccepts || a.Receiver == chain.ReceiverRejects {
			field.Value = a.Name
			break
		}
	}
	return openForm(newActionForm(d, title("Deliver", t.ID)+" to a contract", func(d *Desk, v map[string]string) draft {
		to, problems := readAddress(d, v, "contract")
		out := draft{problems: problems}
		return out.fill(&cw721.SendNft{Contract: to, TokenID: t.ID, Msg: []byte(v["msg"])})
	}, field, widget.Field{Name: "msg", Label: "Message", Value: "{}", Hint: "what the contract is told; it travels as base64"}))
}

func approveForm(d *Desk, t chain.Token) tea.Cmd {
	return openForm(newActionForm(d, title("Approve a spender for", t.ID), func(d *Desk, v map[string]string) draft {
		spender, problems := readAddress(d, v, "spender")
		out := draft{problems: problems}
		expires := readExpiry(d, v, "expires", &out)
		return out.fill(&cw721.Approve{Spender: spender, TokenID: t.ID, Expires: expires})
	}, who(d, "spender", "Spender"), until("expires")))
}

func revokeForm(d *Desk, t chain.Token) tea.Cmd {
	field := who(d, "spender", "Spender")
	if len(t.Approvals) > 0 {
		field.Value = d.typed(t.Approvals[0].Spender)
	}
	return openForm(newActionForm(d, title("Revoke an approval of", t.ID), func(d *Desk, v map[string]string) draft {
		spender, problems := readAddress(d, v, "spender")
		out := draft{problems: problems}
		return out.fill(&cw721.Revoke{Spender: spender, TokenID: t.ID})
	}, field))
}

func burnForm(d *Desk, t chain.Token) tea.Cmd {
	return openForm(newActionForm(d, title("Burn", t.ID), func(*Desk, map[string]string) draft {
		return message(&cw721.Burn{TokenID: t.ID})
	}, widget.Field{Kind: widget.Heading, Label: "It goes, with its approvals; the id can be minted again. u undoes it."}))
}

package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// who is a field that takes an account by name or an address.
func who(d *Desk, name, label string) widget.Field {
	return widget.Field{Name: name, Label: label, Placeholder: "a name or an address", Complete: d.Candidates()}
}

func (d *Desk) who(values map[string]string, field string) (cw721.Address, []problem) {
	if values[field] == "" {
		return "", []problem{{field, field + ": a name or an address is missing"}}
	}
	return address(d.Accounts, values[field]), nil
}

// until is a field that takes an end.
func until(name string) widget.Field {
	return widget.Field{Name: name, Label: "Expires", Value: "", Placeholder: "never", Hint: ExpiryHelp}
}

// expiry reads an end from a form; nil is never, and left out of the message.
func (d *Desk) expiry(values map[string]string, field string, out *draft) *cw721.Expiration {
	e, err := parseExpiry(values[field], d.Clock)
	if err != nil {
		out.problems = append(out.problems, problem{field, err.Error()})
		return nil
	}
	lines := []widget.Line{widget.In(themes.Muted, d.forms(e.Expiration))}
	if e.Warning != "" {
		lines = append(lines, widget.In(themes.Warn, themes.GlyphWarn+" "+e.Warning))
	}
	if out.notes == nil {
		out.notes = map[string][]widget.Line{}
	}
	out.notes[field] = lines
	if e.Axis == cw721.Never {
		return nil
	}
	return &e.Expiration
}

// fill puts a message into a draft that has no problems.
func (out *draft) fill(msg cw721.ExecuteMsg) draft {
	if len(out.problems) == 0 {
		out.msg = cw721.Encode(msg)
	}
	return *out
}

func transferForm(d *Desk, id string) tea.Cmd {
	return openForm(newActionForm(d, "Transfer "+widget.Safe(id), func(d *Desk, v map[string]string) draft {
		to, problems := d.who(v, "recipient")
		out := draft{problems: problems}
		return out.fill(&cw721.TransferNft{Recipient: to, TokenID: id})
	}, who(d, "recipient", "Recipient")))
}

func sendForm(d *Desk, id string) tea.Cmd {
	return openForm(newActionForm(d, "Deliver "+widget.Safe(id)+" to a contract", func(d *Desk, v map[string]string) draft {
		to, problems := d.who(v, "contract")
		out := draft{problems: problems}
		return out.fill(&cw721.SendNft{Contract: to, TokenID: id, Msg: []byte(v["msg"])})
	}, who(d, "contract", "Contract"), widget.Field{Name: "msg", Label: "Message", Value: "{}", Hint: "what the contract is told; it travels as base64"}))
}

func approveForm(d *Desk, id string) tea.Cmd {
	return openForm(newActionForm(d, "Approve a spender for "+widget.Safe(id), func(d *Desk, v map[string]string) draft {
		spender, problems := d.who(v, "spender")
		out := draft{problems: problems}
		expires := d.expiry(v, "expires", &out)
		return out.fill(&cw721.Approve{Spender: spender, TokenID: id, Expires: expires})
	}, who(d, "spender", "Spender"), until("expires")))
}

func revokeForm(d *Desk, id string, approvals []cw721.Approval) tea.Cmd {
	field := who(d, "spender", "Spender")
	if len(approvals) > 0 {
		field.Value = d.Call(approvals[0].Spender)
		if _, named := d.Names[approvals[0].Spender]; !named {
			field.Value = string(approvals[0].Spender)
		}
	}
	return openForm(newActionForm(d, "Revoke an approval of "+widget.Safe(id), func(d *Desk, v map[string]string) draft {
		spender, problems := d.who(v, "spender")
		out := draft{problems: problems}
		return out.fill(&cw721.Revoke{Spender: spender, TokenID: id})
	}, field))
}

func burnForm(d *Desk, id string) tea.Cmd {
	return openForm(newActionForm(d, "Burn "+widget.Safe(id), func(*Desk, map[string]string) draft {
		return message(&cw721.Burn{TokenID: id})
	}, widget.Field{Kind: widget.Heading, Label: "The token and its approvals are deleted; the id can be minted again. u undoes it."}))
}

func mintForm(d *Desk) tea.Cmd {
	owner := who(d, "owner", "Owner")
	if name, ok := d.Names[d.Actor]; ok {
		owner.Value = name
	}
	return openForm(newActionForm(d, "Mint a token", func(d *Desk, v map[string]string) draft {
		to, problems := d.who(v, "owner")
		out := draft{problems: problems}
		mint := &cw721.Mint{TokenID: v["token_id"], Owner: to}
		if uri := v["token_uri"]; uri != "" {
			mint.TokenURI = &uri
		}
		return out.fill(mint)
	},
		widget.Field{Name: "token_id", Label: "Token id", Placeholder: "any text"},
		owner,
		widget.Field{Name: "token_uri", Label: "Token URI", Placeholder: "none", Hint: "an absolute URL, like ipfs://bafy…/1.json"},
	))
}

package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// tokenJobs gives what reads the tokens and makes messages for each.
func tokenJobs(ids []string, make func(chain.Token) []job) func(*chain.View) ([]job, error) {
	return func(v *chain.View) (all []job, err error) {
		for _, id := range ids {
			t, ok, err := v.Token(id)
			if err != nil {
				return nil, err
			}
			if ok {
				all = append(all, make(t)...)
			}
		}
		return all, nil
	}
}

func burnMany(d *Desk, ids []string) tea.Cmd {
	return openBatch(d, "Burn "+plural(len(ids), "token"), nil, tokenJobs(ids, func(t chain.Token) []job {
		return []job{{what: t.ID, owner: t.Owner, msg: cw721.Encode(&cw721.Burn{TokenID: t.ID})}}
	}))
}

func revokeMany(d *Desk, ids []string) tea.Cmd {
	call := callOf(d)
	return openBatch(d, "Revoke the approvals of "+plural(len(ids), "token"), nil, tokenJobs(ids, func(t chain.Token) (all []job) {
		for _, a := range t.Approvals {
			all = append(all, revokeJob(call, cw721.Grant{Token: t.ID, Owner: t.Owner, Spender: a.Spender}))
		}
		return all
	}))
}

// callOf gives how accounts are called, for a command.
func callOf(d *Desk) func(cw721.Address) string {
	look := d.look()
	return look.call
}

// revokeJob revokes one approval.
func revokeJob(call func(cw721.Address) string, g cw721.Grant) job {
	return job{
		what: g.Token + " " + themes.GlyphArrow + " " + call(g.Spender) + " (" + call(g.Owner) + "'s)", owner: g.Owner,
		msg: cw721.Encode(&cw721.Revoke{Spender: g.Spender, TokenID: g.Token}),
	}
}

func transferMany(d *Desk, ids []string) tea.Cmd {
	return manyForm(d, "Transfer "+plural(len(ids), "token"), func(d *Desk, v map[string]string, out *draft) func(chain.Token) job {
		to, problems := readAddress(d, v, "recipient")
		out.problems = problems
		call := callOf(d)
		return func(t chain.Token) job {
			return job{what: tokenName(t.ID) + " " + themes.GlyphArrow + " " + call(to), owner: t.Owner, msg: cw721.Encode(&cw721.TransferNft{Recipient: to, TokenID: t.ID})}
		}
	}, ids, who(d, "recipient", "Recipient"))
}

func approveMany(d *Desk, ids []string) tea.Cmd {
	return manyForm(d, "Approve a spender for "+plural(len(ids), "token"), func(d *Desk, v map[string]string, out *draft) func(chain.Token) job {
		spender, problems := readAddress(d, v, "spender")
		out.problems = problems
		expires := readExpiry(d, v, "expires", out)
		call := callOf(d)
		return func(t chain.Token) job {
			return job{what: tokenName(t.ID) + " " + themes.GlyphArrow + " " + call(spender), owner: t.Owner, msg: cw721.Encode(&cw721.Approve{Spender: spender, TokenID: t.ID, Expires: expires})}
		}
	}, ids, who(d, "spender", "Spender"), until("expires"))
}

// manyForm asks what many messages have in common; sending it opens the batch,
// which previews each of them.
func manyForm(d *Desk, title string, each func(*Desk, map[string]string, *draft) func(chain.Token) job, ids []string, fields ...widget.Field) tea.Cmd {
	var make func(chain.Token) job
	f, preview := newActionForm(d, title, func(d *Desk, v map[string]string) draft {
		var out draft
		make = each(d, v, &out)
		return out
	}, fields...)
	f.submit = func(d *Desk) tea.Cmd {
		return openBatch(d, title, nil, tokenJobs(ids, func(t chain.Token) []job { return []job{make(t)} }))
	}
	return openForm(f, preview)
}

package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// tokenJobs gives what reads the tokens and makes messages for each.
func tokenJobs(ids []string, make func(chain.Token) []form.Job) func(*chain.View) ([]form.Job, error) {
	return func(v *chain.View) (all []form.Job, err error) {
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

func burnMany(st *app.State, ids []string) tea.Cmd {
	return form.OpenBatch(st, "Burn "+app.Plural(len(ids), "token"), nil, tokenJobs(ids, func(t chain.Token) []form.Job {
		return []form.Job{{What: t.ID, Owner: t.Owner, Msg: cw721.Encode(&cw721.Burn{TokenID: t.ID})}}
	}))
}

func revokeMany(st *app.State, ids []string) tea.Cmd {
	call := callOf(st)
	return form.OpenBatch(st, "Revoke the approvals of "+app.Plural(len(ids), "token"), nil, tokenJobs(ids, func(t chain.Token) (all []form.Job) {
		for _, a := range t.Approvals {
			all = append(all, form.RevokeJob(call, cw721.Grant{Token: t.ID, Owner: t.Owner, Spender: a.Spender}))
		}
		return all
	}))
}

// callOf gives how accounts are called, for a command.
func callOf(st *app.State) func(cw721.Address) string {
	look := st.RowView()
	return look.Call
}

func transferMany(st *app.State, ids []string) tea.Cmd {
	return manyForm(st, "Transfer "+app.Plural(len(ids), "token"), func(st *app.State, v map[string]string, out *form.Result) func(chain.Token) form.Job {
		to, problems := form.ReadAddress(st, v, "recipient")
		out.Problems = problems
		call := callOf(st)
		return func(t chain.Token) form.Job {
			return form.Job{What: app.TokenName(t.ID) + " " + themes.GlyphArrow + " " + call(to), Owner: t.Owner, Msg: cw721.Encode(&cw721.TransferNft{Recipient: to, TokenID: t.ID})}
		}
	}, ids, form.AccountField(st, "recipient", "Recipient"))
}

func approveMany(st *app.State, ids []string) tea.Cmd {
	return manyForm(st, "Approve a spender for "+app.Plural(len(ids), "token"), func(st *app.State, v map[string]string, out *form.Result) func(chain.Token) form.Job {
		spender, problems := form.ReadAddress(st, v, "spender")
		out.Problems = problems
		expires := form.ReadExpiry(st, v, "expires", out)
		call := callOf(st)
		return func(t chain.Token) form.Job {
			return form.Job{What: app.TokenName(t.ID) + " " + themes.GlyphArrow + " " + call(spender), Owner: t.Owner, Msg: cw721.Encode(&cw721.Approve{Spender: spender, TokenID: t.ID, Expires: expires})}
		}
	}, ids, form.AccountField(st, "spender", "Spender"), form.ExpiryField(st, "expires"))
}

// manyForm asks what many messages have in common; sending it opens the batch,
// which previews each of them.
func manyForm(st *app.State, title string, each func(*app.State, map[string]string, *form.Result) func(chain.Token) form.Job, ids []string, fields ...widget.Field) tea.Cmd {
	var make func(chain.Token) form.Job
	f, preview := form.NewAction(st, title, func(st *app.State, v map[string]string) form.Result {
		var out form.Result
		make = each(st, v, &out)
		return out
	}, fields...)
	f.Submit = func(st *app.State) tea.Cmd {
		return form.OpenBatch(st, title, nil, tokenJobs(ids, func(t chain.Token) []form.Job { return []form.Job{make(t)} }))
	}
	return form.Open(f, preview)
}

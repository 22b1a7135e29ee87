package tokens

import (
	"strconv"

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
	return form.Open(st, form.NewAction(title, func(st *app.State, v map[string]string) form.Result {
		out := form.Result{Said: []widget.Line{widget.In(themes.Muted, "enter shows what will become of each, before anything is sent")}}
		make := each(st, v, &out)
		out.Then = func(st *app.State) tea.Cmd {
			return form.OpenBatch(st, title, nil, tokenJobs(ids, func(t chain.Token) []form.Job { return []form.Job{make(t)} }))
		}
		return out
	}, fields...))
}

// mostMinted is how many tokens one form mints.
const mostMinted = 1000

// mintMany makes the batch that mints as many tokens as was typed, the first as the
// message says and the others under the ids that follow.
func mintMany(st *app.State, out *form.Result, mint cw721.Mint, typed string) form.Result {
	count, err := strconv.Atoi(typed)
	switch last := len(mint.TokenID) - 1; {
	case err != nil || count < 1 || count > mostMinted:
		out.Problems = append(out.Problems, form.Problem{Field: "count", Text: "count: expected a number from 1 to 1,000"})
	case last < 0 || mint.TokenID[last] < '0' || mint.TokenID[last] > '9':
		out.Problems = append(out.Problems, form.Problem{Field: "token_id", Text: "token_id: expected an id that ends in a number, from which the others count on"})
	}
	if len(out.Problems) > 0 {
		return *out
	}
	var jobs []form.Job
	for range count {
		jobs = append(jobs, form.Job{What: app.TokenName(mint.TokenID) + " " + themes.GlyphArrow + " " + st.Call(mint.Owner), Msg: cw721.Encode(&mint)})
		mint.TokenID = nextID(mint.TokenID)
	}
	out.Said = []widget.Line{widget.In(themes.Muted, "enter shows what will become of each, before anything is sent")}
	out.Then = func(st *app.State) tea.Cmd { return form.OpenBatch(st, "Mint "+app.Plural(count, "token"), jobs, nil) }
	return *out
}

// nextID counts the number on in which an id ends, and keeps its digits.
func nextID(id string) string {
	digits := []byte(id)
	i := len(digits) - 1
	for ; i >= 0 && digits[i] >= '0' && digits[i] <= '9'; i-- {
		if digits[i]++; digits[i] <= '9' {
			return string(digits)
		}
		digits[i] = '0'
	}
	return string(digits[:i+1]) + "1" + string(digits[i+1:])
}

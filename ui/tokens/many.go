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
	call := st.RowView().DisplayName
	return form.OpenBatch(st, "Revoke the approvals of "+app.Plural(len(ids), "token"), nil, tokenJobs(ids, func(t chain.Token) (all []form.Job) {
		for _, a := range t.Approvals {
			all = append(all, form.RevokeJob(call, cw721.Grant{Token: t.ID, Owner: t.Owner, Spender: a.Spender}))
		}
		return all
	}))
}

func transferMany(st *app.State, ids []string) tea.Cmd {
	return manyForm(st, "Transfer", ids, readTransfer, form.AccountField(st, "recipient", "Recipient"))
}

func approveMany(st *app.State, ids []string) tea.Cmd {
	return manyForm(st, "Approve a spender for", ids, readApproval, form.AccountField(st, "spender", "Spender"), form.ExpiryField(st, "expires"))
}

// eachShown says that sending a form opens a batch.
var eachShown = []widget.Line{widget.In(themes.Muted, "enter shows what will become of each, before anything is sent")}

// manyForm asks what messages about many tokens have in common; sending it opens the
// batch, which previews each of them.
func manyForm(st *app.State, title string, ids []string, read reader, fields ...widget.Field) tea.Cmd {
	title += " " + app.Plural(len(ids), "token")
	return form.Open(st, form.NewAction(title, func(st *app.State, v map[string]string) form.Result {
		out := form.Result{Said: eachShown}
		who, message := read(st, v, &out)
		called := st.RowView().DisplayName(who)
		out.Then = func(st *app.State) tea.Cmd {
			return form.OpenBatch(st, title, nil, tokenJobs(ids, func(t chain.Token) []form.Job {
				return []form.Job{{What: app.TokenName(t.ID) + " " + themes.GlyphArrow + " " + called, Owner: t.Owner, Msg: cw721.Encode(message(t.ID))}}
			}))
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
		out.Fail("count", "count: expected a number from 1 to 1,000")
	case last < 0 || mint.TokenID[last] < '0' || mint.TokenID[last] > '9':
		out.Fail("token_id", "token_id: expected an id that ends in a number, from which the others count on")
	}
	if len(out.Problems) > 0 {
		return *out
	}
	var jobs []form.Job
	for range count {
		jobs = append(jobs, form.Job{What: app.TokenName(mint.TokenID) + " " + themes.GlyphArrow + " " + st.DisplayName(mint.Owner), Msg: cw721.Encode(&mint)})
		mint.TokenID = nextID(mint.TokenID)
	}
	out.Said = eachShown
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

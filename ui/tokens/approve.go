package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// approvalForm lets a spender transfer a token until an expiry.
var approvalForm = tokenForm{
	title: "Approve a spender for",
	fields: func(state *app.State) []widget.Field {
		return []widget.Field{
			form.AccountField(state, "spender", "Spender"),
			form.ExpiryField(state, "expires"),
		}
	},
	readMessage: func(input *form.Input, tokenID string) cw721.ExecuteMsg {
		return &cw721.Approve{
			Spender: input.ReadAddress("spender"),
			TokenID: tokenID,
			Expires: input.ReadExpiry("expires"),
		}
	},
}

// openRevocation opens the form that revokes one approval of a token. It suggests the
// token's first spender.
func openRevocation(state *app.State, token chain.Token) tea.Cmd {
	spender := form.AccountField(state, "spender", "Spender")
	if len(token.Approvals) > 0 {
		spender.Value = state.InputText(token.Approvals[0].Spender)
	}
	title := form.TokenTitle("Revoke an approval of", token.ID)
	return form.Open(state, form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.Revoke{Spender: input.ReadAddress("spender"), TokenID: token.ID}
	}, spender))
}

// openRevocationBatch opens the dialog that previews, and then sends, a revocation for
// every approval of the tokens.
func openRevocationBatch(state *app.State, ids []string) tea.Cmd {
	title := "Revoke the approvals of " + human.Plural(len(ids), "token")
	displayName := state.RowView().DisplayName
	return openTokenBatch(state, title, ids, func(token chain.Token) (jobs []form.Job) {
		for _, approval := range token.Approvals {
			grant := cw721.Grant{Token: token.ID, Owner: token.Owner, Spender: approval.Spender}
			jobs = append(jobs, form.RevokeJob(displayName, grant))
		}
		return jobs
	})
}

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

// messageReader reads the account of a message from a form, and returns the message
// for any token.
type messageReader func(st *app.State, values map[string]string, out *form.Result) (account cw721.Address, message func(tokenID string) cw721.ExecuteMsg)

func readTransfer(st *app.State, values map[string]string, out *form.Result) (cw721.Address, func(string) cw721.ExecuteMsg) {
	recipient := form.ReadAddress(st, values, "recipient", out)
	return recipient, func(tokenID string) cw721.ExecuteMsg {
		return &cw721.TransferNft{Recipient: recipient, TokenID: tokenID}
	}
}

func readApproval(st *app.State, values map[string]string, out *form.Result) (cw721.Address, func(string) cw721.ExecuteMsg) {
	spender := form.ReadAddress(st, values, "spender", out)
	expires := form.ReadExpiry(st, values, "expires", out)
	return spender, func(tokenID string) cw721.ExecuteMsg {
		return &cw721.Approve{Spender: spender, TokenID: tokenID, Expires: expires}
	}
}

// openTokenForm opens the form of a message about one token.
func openTokenForm(st *app.State, title, tokenID string, read messageReader, fields ...widget.Field) tea.Cmd {
	readMessage := func(st *app.State, values map[string]string, out *form.Result) cw721.ExecuteMsg {
		_, message := read(st, values, out)
		return message(tokenID)
	}
	return form.Open(st, form.NewMessage(form.TokenTitle(title, tokenID), readMessage, fields...))
}

func openTransfer(st *app.State, token chain.Token) tea.Cmd {
	return openTokenForm(st, "Transfer", token.ID, readTransfer, form.AccountField(st, "recipient", "Recipient"))
}

func openApproval(st *app.State, token chain.Token) tea.Cmd {
	spender := form.AccountField(st, "spender", "Spender")
	return openTokenForm(st, "Approve a spender for", token.ID, readApproval, spender, form.ExpiryField(st, "expires"))
}

// openSend opens the form that sends a token to a contract. It suggests the first
// account that is one.
func openSend(st *app.State, token chain.Token) tea.Cmd {
	contract := form.AccountField(st, "contract", "Contract")
	for _, a := range st.Accounts {
		if a.Receiver == chain.ReceiverAccepts || a.Receiver == chain.ReceiverRejects {
			contract.Value = a.Name
			break
		}
	}
	message := widget.Field{
		Name:  "msg",
		Label: "Message",
		Value: "{}",
		Hint:  "what the contract is told; it travels as base64",
	}
	readMessage := func(st *app.State, values map[string]string, out *form.Result) cw721.ExecuteMsg {
		return &cw721.SendNft{
			Contract: form.ReadAddress(st, values, "contract", out),
			TokenID:  token.ID,
			Msg:      []byte(values["msg"]),
		}
	}
	return form.Open(st, form.NewMessage(form.TokenTitle("Send", token.ID)+" to a contract", readMessage, contract, message))
}

// openRevocation opens the form that revokes an approval. It suggests the first
// spender.
func openRevocation(st *app.State, token chain.Token) tea.Cmd {
	spender := form.AccountField(st, "spender", "Spender")
	if len(token.Approvals) > 0 {
		spender.Value = st.InputText(token.Approvals[0].Spender)
	}
	readMessage := func(st *app.State, values map[string]string, out *form.Result) cw721.ExecuteMsg {
		return &cw721.Revoke{Spender: form.ReadAddress(st, values, "spender", out), TokenID: token.ID}
	}
	return form.Open(st, form.NewMessage(form.TokenTitle("Revoke an approval of", token.ID), readMessage, spender))
}

func openBurn(st *app.State, token chain.Token) tea.Cmd {
	heading := widget.Field{Kind: widget.Heading, Label: "It goes, with its approvals; the id can be minted again. u undoes it."}
	message := func(*app.State, map[string]string, *form.Result) cw721.ExecuteMsg {
		return &cw721.Burn{TokenID: token.ID}
	}
	return form.Open(st, form.NewMessage(form.TokenTitle("Burn", token.ID), message, heading))
}

// jobsForTokens returns the function that reads tokens and makes the jobs of a batch
// for each. It skips tokens that are gone.
func jobsForTokens(ids []string, jobsFor func(chain.Token) []form.Job) func(*chain.View) ([]form.Job, error) {
	return func(v *chain.View) (jobs []form.Job, err error) {
		for _, id := range ids {
			token, found, err := v.Token(id)
			if err != nil {
				return nil, err
			}
			if found {
				jobs = append(jobs, jobsFor(token)...)
			}
		}
		return jobs, nil
	}
}

// openBurnBatch opens the batch that burns tokens.
func openBurnBatch(st *app.State, ids []string) tea.Cmd {
	title := "Burn " + app.Plural(len(ids), "token")
	return form.OpenBatch(st, title, nil, jobsForTokens(ids, func(token chain.Token) []form.Job {
		return []form.Job{{
			What:  token.ID,
			Owner: token.Owner,
			Msg:   cw721.Encode(&cw721.Burn{TokenID: token.ID}),
		}}
	}))
}

// openRevocationBatch opens the batch that revokes every approval of tokens.
func openRevocationBatch(st *app.State, ids []string) tea.Cmd {
	title := "Revoke the approvals of " + app.Plural(len(ids), "token")
	displayName := st.RowView().DisplayName
	return form.OpenBatch(st, title, nil, jobsForTokens(ids, func(token chain.Token) (jobs []form.Job) {
		for _, approval := range token.Approvals {
			grant := cw721.Grant{Token: token.ID, Owner: token.Owner, Spender: approval.Spender}
			jobs = append(jobs, form.RevokeJob(displayName, grant))
		}
		return jobs
	}))
}

func openTransferBatch(st *app.State, ids []string) tea.Cmd {
	return openBatchForm(st, "Transfer", ids, readTransfer, form.AccountField(st, "recipient", "Recipient"))
}

func openApprovalBatch(st *app.State, ids []string) tea.Cmd {
	spender := form.AccountField(st, "spender", "Spender")
	return openBatchForm(st, "Approve a spender for", ids, readApproval, spender, form.ExpiryField(st, "expires"))
}

// batchFollows says that submitting a form opens a batch.
var batchFollows = []widget.Line{widget.In(themes.Muted, "enter shows what will become of each, before anything is sent")}

// openBatchForm opens the form of what messages about several tokens have in common.
// Submitting it opens the batch, which previews each message.
func openBatchForm(st *app.State, title string, ids []string, read messageReader, fields ...widget.Field) tea.Cmd {
	title += " " + app.Plural(len(ids), "token")
	return form.Open(st, form.NewAction(title, func(st *app.State, values map[string]string) form.Result {
		out := form.Result{Said: batchFollows}
		account, message := read(st, values, &out)
		name := st.RowView().DisplayName(account)
		jobs := jobsForTokens(ids, func(token chain.Token) []form.Job {
			return []form.Job{{
				What:  app.TokenName(token.ID) + " " + themes.GlyphArrow + " " + name,
				Owner: token.Owner,
				Msg:   cw721.Encode(message(token.ID)),
			}}
		})
		out.Then = func(st *app.State) tea.Cmd { return form.OpenBatch(st, title, nil, jobs) }
		return out
	}, fields...))
}

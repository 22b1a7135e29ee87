package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// messageReader reads the fields of a form. The form's message names one account, such as
// the recipient of a transfer, and one token. A messageReader returns the account, and a
// function that makes the message for a token, so that one form serves several tokens.
type messageReader func(*form.Input) (account cw721.Address, messageFor messageMaker)

// messageMaker makes the message of a form for one token.
type messageMaker func(tokenID string) cw721.ExecuteMsg

// readTransfer reads the form of a transfer. It returns the recipient, and a function
// that makes the message for a token. It is a [messageReader].
func readTransfer(input *form.Input) (recipient cw721.Address, messageFor messageMaker) {
	recipient = input.ReadAddress("recipient")
	return recipient, func(tokenID string) cw721.ExecuteMsg {
		return &cw721.TransferNft{Recipient: recipient, TokenID: tokenID}
	}
}

// readApproval reads the form of an approval. It returns the spender, and a function that
// makes the message for a token. It is a [messageReader].
func readApproval(input *form.Input) (spender cw721.Address, messageFor messageMaker) {
	spender = input.ReadAddress("spender")
	expires := input.ReadExpiry("expires")
	return spender, func(tokenID string) cw721.ExecuteMsg {
		return &cw721.Approve{Spender: spender, TokenID: tokenID, Expires: expires}
	}
}

// openTokenForm opens a form that sends one message about one token. The title is
// completed with the token: "Transfer" becomes "Transfer ape-0001".
func openTokenForm(
	state *app.State,
	title, tokenID string,
	readFields messageReader,
	fields ...widget.Field,
) tea.Cmd {
	title = form.TokenTitle(title, tokenID)
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		_, messageFor := readFields(input)
		return messageFor(tokenID)
	}
	return form.Open(state, form.NewMessage(title, readMessage, fields...))
}

// openTransfer opens the form that gives a token to another owner.
func openTransfer(state *app.State, token chain.Token) tea.Cmd {
	recipient := form.AccountField(state, "recipient", "Recipient")
	return openTokenForm(state, "Transfer", token.ID, readTransfer, recipient)
}

// openApproval opens the form that lets a spender transfer a token until an expiry.
func openApproval(state *app.State, token chain.Token) tea.Cmd {
	spender := form.AccountField(state, "spender", "Spender")
	expires := form.ExpiryField(state, "expires")
	return openTokenForm(state, "Approve a spender for", token.ID, readApproval, spender, expires)
}

// openSend opens the form that sends a token to a contract, together with a message for
// that contract. It suggests the first account of the address book that is a contract.
func openSend(state *app.State, token chain.Token) tea.Cmd {
	contract := form.AccountField(state, "contract", "Contract")

	// Suggest a contract, since only a contract takes tokens.
	for _, account := range state.Accounts {
		if account.Receiver == chain.ReceiverAccepts || account.Receiver == chain.ReceiverRejects {
			contract.Value = account.Name
			break
		}
	}
	message := widget.Field{
		Name:  "msg",
		Label: "Message",
		Value: "{}",
		Hint:  "the message for the contract; it is sent as base64",
	}
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.SendNft{
			Contract: input.ReadAddress("contract"),
			TokenID:  token.ID,
			Msg:      []byte(input.Values["msg"]),
		}
	}
	title := form.TokenTitle("Send", token.ID) + " to a contract"
	return form.Open(state, form.NewMessage(title, readMessage, contract, message))
}

// openRevocation opens the form that revokes one approval of a token. It suggests the
// token's first spender.
func openRevocation(state *app.State, token chain.Token) tea.Cmd {
	spender := form.AccountField(state, "spender", "Spender")
	if len(token.Approvals) > 0 {
		spender.Value = state.InputText(token.Approvals[0].Spender)
	}
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.Revoke{Spender: input.ReadAddress("spender"), TokenID: token.ID}
	}
	title := form.TokenTitle("Revoke an approval of", token.ID)
	return form.Open(state, form.NewMessage(title, readMessage, spender))
}

// openBurn opens the form that destroys a token.
func openBurn(state *app.State, token chain.Token) tea.Cmd {
	heading := widget.Field{
		Kind:  widget.Heading,
		Label: "The token and its approvals are removed; the id can be minted again. u undoes it.",
	}
	message := func(*form.Input) cw721.ExecuteMsg { return &cw721.Burn{TokenID: token.ID} }
	title := form.TokenTitle("Burn", token.ID)
	return form.Open(state, form.NewMessage(title, message, heading))
}

// openTokenBatch opens the dialog that previews, and then sends, the messages that jobsOfToken
// makes for each token. A job is one message with a line that describes it. Tokens that no
// longer exist are left out.
func openTokenBatch(
	state *app.State,
	title string,
	ids []string,
	jobsOfToken func(chain.Token) []form.Job,
) tea.Cmd {
	var jobs []form.Job
	readTokens := func(view *chain.View) error {
		for _, id := range ids {
			token, exists, err := view.Token(id)
			if err != nil {
				return err
			}
			if exists {
				jobs = append(jobs, jobsOfToken(token)...)
			}
		}
		return nil
	}
	return app.ReadThen(state, readTokens, func() tea.Cmd { return form.OpenBatch(state, title, jobs, false) })
}

// openBurnBatch opens the dialog that previews, and then sends, a burn for each token.
func openBurnBatch(state *app.State, ids []string) tea.Cmd {
	title := "Burn " + app.Plural(len(ids), "token")
	burn := func(token chain.Token) []form.Job {
		return []form.Job{{
			Description: human.TokenID(token.ID),
			Owner:       token.Owner,
			Msg:         cw721.Encode(&cw721.Burn{TokenID: token.ID}),
		}}
	}
	return openTokenBatch(state, title, ids, burn)
}

// openRevocationBatch opens the dialog that previews, and then sends, a revocation for
// every approval of the tokens.
func openRevocationBatch(state *app.State, ids []string) tea.Cmd {
	title := "Revoke the approvals of " + app.Plural(len(ids), "token")
	displayName := state.RowView().DisplayName
	revokeAll := func(token chain.Token) (jobs []form.Job) {
		for _, approval := range token.Approvals {
			grant := cw721.Grant{Token: token.ID, Owner: token.Owner, Spender: approval.Spender}
			jobs = append(jobs, form.RevokeJob(displayName, grant))
		}
		return jobs
	}
	return openTokenBatch(state, title, ids, revokeAll)
}

// openTransferBatch opens the form that gives several tokens to one new owner.
func openTransferBatch(state *app.State, ids []string) tea.Cmd {
	recipient := form.AccountField(state, "recipient", "Recipient")
	return openBatchForm(state, "Transfer", ids, readTransfer, recipient)
}

// openApprovalBatch opens the form that approves one spender for several tokens.
func openApprovalBatch(state *app.State, ids []string) tea.Cmd {
	spender := form.AccountField(state, "spender", "Spender")
	expires := form.ExpiryField(state, "expires")
	return openBatchForm(state, "Approve a spender for", ids, readApproval, spender, expires)
}

// batchNotice is shown in a form that does not send a message itself: submitting it opens
// the preview of a batch of messages.
var batchNotice = []widget.Line{widget.Muted("enter previews each message before anything is sent")}

// openBatchForm opens a form for several messages, one for each token. The form asks for
// what the messages have in common, such as the recipient. Submitting it opens the dialog
// that previews each message, on a line such as "ape-0001 → bob", and sends them all when
// the user agrees.
func openBatchForm(
	state *app.State,
	title string,
	ids []string,
	readFields messageReader,
	fields ...widget.Field,
) tea.Cmd {
	title += " " + app.Plural(len(ids), "token")
	makeResult := func(state *app.State, values map[string]string) form.Result {
		input := &form.Input{State: state, Values: values, Result: form.Result{Effect: batchNotice}}
		account, messageFor := readFields(input)
		accountName := state.RowView().DisplayName(account)
		jobsOfToken := func(token chain.Token) []form.Job {
			return []form.Job{{
				Description: human.TokenID(token.ID) + " " + themes.GlyphArrow + " " + accountName,
				Owner:       token.Owner,
				Msg:         cw721.Encode(messageFor(token.ID)),
			}}
		}
		input.Then = func(state *app.State) tea.Cmd { return openTokenBatch(state, title, ids, jobsOfToken) }
		return input.Result
	}
	return form.Open(state, form.NewAction(title, makeResult, fields...))
}

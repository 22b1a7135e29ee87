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

// openTokenForm opens a form that sends one message about one token. The title is
// completed with the token: "Transfer" becomes "Transfer ape-0001".
func openTokenForm(
	state *app.State,
	title, tokenID string,
	readMessage func(input *form.Input, tokenID string) cw721.ExecuteMsg,
	fields ...widget.Field,
) tea.Cmd {
	return form.Open(state, form.NewMessage(form.TokenTitle(title, tokenID),
		func(input *form.Input) cw721.ExecuteMsg { return readMessage(input, tokenID) },
		fields...))
}

// batchNotice is shown in a form that does not send a message itself: submitting it opens
// the preview of a batch of messages.
var batchNotice = []widget.Line{widget.Muted("enter previews each message before anything is sent")}

// openBatchForm opens a form for what the messages about several tokens have in common, the
// account in the first field. Submitting it opens the dialog that previews each message, on a
// line such as "ape-0001 → bob", and sends them all when the user agrees.
func openBatchForm(
	state *app.State,
	title string,
	ids []string,
	readMessage func(input *form.Input, tokenID string) cw721.ExecuteMsg,
	fields ...widget.Field,
) tea.Cmd {
	title += " " + human.Plural(len(ids), "token")
	return form.Open(state, form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		readMessage(input, "") // finds what is wrong in the fields
		input.Effect = batchNotice
		input.Then = func(state *app.State) tea.Cmd {
			batchInput := &form.Input{State: state, Values: input.Values} // for the goroutine that reads the tokens
			accountName := state.RowView().DisplayName(batchInput.ReadAddress(fields[0].Name))
			return openTokenBatch(state, title, ids, func(token chain.Token) []form.Job {
				return []form.Job{{
					Description: human.TokenID(token.ID) + " " + themes.GlyphArrow + " " + accountName,
					Owner:       token.Owner,
					Msg:         cw721.Encode(readMessage(batchInput, token.ID)),
				}}
			})
		}
		return nil
	}, fields...))
}

// openTokenBatch opens the dialog that previews, and then sends, the messages that jobsOfToken
// makes for each token. Tokens that no longer exist are left out.
func openTokenBatch(
	state *app.State,
	title string,
	ids []string,
	jobsOfToken func(chain.Token) []form.Job,
) tea.Cmd {
	var jobs []form.Job
	return app.ReadThen(state, func(view *chain.View) error {
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
	}, func() tea.Cmd { return form.OpenBatch(state, title, jobs, false) })
}

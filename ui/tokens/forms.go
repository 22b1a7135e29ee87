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

// tokenForm is the form of a message about a token, which can also be sent about several tokens
// at once.
type tokenForm struct {
	title       string                          // such as "Transfer", to which the token is added
	fields      func(*app.State) []widget.Field // the account first
	readMessage func(input *form.Input, tokenID string) cw721.ExecuteMsg
}

// open opens the form for one token.
func (f tokenForm) open(state *app.State, token chain.Token) tea.Cmd {
	title := form.TokenTitle(f.title, token.ID)
	return form.Open(state, form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		return f.readMessage(input, token.ID)
	}, f.fields(state)...))
}

// batchNotice is shown in a form that does not send a message itself: submitting it opens
// the preview of a batch of messages.
var batchNotice = []widget.Line{widget.Muted("enter previews each message before anything is sent")}

// openBatch opens the form for what the messages about several tokens have in common.
// Submitting it opens the dialog that previews each message, on a line such as "ape-0001 →
// bob", and sends them all when the user agrees.
func (f tokenForm) openBatch(state *app.State, ids []string) tea.Cmd {
	title := f.title + " " + human.Plural(len(ids), "token")
	fields := f.fields(state)
	return form.Open(state, form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		f.readMessage(input, "") // finds what is wrong in the fields
		input.Effect = batchNotice
		input.Then = func(state *app.State) tea.Cmd {
			batchInput := &form.Input{State: state, Values: input.Values} // for the goroutine that reads the tokens
			accountName := state.RowView().DisplayName(batchInput.ReadAddress(fields[0].Name))
			return openTokenBatch(state, title, ids, func(token chain.Token) []form.Job {
				return []form.Job{{
					Description: human.TokenID(token.ID) + " " + themes.GlyphArrow + " " + accountName,
					Owner:       token.Owner,
					Msg:         cw721.Encode(f.readMessage(batchInput, token.ID)),
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

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

// openBurn opens the form that destroys a token.
func openBurn(state *app.State, token chain.Token) tea.Cmd {
	heading := widget.Field{
		Kind:  widget.Heading,
		Label: "The token and its approvals are removed; the id can be minted again. u undoes it.",
	}
	title := form.TokenTitle("Burn", token.ID)
	return form.Open(state, form.NewMessage(title, func(*form.Input) cw721.ExecuteMsg {
		return &cw721.Burn{TokenID: token.ID}
	}, heading))
}

// openBurnBatch opens the dialog that previews, and then sends, a burn for each token.
func openBurnBatch(state *app.State, ids []string) tea.Cmd {
	title := "Burn " + human.Plural(len(ids), "token")
	return openTokenBatch(state, title, ids, func(token chain.Token) []form.Job {
		return []form.Job{{
			Description: human.TokenID(token.ID),
			Owner:       token.Owner,
			Msg:         cw721.Encode(&cw721.Burn{TokenID: token.ID}),
		}}
	})
}

package ask

import (
	"bufio"
	"cmp"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// tokenAccess is who may do what with a token in the current block, in JSON.
type tokenAccess struct {
	TokenID   string          `wire:"token_id"`
	Block     answer.Block    `wire:"block"`
	Owner     cw721.Address   `wire:"owner"`
	OwnerName string          `wire:"owner_name,optional"`
	Accounts  []accountAccess `wire:"accounts"` // the owner first
}

// accountAccess is what one account may do with a token, in JSON.
type accountAccess struct {
	Address cw721.Address     `wire:"address"`
	Name    string            `wire:"name,optional"`
	Actions []string          `wire:"actions"`       // such as "transfer"
	Rule    cw721.Rule        `wire:"rule,optional"` // the rule that permits the first action
	Expires *cw721.Expiration `wire:"expires"`       // of the grant; nil if it needs none
	Text    string            `wire:"text"`          // the reasons in a few words
}

// answerWhoMay prints what each account with a permission over a token may do with it. If there
// is no such token, but token is the name of an action, the user has probably forgotten --as,
// and the error says that. Otherwise it is a [*cw721.Error] of kind not_found.
func answerWhoMay(app *command.App, view *chain.View, token string) error {
	holders, err := explain.Holders(view, token)
	if err != nil {
		return err
	}
	if len(holders) == 0 {
		_, err := explain.AccessTo(view, "", token) // fails with the error of the contract
		refusal := cw721.AsError(err)
		_, isAction := cw721.ActionNamed(token)
		if isAction && refusal != nil && refusal.Kind == cw721.KindNotFound {
			_, err = command.Resolve(view, "--as", "")
		}
		return err
	}

	jsonAccess := tokenAccess{
		TokenID:   token,
		Block:     answer.BlockOf(view.Clock.Block()),
		Owner:     holders[0],
		OwnerName: view.NameOf(holders[0]),
	}
	for _, holder := range holders {
		access, err := explain.AccessTo(view, holder, token)
		if err != nil {
			return err
		}
		actions := append([]string{}, access.Actions...) // [] and not null
		jsonAccess.Accounts = append(jsonAccess.Accounts, accountAccess{
			Address: holder,
			Name:    view.NameOf(holder),
			Actions: actions,
			Rule:    access.Rule,
			Expires: access.Until,
			Text:    access.Reason,
		})
	}
	return app.AnswerOr(jsonAccess, func(w *bufio.Writer) { jsonAccess.write(w, view) })
}

// write writes the block and the owner, and then a line for each account, such as
// "bob  transfer, burn (approval until height 1,110)".
func (t tokenAccess) write(w *bufio.Writer, view *chain.View) {
	height := human.Thousands(uint64(view.Clock.Height))
	owner := widget.Safe(view.DisplayName(t.Owner))
	fmt.Fprintf(w, "height %s · %s UTC · owned by %s\n", height, human.Time(view.Clock.Time), owner) // Flush returns its error

	// Make the names equally wide, so that the actions are below each other.
	nameCells := 0
	for _, account := range t.Accounts {
		name := widget.Safe(view.DisplayName(account.Address))
		nameCells = max(nameCells, widget.Width(name))
	}
	for _, account := range t.Accounts {
		name := widget.Safe(view.DisplayName(account.Address))
		actions := cmp.Or(command.JoinNames(account.Actions), "nothing")
		fmt.Fprintf(w, "  %s  %s (%s)\n", widget.Fit(name, nameCells), actions, widget.Safe(account.Text))
	}
}

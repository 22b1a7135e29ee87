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

// answerWhoMay prints who may do what with a token. If there is no such token, but token is
// the name of an action, the user has probably forgotten --as. Then answerWhoMay fails with
// the error about the missing flag.
func answerWhoMay(app *command.App, view *chain.View, token string) error {
	access, err := tokenAccessOf(view, token)
	refusal := cw721.AsError(err)
	isMissingToken := refusal != nil && refusal.Kind == cw721.KindNotFound
	_, isAction := cw721.ActionNamed(token)
	if isMissingToken && isAction {
		_, missingFlag := command.Resolve(view, "--as", "")
		return missingFlag
	}
	if err != nil {
		return err
	}
	return app.AnswerOr(access, func(w *bufio.Writer) { access.write(w, view) })
}

// tokenAccessOf returns what each account with a permission over a token may do with it. It
// fails with a [*cw721.Error] of kind not_found if there is no such token.
func tokenAccessOf(view *chain.View, token string) (tokenAccess, error) {
	holders, err := explain.Holders(view, token)
	if err != nil {
		return tokenAccess{}, err
	}
	if len(holders) == 0 {
		// There is no such token. AccessTo then fails with the error of the contract.
		_, err := explain.AccessTo(view, "", token)
		return tokenAccess{}, err
	}

	jsonAccess := tokenAccess{
		TokenID:   token,
		Block:     answer.BlockOf(view.Clock.Block()),
		Owner:     holders[0],
		OwnerName: view.NameOf(holders[0]),
	}

	// Ask the contract about each account.
	for _, holder := range holders {
		access, err := explain.AccessTo(view, holder, token)
		if err != nil {
			return tokenAccess{}, err
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
	return jsonAccess, nil
}

// write prints the block and the owner, and then a line for each account, such as
// "bob  transfer, burn (approval until height 1,110)".
func (t tokenAccess) write(w *bufio.Writer, view *chain.View) {
	height := human.Thousands(uint64(view.Clock.Height))
	owner := widget.Safe(view.DisplayName(t.Owner))

	// Flush returns the errors of w.
	fmt.Fprintf(w, "height %s · %s UTC · owned by %s\n", height, human.Time(view.Clock.Time), owner)

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

package ask

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// tokenAccess is who may do what with a token in the current block.
type tokenAccess struct {
	TokenID   string          `wire:"token_id"`
	Block     answer.Block    `wire:"block"`
	Owner     cw721.Address   `wire:"owner"`
	OwnerName string          `wire:"owner_name,optional"`
	Accounts  []accountAccess `wire:"accounts"` // the owner first
}

// accountAccess is what one account may do with a token.
type accountAccess struct {
	Address cw721.Address     `wire:"address"`
	Name    string            `wire:"name,optional"`
	Actions []string          `wire:"actions"`
	Rule    cw721.Rule        `wire:"rule,optional"`
	Expires *cw721.Expiration `wire:"expires"`
	Text    string            `wire:"text"`
}

// answerWhoMay prints who may do what with a token. An action's name that is no
// token's id is a decision without --as, and bad usage.
func answerWhoMay(a *command.App, v *chain.View, token string) error {
	access, err := tokenAccessOf(v, token)
	if refusal := cw721.AsError(err); refusal != nil && refusal.Kind == cw721.KindNotFound {
		if _, isAction := cw721.ActionNamed(token); isAction {
			_, err = command.Resolve(v, "--as", "")
		}
	}
	if err != nil {
		return err
	}
	return a.AnswerOr(access, func(w *bufio.Writer) { access.write(w, v) })
}

// tokenAccessOf decides for each holder of a permission over a token what it may do.
// It fails with a [*cw721.Error] of kind not_found if there is no such token.
func tokenAccessOf(v *chain.View, token string) (tokenAccess, error) {
	holders, err := explain.Holders(v, token)
	if err != nil {
		return tokenAccess{}, err
	}
	if len(holders) == 0 {
		_, err := explain.AccessTo(v, "", token)
		return tokenAccess{}, err
	}

	out := tokenAccess{
		TokenID:   token,
		Block:     answer.BlockOf(v.Clock.Block()),
		Owner:     holders[0],
		OwnerName: v.NameOf(holders[0]),
	}
	for _, holder := range holders {
		access, err := explain.AccessTo(v, holder, token)
		if err != nil {
			return tokenAccess{}, err
		}
		out.Accounts = append(out.Accounts, accountAccess{
			Address: holder,
			Name:    v.NameOf(holder),
			Actions: append([]string{}, access.Actions...), // [] and not null
			Rule:    access.By,
			Expires: access.Until,
			Text:    access.Because,
		})
	}
	return out, nil
}

// write prints the block and the owner, and then a line for each account, such as
// "bob  transfer, burn (approval until height 1,110)".
func (t tokenAccess) write(w *bufio.Writer, v *chain.View) {
	block := v.Clock.Block()
	owner := widget.Safe(v.DisplayName(t.Owner))
	fmt.Fprintf(w, "height %s · %s UTC · owned by %s\n", chain.Thousands(uint64(block.Height)), chain.UTC(block.Time), owner) // Flush gives its error

	nameCells := 0
	for _, account := range t.Accounts {
		nameCells = max(nameCells, widget.Width(widget.Safe(v.DisplayName(account.Address))))
	}
	for _, account := range t.Accounts {
		name := widget.Fit(widget.Safe(v.DisplayName(account.Address)), nameCells)
		actions := cmp.Or(strings.Join(account.Actions, ", "), "nothing")
		fmt.Fprintf(w, "  %s  %s (%s)\n", name, actions, widget.Safe(account.Text))
	}
}

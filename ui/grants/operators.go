package grants

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// NewOperators makes the screen of who may act for whom.
func NewOperators() *Screen {
	return newScreen(kindOfGrants{
		Tab: app.NewTab(app.KindOperators, "Operators"), kind: cw721.GrantOperator,
		empty: "no operators: o grants one", none: "no operator is under the cursor",
		views: []grantView{ // the orders that an index can serve
			{"all operators, soonest to expire first", expiry.List{Index: expiry.Index{Operators: true}}, 4},
			{"all operators, by owner", expiry.List{Index: expiry.Index{Operators: true}, Order: expiry.ByOwner}, 2},
			{"all operators, by operator", expiry.List{Index: expiry.Index{Operators: true}, Order: expiry.BySpender}, 1},
		},
		columns: func(times app.TimeForm) []widget.Column {
			return append([]widget.Column{
				{Title: "", Width: 1},
				{Title: "OPERATOR", Width: 8, Flex: 2},
				{Title: "ACTS FOR", Width: 8, Flex: 2},
				{Title: "TOKENS", Width: 7, Right: true, Drop: 1},
			}, expiryColumns(times)...)
		},
		cells: operatorCells, commands: operatorCommands,
		subject: func(e expiry.Entry) app.Subject {
			return app.Subject{Account: e.Spender, Giver: e.Owner, Expires: e.Expires}
		},
		sorts: "Sort by expiry, by owner or by operator", find: "Show the operators of, or given to, an account",
	})
}

// operatorCells counts the owner's tokens too: over so many the operator has a
// say now.
func operatorCells(l app.RowView, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
	n, err := v.Holdings(e.Owner)
	return expiryCells(l, v, e, l.DisplayName(e.Spender), l.DisplayName(e.Owner), chain.Thousands(uint64(n))), err
}

// operatorCommands are those on the grant under the cursor, and granting anew.
func operatorCommands(_ *Screen, st *app.State, e expiry.Entry, on func(app.Command) app.Command) []app.Command {
	return []app.Command{
		app.Here("o", "grant", "Grant an operator", func() tea.Cmd { return OperatorForm(st, app.OperatorFormMsg{What: app.GrantOperator}) }, "o"),
		on(app.Here("p", "extend", "Extend or change this operator", func() tea.Cmd {
			return asOwner(st, app.OperatorFormMsg{What: app.ExtendOperator, Entry: e})
		}, "p")),
		on(app.Here("enter", "go to tokens", "Go to the tokens that this operator acts for", func() tea.Cmd {
			return app.GoTo(app.KindTokens, app.ShowTokenMsg{Filter: "owner:" + st.Typed(e.Owner)})
		}, "enter")),
		on(app.Here("r", "revoke", "Revoke this operator", func() tea.Cmd {
			return asOwner(st, app.OperatorFormMsg{What: app.RevokeOperator, Entry: e})
		}, "O", "r", "D")),
	}
}

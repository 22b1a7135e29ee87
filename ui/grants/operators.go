package grants

import (
	"cmp"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// NewOperators returns the screen of all operators of the collection.
func NewOperators() *Screen {
	operators := expiry.Index{Operators: true}
	return newScreen(grantKind{
		Tab:       app.NewTab(app.KindOperators, "Operators"),
		kind:      cw721.GrantOperator,
		emptyText: "no operators: o grants one",
		noRowText: "no operator is under the cursor",
		views: []grantView{
			{title: "all operators, soonest to expire first", list: expiry.List{Index: operators}, column: 4},
			{title: "all operators, by owner", list: expiry.List{Index: operators, Order: expiry.ByOwner}, column: 2},
			{title: "all operators, by operator", list: expiry.List{Index: operators, Order: expiry.BySpender}, column: 1},
		},
		expiryColumn: 4,
		columns:      operatorColumns,
		cells:        operatorCells,
		commands:     operatorCommands,
		subject: func(e expiry.Entry) app.Subject {
			return app.Subject{Account: e.Spender, Giver: e.Owner, Expires: e.Expires}
		},
		sortName: "Sort by expiry, by owner or by operator",
		showName: "Show the operators of, or given to, an account",
	})
}

func operatorColumns(times app.TimeForm) []widget.Column {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "OPERATOR", Width: 8, Flex: 2},
		{Title: "ACTS FOR", Width: 8, Flex: 2},
		{Title: "TOKENS", Width: 7, AlignRight: true, Drop: 1},
	}
	return append(columns, expiryColumns(times)...)
}

// operatorCells includes the number of tokens that the operator's owner holds now.
func operatorCells(look app.RowView, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
	holdings, err := v.Holdings(e.Owner)
	texts := []string{look.DisplayName(e.Spender), look.DisplayName(e.Owner), human.Thousands(uint64(holdings))}
	return grantCells(look, v, e, texts), err
}

// operatorCommands lists the commands of the operator under the cursor, and the one
// that grants another.
func operatorCommands(_ *Screen, st *app.State, e expiry.Entry, forRow func(app.Command) app.Command) []app.Command {
	grant := func() tea.Cmd {
		return OperatorForm(st, app.OperatorFormMsg{Action: app.GrantOperator})
	}
	extend := func() tea.Cmd {
		return openAsOwner(st, app.OperatorFormMsg{Action: app.ExtendOperator, Entry: e})
	}
	showTokens := func() tea.Cmd {
		return app.GoTo(app.KindTokens, app.ShowTokenMsg{Filter: "owner:" + st.InputText(e.Owner)})
	}
	revoke := func() tea.Cmd {
		return openAsOwner(st, app.OperatorFormMsg{Action: app.RevokeOperator, Entry: e})
	}
	return []app.Command{
		app.ScreenCommand("o", "grant", "Grant an operator", grant, "o"),
		forRow(app.ScreenCommand("p", "extend", "Extend or change this operator", extend, "p")),
		forRow(app.ScreenCommand("enter", "go to tokens", "Go to the tokens that this operator acts for", showTokens, "enter")),
		forRow(app.ScreenCommand("r", "revoke", "Revoke this operator", revoke, "O", "r", "D")),
	}
}

// openAsOwner opens a form about an owner's operator. approve_all and revoke_all
// change the sender's own list (spec §5), so an actor who is not the owner is first
// asked whether to act as the owner.
func openAsOwner(st *app.State, msg app.OperatorFormMsg) tea.Cmd {
	owner := msg.Entry.Owner
	if owner == st.Actor {
		return OperatorForm(st, msg)
	}

	ownerName := widget.Safe(st.DisplayName(owner))
	actorName := widget.Safe(st.DisplayName(st.Actor))
	text := fmt.Sprintf("The operators of %s are theirs alone to change: the message acts on the list of whoever sends it, and you act as %s.", ownerName, actorName)
	question := form.NewConfirm("Not your operator", text, "Act as "+ownerName, func() tea.Cmd {
		actAsOwner := func() tea.Msg { return app.ActAsMsg{Address: owner} }
		return tea.Sequence(actAsOwner, OperatorForm(st, msg))
	})
	question.OnYes = true // the user can act as somebody else again
	return app.OpenDialog(question)
}

// OperatorForm returns the command that opens the form about an operator. The form
// says how many tokens the owner holds, or the actor if no owner is given.
func OperatorForm(st *app.State, msg app.OperatorFormMsg) tea.Cmd {
	owner := cmp.Or(msg.Entry.Owner, st.Actor)
	holdings := 0
	return app.ReadThen(st, func(v *chain.View) (err error) {
		holdings, err = v.Holdings(owner)
		return err
	}, func() tea.Cmd { return openOperatorForm(st, msg, holdings) })
}

// openOperatorForm opens the form for a sender who holds so many tokens.
func openOperatorForm(st *app.State, msg app.OperatorFormMsg, holdings int) tea.Cmd {
	scope := fmt.Sprintf("For all that the sender owns; %s owns %s now", st.DisplayName(st.Actor), app.Plural(holdings, "token"))
	heading := widget.Field{Kind: widget.Heading, Label: scope}
	operator := form.AccountField(st, "operator", "Operator")
	if msg.Entry.Spender != "" {
		operator.Value = st.InputText(msg.Entry.Spender)
	}
	if msg.Action == app.RevokeOperator {
		return form.Open(st, form.NewMessage("Revoke an operator", readRevokeAll, heading, operator))
	}

	title := "Grant an operator"
	expires := form.ExpiryField(st, "expires")
	if msg.Action == app.ExtendOperator {
		title = "Change an operator"
		expires.Value = form.FormatExpiry(msg.Entry.Expires)
	}
	grant := form.NewMessage(title, readApproveAll, heading, operator, expires)
	if msg.Entry.Spender != "" {
		grant.Form.Focus("expires")
	}
	return form.Open(st, grant)
}

func readRevokeAll(st *app.State, values map[string]string, out *form.Result) cw721.ExecuteMsg {
	return &cw721.RevokeAll{Operator: form.ReadAddress(st, values, "operator", out)}
}

func readApproveAll(st *app.State, values map[string]string, out *form.Result) cw721.ExecuteMsg {
	operator := form.ReadAddress(st, values, "operator", out)
	if operator == st.Actor && operator != "" {
		out.Note("operator", widget.In(themes.Muted, "an owner needs no operator to act for itself, but it is allowed"))
	}
	return &cw721.ApproveAll{Operator: operator, Expires: form.ReadExpiry(st, values, "expires", out)}
}

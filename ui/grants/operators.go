package grants

import (
	"cmp"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// NewOperators returns the screen of all operators of the collection. An operator may act
// on every token of an owner. The screen can list operators in the order of expiry, by
// risk, by owner or by operator.
func NewOperators() *Screen {
	operators := expiry.Index{Operators: true}
	return newScreen(grantKind{
		Tab:       app.NewTab(app.KindOperators, "Operators"),
		kind:      cw721.GrantOperator,
		emptyText: "no operators: o grants one",
		noRowText: "no operator is under the cursor",
		views: []grantView{
			{title: "soonest to expire first", list: expiry.List{Index: operators}, column: 4},
			{title: "by risk: without expiry, then the longest", list: expiry.List{Index: operators, Order: expiry.ByRisk}, column: 5},
			{title: "by owner", list: expiry.List{Index: operators, Order: expiry.ByOwner}, column: 2},
			{title: "by operator", list: expiry.List{Index: operators, Order: expiry.BySpender}, column: 1},
		},
		expiryColumn: 4,
		columns:      operatorColumns,
		cells:        operatorCells,
		commands:     operatorCommands,
		sortName:     "Sort by expiry, by risk, by owner or by operator",
		otherKind:    app.KindApprovals,
		otherName:    "approvals",
	})
}

// operatorColumns returns the columns of the list of operators. times is the form in which
// the user sees expiries; it decides how wide their column is.
func operatorColumns(times app.TimeForm) []widget.Column {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "OPERATOR", Width: 8, Flex: 2, HoldsAddresses: true},
		{Title: "ACTS FOR", Width: 8, Flex: 2, HoldsAddresses: true},
		{Title: "TOKENS", Width: 7, AlignRight: true, Drop: 1},
	}
	return append(columns, expiryColumns(times)...)
}

// operatorCells returns the cells of an operator's row, for [operatorColumns]. One is the
// number of tokens that the owner holds now, all of which the operator may move.
func operatorCells(rowView app.RowView, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
	holdings, err := v.Holdings(e.Owner)
	texts := []string{rowView.AccountCell(e.Spender), rowView.AccountCell(e.Owner), human.Thousands(uint64(holdings))}
	return grantCells(rowView, v, e, texts), err
}

// grantOperatorCommand returns the command that opens the form for a new operator.
func grantOperatorCommand(st *app.State) app.Command {
	return app.ScreenCommand("o", "grant", "Grant an operator", func() tea.Cmd {
		return OperatorForm(st, app.OperatorFormMsg{Action: app.GrantOperator})
	})
}

// operatorCommands returns the commands that extend or revoke the operator under the
// cursor, or show its tokens. Revoke works on the selected operators if there are any.
func operatorCommands(st *app.State, e expiry.Entry, selected []expiry.Entry) []app.Command {
	extend := func() tea.Cmd {
		return openAsOwner(st, app.OperatorFormMsg{Action: app.ExtendOperator, Entry: e})
	}
	showTokens := func() tea.Cmd {
		return app.GoTo(app.KindTokens, app.ShowTokenMsg{Filter: "owner:" + st.InputText(e.Owner)})
	}
	label := "revoke"
	name := "Revoke this operator"
	revoke := func() tea.Cmd {
		return openAsOwner(st, app.OperatorFormMsg{Action: app.RevokeOperator, Entry: e})
	}
	if len(selected) > 0 {
		label = "revoke them"
		name = fmt.Sprintf("Revoke the %d selected operators", len(selected))
		revoke = func() tea.Cmd { return openOperatorBatch(st, selected) }
	}
	return []app.Command{
		app.ScreenCommand("r", label, name, revoke, "O", "r", "D"),
		app.ScreenCommand("enter", "tokens", "Go to the tokens that this operator acts for", showTokens),
		app.ScreenCommand("p", "extend", "Extend or change this operator", extend),
	}
}

// openOperatorBatch opens the dialog that previews a revocation of each operator, and then
// sends them. Only the owner can revoke an operator, so each owner is the sender of its
// message.
func openOperatorBatch(st *app.State, operators []expiry.Entry) tea.Cmd {
	jobs := make([]form.Job, len(operators))
	for i, e := range operators {
		jobs[i] = form.Job{
			Description: st.GrantLabel(e),
			Owner:       e.Owner,
			Msg:         cw721.Encode(&cw721.RevokeAll{Operator: e.Spender}),
		}
	}
	return form.OpenBatchAsOwners(st, fmt.Sprintf("Revoke %s", app.Plural(len(operators), "operator")), jobs)
}

// openAsOwner opens a form about an owner's operator. approve_all and revoke_all
// change the sender's own list (spec §5), so an actor who is not the owner is first
// asked whether to act as the owner.
func openAsOwner(st *app.State, msg app.OperatorFormMsg) tea.Cmd {
	owner := msg.Entry.Owner
	if owner == st.Actor {
		return OperatorForm(st, msg)
	}

	// Explain why the actor cannot do it, and offer to act as the owner.
	ownerName := widget.Safe(st.DisplayName(owner))
	actorName := widget.Safe(st.DisplayName(st.Actor))
	text := fmt.Sprintf("Only %s can change these operators: the message changes the list of its sender, and you act as %s.", ownerName, actorName)
	confirm := func() tea.Cmd {
		actAsOwner := app.Send(app.ActAsMsg{Address: owner})
		return tea.Sequence(actAsOwner, OperatorForm(st, msg))
	}
	question := form.NewConfirm("Not your operator", text, "Act as "+ownerName, confirm)
	question.OnYes = true // this does no harm, because the user can act as somebody else again
	return app.OpenDialog(question)
}

// OperatorForm returns the command that opens the form which grants, extends or revokes an
// operator. The form says how many tokens the owner in msg.Entry holds, or the actor if
// the entry has no owner.
func OperatorForm(st *app.State, msg app.OperatorFormMsg) tea.Cmd {
	owner := cmp.Or(msg.Entry.Owner, st.Actor)
	holdings := 0 // set by readHoldings before openForm is called
	readHoldings := func(v *chain.View) (err error) {
		holdings, err = v.Holdings(owner)
		return err
	}
	openForm := func() tea.Cmd { return openOperatorForm(st, msg, holdings) }
	return app.ReadThen(st, readHoldings, openForm)
}

// openOperatorForm opens the form that grants, extends or revokes an operator, as
// msg.Action says. holdings is the number of tokens that the sender owns.
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

	// A new operator and a changed one are the same message.
	title := "Grant an operator"
	expires := form.ExpiryField(st, "expires")
	if msg.Action == app.ExtendOperator {
		title = "Change an operator"
		expires = form.ChangedExpiryField(st, "expires", msg.Entry.Expires)
	}
	grant := form.NewMessage(title, readApproveAll, heading, operator, expires)
	if msg.Entry.Spender != "" {
		grant.Form.Focus("expires")
	}
	return form.Open(st, grant)
}

// readRevokeAll reads the form that revokes an operator.
func readRevokeAll(input *form.Input) cw721.ExecuteMsg {
	return &cw721.RevokeAll{Operator: input.Address("operator")}
}

// readApproveAll reads the form that grants or extends an operator. If the operator is the
// owner itself, it shows that this is not needed, although the contract allows it.
func readApproveAll(input *form.Input) cw721.ExecuteMsg {
	operator := input.Address("operator")
	if operator == input.State.Actor && operator != "" {
		input.Note("operator", widget.Muted("an owner needs no operator to act for itself, but it is allowed"))
	}
	return &cw721.ApproveAll{Operator: operator, Expires: input.Expiry("expires")}
}

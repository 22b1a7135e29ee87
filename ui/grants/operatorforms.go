package grants

import (
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

// OpenForm returns the command that opens a form about an approval or an operator. If only the
// owner can do that, and the actor is somebody else, it first asks whether to act as the owner.
func OpenForm(state *app.State, msg app.GrantFormMsg) tea.Cmd {
	switch {
	case msg.Entry.Kind == cw721.GrantOperator:
		return openAsOwner(state, msg)
	case msg.Action == app.RevokeGrant:
		return openRevocation(state, []expiry.Entry{msg.Entry}, false)
	}
	return openExtension(state, msg.Entry)
}

// openAsOwner opens a form about an owner's operator. approve_all and revoke_all
// change the sender's own list (spec §5), so an actor who is not the owner is first
// asked whether to act as the owner.
func openAsOwner(state *app.State, msg app.GrantFormMsg) tea.Cmd {
	owner := msg.Entry.Owner
	if owner == state.Actor {
		return operatorForm(state, msg)
	}
	ownerName := widget.Safe(state.DisplayName(owner))
	actorName := widget.Safe(state.DisplayName(state.Actor))
	text := fmt.Sprintf(
		"Only %s can change these operators: the message changes the list of its sender, and you act as %s.",
		ownerName, actorName)
	question := form.NewConfirm("Not your operator", text, "Act as "+ownerName, func() tea.Cmd {
		actAsOwner := app.Send(app.ActAsMsg{Address: owner})
		return tea.Sequence(actAsOwner, operatorForm(state, msg))
	})
	question.IsYesSelected = true // this does no harm, because the user can act as somebody else again
	return app.OpenDialog(question)
}

// operatorForm returns the command that opens the form which grants, extends or revokes an
// operator. The form says how many tokens the owner holds. If it revokes an operator whom
// msg.Entry does not name, it names the one whose grant expires first.
func operatorForm(state *app.State, msg app.GrantFormMsg) tea.Cmd {
	owner := msg.Entry.Owner
	holdings := 0
	return app.ReadThen(state, func(view *chain.View) (err error) {
		holdings, err = view.Holdings(owner)
		if err != nil || msg.Action != app.RevokeGrant || msg.Entry.Spender != "" {
			return err
		}
		for entry, err := range view.Upcoming(expiry.Index{Owner: owner, OnlyOperators: true}) {
			msg.Entry = entry
			return err
		}
		return nil
	}, func() tea.Cmd { return openOperatorForm(state, msg, holdings) })
}

// openOperatorForm opens the form that grants, extends or revokes an operator, as
// msg.Action says. holdings is the number of tokens that the sender owns.
func openOperatorForm(state *app.State, msg app.GrantFormMsg, holdings int) tea.Cmd {
	scope := fmt.Sprintf("For all that the sender owns; %s owns %s now",
		state.DisplayName(state.Actor), human.Plural(holdings, "token"))
	heading := widget.Field{Kind: widget.Heading, Label: scope}
	operator := form.FilledAccountField(state, "operator", "Operator", msg.Entry.Spender)
	if msg.Action == app.RevokeGrant {
		return form.Open(state, form.NewMessage("Revoke an operator", func(input *form.Input) cw721.ExecuteMsg {
			return &cw721.RevokeAll{Operator: input.ReadAddress("operator")}
		}, heading, operator))
	}

	// A new operator and a changed one are the same message.
	title := "Grant an operator"
	expires := form.ExpiryField(state, "expires")
	if msg.Action == app.ExtendGrant {
		title = "Change an operator"
		expires = form.ChangedExpiryField(state, "expires", msg.Entry.Expires)
	}
	grant := form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		operator := input.ReadAddress("operator")
		if operator == input.State.Actor && operator != "" {
			const notNeeded = "an owner needs no operator to act for itself, but it is allowed"
			input.Note("operator", widget.Muted(notNeeded))
		}
		return &cw721.ApproveAll{Operator: operator, Expires: input.ReadExpiry("expires")}
	}, heading, operator, expires)
	if msg.Entry.Spender != "" {
		grant.Form.Focus("expires")
	}
	return form.Open(state, grant)
}

// openOperatorBatch opens the dialog that previews a revocation of each operator, and then
// sends them. Only the owner can revoke an operator, so each owner is the sender of its
// message.
func openOperatorBatch(state *app.State, operators []expiry.Entry) tea.Cmd {
	jobs := make([]form.Job, len(operators))
	for i, entry := range operators {
		jobs[i] = form.Job{
			Description: state.GrantLabel(entry),
			Owner:       entry.Owner,
			Msg:         cw721.Encode(&cw721.RevokeAll{Operator: entry.Spender}),
		}
	}
	title := "Revoke " + human.Plural(len(operators), "operator")
	return form.OpenBatch(state, title, jobs, true)
}

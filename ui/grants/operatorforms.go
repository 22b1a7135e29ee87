package grants

import (
	"cmp"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// asOwner opens a form about an owner's operators. approve_all and revoke_all
// act on the sender's own list (spec §5), so that somebody else is asked
// whether to act as the owner.
func asOwner(st *app.State, msg app.OperatorFormMsg) tea.Cmd {
	owner := msg.Entry.Owner
	if owner == st.Actor {
		return OperatorForm(st, msg)
	}
	name := widget.Safe(st.DisplayName(owner))
	text := fmt.Sprintf("The operators of %s are theirs alone to change: the message acts on the list of whoever sends it, and you act as %s.",
		name, widget.Safe(st.DisplayName(st.Actor)))
	q := form.NewConfirm("Not your operator", text, "Act as "+name, func() tea.Cmd {
		return tea.Sequence(func() tea.Msg { return app.ActAsMsg{Address: owner} }, OperatorForm(st, msg))
	})
	q.OnYes = true // it changes nothing that cannot be changed back
	return app.OpenDialog(q)
}

// OperatorForm gives the command that counts what is at stake and opens the
// form, as whoever acts then.
func OperatorForm(st *app.State, msg app.OperatorFormMsg) tea.Cmd {
	holds, owner := 0, cmp.Or(msg.Entry.Owner, st.Actor)
	return app.ReadThen(st, func(v *chain.View) (err error) {
		holds, err = v.Holdings(owner)
		return err
	}, func() tea.Cmd { return openOperatorForm(st, msg, holds) })
}

// openOperatorForm opens the form for an owner of so many tokens.
func openOperatorForm(st *app.State, msg app.OperatorFormMsg, holds int) tea.Cmd {
	operator, end := form.AccountField(st, "operator", "Operator"), form.ExpiryField(st, "expires")
	if msg.Entry.Spender != "" {
		operator.Value = st.Typed(msg.Entry.Spender)
	}
	note := widget.Field{Kind: widget.Heading, Label: fmt.Sprintf("For all that the sender owns; %s owns %s now", st.DisplayName(st.Actor), app.Plural(holds, "token"))}
	if msg.What == app.RevokeOperator {
		return form.Open(st, form.NewMessage("Revoke an operator", func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
			return &cw721.RevokeAll{Operator: form.ReadAddress(st, v, "operator", out)}
		}, note, operator))
	}
	title := "Grant an operator"
	if msg.What == app.ExtendOperator {
		title, end.Value = "Change an operator", form.TypeExpiry(msg.Entry.Expires)
	}
	f := form.NewMessage(title, func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		a := form.ReadAddress(st, v, "operator", out)
		if a == st.Actor && a != "" {
			out.Note("operator", widget.In(themes.Muted, "an owner needs no operator to act for itself, but it is allowed"))
		}
		return &cw721.ApproveAll{Operator: a, Expires: form.ReadExpiry(st, v, "expires", out)}
	}, note, operator, end)
	if msg.Entry.Spender != "" {
		f.Form.Focus("expires")
	}
	return form.Open(st, f)
}

package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// operatorFormMsg asks for a form about operators to be opened.
type operatorFormMsg struct {
	what  operatorAction
	entry expiry.Entry // the grant in question; of a new one, what is known
}

type operatorAction int

const (
	grantOperator operatorAction = iota
	extendOperator
	revokeOperator
)

// asOwner opens a form about an owner's operators. approve_all and revoke_all
// act on the sender's own list (spec §5), so that somebody else is asked
// whether to act as the owner.
func asOwner(d *Desk, msg operatorFormMsg) tea.Cmd {
	owner := msg.entry.Owner
	if owner == d.Actor {
		return operatorForm(d, msg)
	}
	name := widget.Safe(d.Call(owner))
	text := fmt.Sprintf("The operators of %s are theirs alone to change: the message acts on the list of whoever sends it, and you act as %s.",
		name, widget.Safe(d.Call(d.Actor)))
	q := newQuestion("Not your operator", text, "Act as "+name, func() tea.Cmd {
		return tea.Sequence(func() tea.Msg { return actAsMsg(owner) }, operatorForm(d, msg))
	})
	q.onYes = true // it changes nothing that cannot be changed back
	return dialog(q)
}

// operatorForm gives the command that counts what is at stake and opens the
// form, as whoever acts then.
func operatorForm(d *Desk, msg operatorFormMsg) tea.Cmd {
	holds := 0
	engine, owner := d.Engine, msg.entry.Owner
	if owner == "" {
		owner = d.Actor
	}
	return func() tea.Msg {
		err := engine.View(func(v *chain.View) (err error) {
			holds, err = v.Holdings(owner)
			return err
		})
		if err != nil {
			return sayMsg{levelBad, err.Error()}
		}
		return thenMsg{engine, func() tea.Cmd { return openOperatorForm(d, msg, holds) }}
	}
}

// openOperatorForm opens the form for an owner of so many tokens.
func openOperatorForm(d *Desk, msg operatorFormMsg, holds int) tea.Cmd {
	operator := who(d, "operator", "Operator")
	if msg.entry.Spender != "" {
		operator.Value = d.typed(msg.entry.Spender)
	}
	note := widget.Field{Kind: widget.Heading, Label: fmt.Sprintf("For all that %s owns: %s now", d.Call(d.Actor), plural(holds, "token"))}
	if msg.what == revokeOperator {
		return openForm(newActionForm(d, "Revoke an operator", func(d *Desk, v map[string]string) draft {
			a, problems := readAddress(d, v, "operator")
			out := draft{problems: problems}
			return out.fill(&cw721.RevokeAll{Operator: a})
		}, note, operator))
	}
	end := until("expires")
	formTitle := "Grant an operator"
	if msg.what == extendOperator {
		formTitle, end.Value = "Change an operator", typeExpiry(msg.entry.Expires)
	}
	f, preview := newActionForm(d, formTitle, func(d *Desk, v map[string]string) draft {
		a, problems := readAddress(d, v, "operator")
		out := draft{problems: problems}
		if a == d.Actor && a != "" {
			out.note("operator", widget.In(themes.Muted, "an owner needs no operator to act for itself, but it is allowed"))
		}
		return out.fill(&cw721.ApproveAll{Operator: a, Expires: readExpiry(d, v, "expires", &out)})
	}, note, operator, end)
	if msg.entry.Spender != "" {
		f.form.Focus("expires")
	}
	return openForm(f, preview)
}

// plural counts things: "1 token", "1,204 tokens".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return chain.Thousands(uint64(n)) + " " + what + "s"
}

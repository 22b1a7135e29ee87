package inspect

import (
	"math"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// changeForm opens the message that would change a decision, to be sent by the
// account that may, whoever is acting. What can expire asks until when.
func changeForm(st *app.State, flip explain.Counterfactual) tea.Cmd {
	fields := []widget.Field{{Kind: widget.Heading, Label: flip.Text}}
	if _, ends := withExpiry(flip.Message, nil); ends {
		fields = append(fields, form.ExpiryField(st, "expires"))
	}
	f := form.NewMessage("Change the decision", func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		msg, _ := withExpiry(flip.Message, form.ReadExpiry(st, v, "expires", out))
		return msg
	}, fields...)
	f.As = flip.By
	return form.Open(st, f)
}

// byTransfer tells that a permission goes in one step when the token changes hands.
func byTransfer(w *explain.Explanation) bool {
	d, other := w.Decision, w.Counterfactual
	return d.Allowed && d.TokenID != nil && other.Message == nil && other.At == nil && slices.ContainsFunc(d.Checks, func(c cw721.Check) bool {
		return c.Passed && (c.Rule == cw721.RuleOwner || c.Rule == cw721.RuleApproval || c.Rule == cw721.RuleOperator)
	})
}

// transferForm opens the transfer by which an owner gives the token away; to
// whom is still to be typed.
func transferForm(st *app.State, d *cw721.Decision, text string) tea.Cmd {
	f := form.NewMessage("Change the decision", func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		return &cw721.TransferNft{Recipient: form.ReadAddress(st, v, "recipient", out), TokenID: *d.TokenID}
	}, widget.Field{Kind: widget.Heading, Label: text}, form.AccountField(st, "recipient", "Recipient"))
	f.As = *d.Owner
	return form.Open(st, f)
}

// withExpiry gives a message another expiry; expires is false for one that has none.
func withExpiry(msg cw721.ExecuteMsg, e *cw721.Expiration) (_ cw721.ExecuteMsg, ends bool) {
	switch m := msg.(type) {
	case *cw721.Approve:
		return &cw721.Approve{Spender: m.Spender, TokenID: m.TokenID, Expires: e}, true
	case *cw721.ApproveAll:
		return &cw721.ApproveAll{Operator: m.Operator, Expires: e}, true
	case *cw721.UpdateMinterOwnership:
		if m.Transfer != nil {
			return &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(m.Transfer.NewOwner, e)}, true
		}
	case *cw721.UpdateCreatorOwnership:
		if m.Transfer != nil {
			return &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(m.Transfer.NewOwner, e)}, true
		}
	}
	return msg, false
}

// stepToward is the step of the clock to an expiry that lies ahead, the other axis
// moving along. Beyond what a duration holds only the time moves.
func stepToward(e cw721.Expiration, c chain.Clock) chain.ClockStep {
	now, end, ends := e.Compare(c.Block())
	switch {
	case !ends || end <= now:
		return chain.ClockStep{}
	case e.Axis == cw721.AtHeight:
		return chain.ClockStep{Blocks: end - now}
	case end-now > math.MaxInt64:
		t := cw721.Time(end)
		return chain.ClockStep{Time: &t}
	}
	return chain.ClockStep{Duration: time.Duration(end - now)}
}

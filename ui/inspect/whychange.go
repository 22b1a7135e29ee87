package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// changeDecision starts the change that would reverse the decision. If that is a message,
// it opens the form of the message. If that is an expiry, it moves the clock there. If no
// single step is enough, a notice says so.
//
// changeDecision does nothing while the latest question has no answer. Only a click of the
// mouse can come at that time, because keys wait for the answer.
func (w *why) changeDecision(state *app.State) tea.Cmd {
	if !w.isCurrent() || w.explanation == nil {
		return nil
	}

	change := w.explanation.Change
	switch {
	case change.Message != nil:
		return openChangeForm(state, change)
	case change.ClockTarget != nil:
		return moveClockToExpiry(state, *change.ClockTarget, atExpiry)
	case isLostByTransfer(w.explanation):
		return openTransferForm(state, w.explanation.Decision, change.Text)
	default:
		return app.Notify(app.LevelInfo, "no single step does that: "+change.Text)
	}
}

// changeHint says what enter does, such as "opens that message". It is "" if no single
// step would reverse the decision.
func (w *why) changeHint() string {
	change := w.explanation.Change
	switch {
	case change.Message != nil:
		return "opens that message"
	case change.ClockTarget != nil:
		return "moves the clock there"
	case isLostByTransfer(w.explanation):
		return "opens the transfer"
	}
	return ""
}

// openChangeForm opens the form of a message that would change a decision.
func openChangeForm(state *app.State, change explain.DecisionChange) tea.Cmd {
	return openFilledForm(state, "Change the decision", change, "")
}

// openFilledForm opens the form of a message. Its sender is the account that is allowed to
// send it, even if the user acts as another account. If the message can have an expiry, the
// form has a field for it, whose first value is expires.
func openFilledForm(state *app.State, title string, change explain.DecisionChange, expires string) tea.Cmd {
	fields := []widget.Field{{Kind: widget.Heading, Label: change.Text}}
	_, canExpire := withExpiry(change.Message, nil)
	if canExpire {
		expiryField := form.ExpiryField(state, "expires")
		expiryField.Value = expires
		fields = append(fields, expiryField)
	}

	// Take the expiry from the form.
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		if !canExpire {
			return change.Message
		}
		msg, _ := withExpiry(change.Message, input.ReadExpiry("expires"))
		return msg
	}
	messageForm := form.NewMessage(title, readMessage, fields...)
	messageForm.Sender = change.Sender
	return form.Open(state, messageForm)
}

// withExpiry returns a copy of a message with another expiry. If expires is nil, the message
// has none, and the contract's default applies. If a message of that kind cannot have an
// expiry, withExpiry returns it unchanged, and canExpire is false.
func withExpiry(
	msg cw721.ExecuteMsg,
	expires *cw721.Expiration,
) (changed cw721.ExecuteMsg, canExpire bool) {
	switch msg := msg.(type) {
	case *cw721.Approve:
		return &cw721.Approve{Spender: msg.Spender, TokenID: msg.TokenID, Expires: expires}, true
	case *cw721.ApproveAll:
		return &cw721.ApproveAll{Operator: msg.Operator, Expires: expires}, true
	case *cw721.UpdateMinterOwnership:
		if msg.Transfer != nil {
			offer := cw721.Offer(msg.Transfer.NewOwner, expires)
			return &cw721.UpdateMinterOwnership{OwnershipAction: offer}, true
		}
	case *cw721.UpdateCreatorOwnership:
		if msg.Transfer != nil {
			offer := cw721.Offer(msg.Transfer.NewOwner, expires)
			return &cw721.UpdateCreatorOwnership{OwnershipAction: offer}, true
		}
	}
	return msg, false
}

// isLostByTransfer reports whether an allowed action would be refused if the owner
// transferred the token, and nothing simpler does that: one known message, or a move of the
// clock.
func isLostByTransfer(explanation *explain.Explanation) bool {
	decision := explanation.Decision
	change := explanation.Change
	isTextOnly := change.Text != "" && change.Message == nil && change.ClockTarget == nil
	return isTextOnly && decision.Allowed && decision.TokenID != nil &&
		decision.GrantingCheck().Rule != cw721.RuleCreator // who may change every token
}

// openTransferForm opens the form by which the owner transfers the token of a decision.
// The user types the recipient.
func openTransferForm(state *app.State, decision *cw721.Decision, heading string) tea.Cmd {
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.TransferNft{
			Recipient: input.ReadAddress("recipient"),
			TokenID:   *decision.TokenID,
		}
	}
	messageForm := form.NewMessage("Change the decision", readMessage,
		widget.Field{Kind: widget.Heading, Label: heading},
		form.AccountField(state, "recipient", "Recipient"))
	messageForm.Sender = *decision.Owner
	return form.Open(state, messageForm)
}

// How long before an expiry the clock or the cursor of the timeline is moved. The clock is
// moved to so many blocks before a height, or to so many nanoseconds before a time.
const (
	atExpiry   = 0
	justBefore = 1
)

// moveClockToExpiry moves the clock to the expiry of a grant, or to a distance before it.
// The distance is a number of blocks if the expiry is a height, or of nanoseconds if it is
// a time. Both the height and the time of the clock move. If the clock need not move or
// cannot, a notice says why.
func moveClockToExpiry(state *app.State, expires cw721.Expiration, distance uint64) tea.Cmd {
	now, end, canExpire := expires.NowAndEnd(state.Block())
	switch {
	case !canExpire:
		return app.Notify(app.LevelInfo, "this grant never expires")
	case end <= now:
		return app.Notify(app.LevelInfo,
			"this grant has expired; the clock only moves forward, and u goes back")
	case end-distance == now:
		return app.Notify(app.LevelInfo, "the clock is just before this expiry already")
	}
	target, err := state.Clock.ToExpiry(expires, distance)
	if err != nil {
		return app.Notify(app.LevelBad, err.Error())
	}
	return app.Advance(state, chain.ClockStep{Height: &target.Height, Time: &target.Time}, 0)
}

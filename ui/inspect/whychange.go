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

// change returns the change that would reverse the decision, and a hint for it, such as "opens
// that message". The change opens the form of a message, or moves the clock. If no single step
// is enough, the hint is "", and the change is a notice that says so.
func (w *why) change(state *app.State) (hint string, makeChange func() tea.Cmd) {
	const title = "Change the decision"
	change := w.explanation.Change
	decision := w.explanation.Decision
	isLostByTransfer := change.Text != "" && decision.Allowed && decision.TokenID != nil &&
		decision.GrantingCheck().Rule != cw721.RuleCreator // who may change every token
	switch {
	case change.Message != nil:
		return "opens that message", func() tea.Cmd { return openFilledForm(state, title, change, "") }
	case change.ClockTarget != nil:
		return "moves the clock there",
			func() tea.Cmd { return moveClockToExpiry(state, *change.ClockTarget, atExpiry) }
	case isLostByTransfer:
		return "opens the transfer",
			func() tea.Cmd { return openTransferForm(state, title, decision, change.Text) }
	}
	return "", func() tea.Cmd {
		return app.Notify(app.LevelInfo, "no single step does that: "+change.Text)
	}
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
	messageForm := form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		if !canExpire {
			return change.Message
		}
		msg, _ := withExpiry(change.Message, input.ReadExpiry("expires"))
		return msg
	}, fields...)
	messageForm.Sender = change.Sender
	return form.Open(state, messageForm)
}

// withExpiry returns a copy of a message with another expiry, or with none if expires is nil. A
// message that cannot have an expiry comes back unchanged, and canExpire is false.
func withExpiry(msg cw721.ExecuteMsg, expires *cw721.Expiration) (changed cw721.ExecuteMsg, canExpire bool) {
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

// openTransferForm opens the form by which the owner transfers the token of a decision.
// The user types the recipient.
func openTransferForm(state *app.State, title string, decision *cw721.Decision, heading string) tea.Cmd {
	messageForm := form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.TransferNft{Recipient: input.ReadAddress("recipient"), TokenID: *decision.TokenID}
	},
		widget.Field{Kind: widget.Heading, Label: heading},
		form.AccountField(state, "recipient", "Recipient"))
	messageForm.Sender = *decision.Owner
	return form.Open(state, messageForm)
}

// How long before an expiry the clock or the cursor of the timeline is moved: in blocks before
// a height, or in nanoseconds before a time.
const (
	atExpiry   = 0
	justBefore = 1
)

// moveClockToExpiry moves the height and the time of the clock to the expiry of a grant, or to a
// distance before it. If the clock need not move or cannot, a notice says why.
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

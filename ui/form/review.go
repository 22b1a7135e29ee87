package form

import (
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Review checks the typed values again, and shows what is wrong with them below their
// fields. It returns the command that previews what enter would do, or nil if there is
// nothing to preview. The previous preview stays on the screen until the new one comes.
func (a *Action) Review(state *app.State) tea.Cmd {
	values := a.Form.Values()
	a.newAccounts = slices.DeleteFunc(a.newAccounts, func(account chain.Account) bool {
		return !slices.Contains(slices.Collect(maps.Values(values)), account.Name) // not typed any more
	})

	// The sender is the actor of the state that build gets, so it is read first. Its problems
	// come last.
	senderInput := Input{State: a.formState(state), Values: values}
	if a.hasField(senderField) {
		a.Sender = senderInput.ReadAddress(senderField)
	}
	a.result = a.build(a.formState(state), values)
	a.result.Problems = append(a.result.Problems, senderInput.Problems...)
	a.showProblems()
	a.lastReviewNumber++ // a preview of the older values is dropped when it comes

	// With problems there is nothing to send, so nothing to preview.
	if len(a.result.Problems) > 0 {
		a.receipt = nil
		a.denial = nil
		return nil
	}
	if a.result.Consequences == nil {
		a.consequences = nil
	}
	if !a.result.hasPreview() {
		return nil
	}

	// Preview on another goroutine, from copies of what the form says now.
	result := a.result
	sender := a.Sender
	reviewNumber := a.lastReviewNumber
	return state.Ask(a, func(engine app.Engine) tea.Msg {
		msg := result.readPreview(engine, sender)
		msg.reviewNumber = reviewNumber
		return msg
	})
}

// formState returns a copy of the state in which the sender of the form's message is the
// actor, and which has the new accounts.
func (a *Action) formState(state *app.State) *app.State {
	formState := *state
	if a.hasField(senderField) {
		formState.Actor = a.Sender
	}
	if len(a.newAccounts) == 0 {
		return &formState
	}
	formState.NewAccounts = a.newAccounts
	formState.Accounts = slices.Concat(state.Accounts, a.newAccounts)
	formState.Names = maps.Clone(state.Names)
	for _, account := range a.newAccounts {
		formState.Names[account.Address] = account.Name
	}
	return &formState
}

// hasField reports whether the form has a field of that name.
func (a *Action) hasField(name string) bool {
	_, found := a.Form.Values()[name]
	return found
}

// showProblems puts the notes and problems of the result under their fields.
func (a *Action) showProblems() {
	a.Form.ClearMessages()
	for field, lines := range a.result.Notes {
		a.Form.SetNotes(field, lines...)
	}
	a.Form.SetError(a.failure.Field, a.failure.Text)

	for _, problem := range a.result.Problems {
		if !a.showsProblemsOf(problem.Field) {
			continue
		}

		if problem.UnknownName != "" { // enter asks about it, so it is no error yet
			a.Form.SetNotes(problem.Field, widget.Warning(problem.Text))
			continue
		}
		a.Form.SetNotes(problem.Field) // the error takes the place of the notes
		a.Form.SetError(problem.Field, problem.Text)
	}
}

// showsProblemsOf reports whether the problems of a field are shown. A field that the
// user has not filled in yet is not called wrong, until enter is pressed.
func (a *Action) showsProblemsOf(field string) bool {
	return a.isSubmitted || a.touchedFields[field] || a.Form.Value(field) != ""
}

// hasPreview reports whether there is something to show before enter does it.
func (r *Result) hasPreview() bool {
	return r.msgToSend != nil || r.Preview != nil || r.Consequences != nil
}

// readPreview reads what enter would do, and changes nothing. If the message would be refused
// because sender has no permission for it, it also reads which rules decide that.
func (r *Result) readPreview(engine app.Engine, sender cw721.Address) (msg previewMsg) {
	switch {
	case r.Consequences != nil:
		msg.consequences, msg.err = r.Consequences(engine)
		return msg
	case r.msgToSend == nil:
		msg.receipt, msg.err = r.Preview(engine)
		return msg
	}
	msg.receipt, msg.err = engine.Preview(sender, r.Msg)
	if msg.err != nil {
		return msg
	}
	msg.denial, msg.err = readDenial(engine, sender, r.msgToSend, msg.receipt.Refusal)
	return msg
}

// denial explains the refusal of a message whose sender has no permission for it.
type denial struct {
	explanation   explain.Explanation
	allowedSender cw721.Address // an account that may send the message; empty if none is known
}

// readDenial returns why the sender has no permission for the message, or nil if it is not refused
// for that reason.
func readDenial(
	engine app.Engine,
	sender cw721.Address,
	msg cw721.ExecuteMsg,
	refusal *cw721.Error,
) (*denial, error) {
	if refusal == nil {
		return nil, nil
	}
	return chain.Read(engine, func(view *chain.View) (*denial, error) {
		explanation, err := explain.WhyMessage(view, sender, cw721.MessageName(msg), msg)
		if err != nil {
			return nil, nil // it cannot be explained, such as for a token that does not exist
		}
		decision := explanation.Decision
		if decision.Allowed || decision.Refusal.Text != refusal.Text {
			return nil, nil // the refusal is about a value in the message
		}
		return &denial{explanation, firstAllowedSender(view, decision, msg)}, nil
	})
}

// firstAllowedSender returns the first account that the rules of the decision name and that may
// send the message, such as the owner of the token; or "".
func firstAllowedSender(view *chain.View, decision *cw721.Decision, msg cw721.ExecuteMsg) cw721.Address {
	for _, check := range decision.Checks {
		if check.Holder == nil { // the rule names no account
			continue
		}
		receipt, err := view.Preview(*check.Holder, cw721.Encode(msg))
		if err == nil && receipt.Refusal == nil {
			return *check.Holder
		}
	}
	return ""
}

// showPreview stores the outcome of a preview. A refusal because of one field is put under that
// field.
func (a *Action) showPreview(state *app.State, msg previewMsg) {
	if msg.err != nil {
		a.failure = Problem{Text: msg.err.Error()}
		return
	}
	a.receipt = &msg.receipt
	a.denial = msg.denial
	a.consequences = msg.consequences
	refusal := msg.receipt.Refusal
	if refusal == nil {
		return
	}
	if field := LastPart(refusal.Field); a.showsProblemsOf(field) {
		a.Form.SetError(field, state.RefusalText(refusal.Kind, refusal.Text))
	}
}

// LastPart returns the name of a field without those of the objects that contain it:
// "owner" for "transfer_nft.owner".
func LastPart(field string) string {
	return field[strings.LastIndexByte(field, '.')+1:]
}

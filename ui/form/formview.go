package form

import (
	"cmp"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// FormWidth is the largest width of a form, in cells.
const FormWidth = 88

// View draws the form in its frame: the fields, and below them what enter would do. If
// the form sends a message, its title names the sender, and its JSON ends the text.
func (a *Action) View(state *app.State) string {
	state = a.formState(state)
	box := widget.Box{W: min(a.box.W, FormWidth), H: a.box.H}
	title := a.title
	if a.Sender != "" {
		title += " as " + widget.Safe(state.DisplayName(a.Sender))
	}
	lines := a.outcomeLines(state)
	if len(a.result.Msg) > 0 {
		lines = append(lines, widget.Faint(string(a.result.Msg)))
	}
	return a.sheet.View(state.Theme, title, box, lines)
}

// outcomeLines returns the lines below the fields. They say what enter would do or what
// is missing for that. After enter they show the progress of its work, or why it failed.
// Problems and errors of one field are left out, because they are shown under the field.
func (a *Action) outcomeLines(state *app.State) []widget.Line {
	problems := a.result.Problems
	switch {
	case a.isWorking && a.ProgressText != nil:
		return []widget.Line{widget.Styled(themes.Accent, themes.GlyphDown+" "+a.ProgressText())}
	case a.failure.Text != "" && !a.hasField(a.failure.Field):
		sign := widget.Styled(themes.Bad, themes.GlyphNo+" ")
		return []widget.Line{sign.Text(a.failure.Text)}
	case a.result.Effect != nil:
		return slices.Concat(a.result.Effect, a.consequences)
	case len(problems) > 0 && !a.hasField(problems[0].Field):
		return []widget.Line{widget.Warning(problems[0].Text)}
	case len(problems) > 0:
		return a.missingLines()
	case !a.result.hasPreview():
		return nil
	case a.receipt == nil:
		return []widget.Line{widget.Muted("looking" + themes.GlyphEllipsis)}
	case a.receipt.Refusal != nil:
		return a.refusedLines(state, a.receipt.Refusal)
	}
	return a.acceptedLines(state)
}

// missingLines returns the line for a form that is not filled in. It is MissingText, or
// if that is empty, a sentence that fits every form.
func (a *Action) missingLines() []widget.Line {
	text := cmp.Or(a.MissingText, "what will happen shows here when the form is filled in")
	return []widget.Line{widget.Muted(text)}
}

// refusedLines says that the message will be refused, and why. If the sender has no
// permission for it, the rules that decide this follow. If the refusal names a field of
// the form, the reason is left out, because it is shown under the field.
func (a *Action) refusedLines(state *app.State, refusal *cw721.Error) []widget.Line {
	field := LastPart(refusal.Field)
	isUnderField := a.hasField(field)
	if isUnderField && !a.showsProblemsOf(field) {
		return a.missingLines()
	}
	verdict := widget.Styled(themes.Bad, themes.GlyphNo+state.WithRuleBookNote(" will be refused"))
	if isUnderField {
		return []widget.Line{verdict.Muted(" for what the field above says")}
	}
	reason := state.RefusalText(refusal.Kind, refusal.Text)
	lines := []widget.Line{verdict.Append(themes.Bad, ": ").Text(reason)}
	if a.denial != nil {
		lines = append(lines, a.denial.lines(state)...)
	}
	return lines
}

// acceptedLines says that the message will work, and what it changes.
func (a *Action) acceptedLines(state *app.State) []widget.Line {
	verdict := widget.Styled(themes.Good, themes.GlyphYes+state.WithRuleBookNote(" will work"))
	if state.IsTrial() && a.result.msgToSend != nil {
		verdict = verdict.Append(themes.Warn, ", and is not kept: this session is read-only")
	}
	lines := []widget.Line{verdict}
	if a.result.Outcome != nil {
		return append(lines, a.result.Outcome(*a.receipt)...)
	}
	if len(a.receipt.Changes) == 0 {
		return append(lines, widget.Muted("  "+themes.GlyphDot+" "+explain.NothingChanges))
	}
	changes := explain.Describe(state.Layout, a.receipt.Changes, state.DisplayName)
	for _, change := range changes {
		line := widget.Muted("  " + themes.GlyphDot + " ").Text(change)
		lines = append(lines, line)
	}
	return lines
}

// denial explains the refusal of a message whose sender has no permission for it.
type denial struct {
	explanation   explain.Explanation
	allowedSender cw721.Address // an account that may send the message; empty if none is known
}

// readDenial returns the explanation of why the sender may not send the message. It
// returns nil if the message is not refused, or for another reason than a missing
// permission.
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
		isAboutSender := !decision.Allowed && decision.Refusal.Text == refusal.Text
		if !isAboutSender {
			return nil, nil // the refusal is about a value in the message
		}
		allowedSender := firstAllowedSender(view, decision, msg)
		return &denial{explanation: explanation, allowedSender: allowedSender}, nil
	})
}

// firstAllowedSender returns an account that may send a refused message, such as the
// owner of the token. It tries the accounts that the rules of the decision name, in the
// order of the rules. It returns "" if the contract would execute it for none of them.
func firstAllowedSender(
	view *chain.View,
	decision *cw721.Decision,
	msg cw721.ExecuteMsg,
) cw721.Address {
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

// lines lists the rules that the contract tried, and the keys that the refusal offers:
// one that explains it, and one that changes to an account that may send the message.
func (d *denial) lines(state *app.State) []widget.Line {
	keys := widget.Styled(themes.Key, "  ctrl+y").Muted(" why")
	if d.allowedSender != "" {
		name := widget.Safe(state.DisplayName(d.allowedSender))
		keys = keys.Append(themes.Key, "  ctrl+x").Muted(" act as " + name + ", who may")
	}
	return append(app.RuleLines(d.explanation), keys)
}

// Commands lists the keys of the form for the footer and help. A form that sends a
// message also opens it in the console, and explains a missing permission.
func (a *Action) Commands(state *app.State) []app.Command {
	if a.Verb != "" {
		return SheetKeys(a.sheet, a.Verb, "cancel")
	}
	messageKeys := []key.Binding{app.Bind("ctrl+t", "open in the console", "ctrl+t")}
	if a.denial != nil {
		messageKeys = append(messageKeys, app.Bind("ctrl+y", "why", "ctrl+y"))
		if sender := a.denial.allowedSender; sender != "" {
			actAs := "act as " + state.DisplayName(sender)
			messageKeys = append(messageKeys, app.Bind("ctrl+x", actAs, "ctrl+x"))
		}
	}
	submitText := "send"
	if a.result.Then != nil { // enter opens a batch, which shows each message before it sends any
		submitText = "preview"
	}
	commands := SheetKeys(a.sheet, submitText, "cancel")
	return append(commands, app.KeysForHelp(app.GroupHere, messageKeys...)...)
}

// pressRefusalKey handles the keys that work while the message is refused because its
// sender has no permission. ctrl+y explains the refusal. ctrl+x changes the sender to an
// account that has the permission. isHandled is false if the key is none of these.
func (a *Action) pressRefusalKey(state *app.State, keyName string) (cmd tea.Cmd, isHandled bool) {
	if a.denial == nil {
		return nil, false
	}
	switch keyName {
	case "ctrl+y":
		messageSubject := state.Words().SubjectOfMessage(a.result.Msg)
		subject := app.Subject{
			Token:   messageSubject.Token,
			Account: a.Sender,
			Action:  app.ActionNameOf(a.result.Msg),
		}
		return func() tea.Msg { return app.WhyMsg(subject) }, true
	case "ctrl+x":
		if a.denial.allowedSender == "" {
			return nil, false
		}
		return a.sendAs(state, a.denial.allowedSender), true
	}
	return nil, false
}

// sendAs changes the sender of the form's message, and returns the command that previews
// the message again. The actor is the account that the user acts as. If the actor was the
// sender, the command also changes the actor to the new sender.
func (a *Action) sendAs(state *app.State, sender cw721.Address) tea.Cmd {
	isActor := a.Sender == state.Actor
	a.Form.SetValue(senderField, state.InputText(sender))
	review := a.Review(state)
	if !isActor {
		return review
	}
	return tea.Batch(review, func() tea.Msg { return app.ActAsMsg{Address: sender} })
}

package form

import (
	"cmp"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// FormWidth is the largest width of a form, in cells.
const FormWidth = 88

// View draws the form in its frame: the fields, and below them what enter would do, and the JSON of
// the message.
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

// outcomeLines returns the lines below the fields: the progress of the work, why it failed, what is
// missing, or what enter would do. Problems of one field are shown under the field.
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

// missingLines returns the line for a form that is not filled in.
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

// lines lists the rules that the contract tried, and the keys of [Action.denialCommands].
func (d *denial) lines(state *app.State) []widget.Line {
	keys := widget.Styled(themes.Key, "  ctrl+y").Muted(" why")
	if d.allowedSender != "" {
		name := widget.Safe(state.DisplayName(d.allowedSender))
		keys = keys.Append(themes.Key, "  ctrl+x").Muted(" act as " + name + ", who may")
	}
	return append(app.RuleLines(d.explanation), keys)
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
	return append(lines, ChangeLines(state, a.receipt)...)
}

// ChangeLines describes the changes of the storage that a message makes, each in a line.
func ChangeLines(state *app.State, receipt *chain.Receipt) (lines []widget.Line) {
	const bullet = "  " + themes.GlyphDot + " "
	if len(receipt.Changes) == 0 {
		return []widget.Line{widget.Muted(bullet + explain.NothingChanges)}
	}
	for _, change := range explain.Describe(state.Layout, receipt.Changes, state.DisplayName) {
		lines = append(lines, widget.Muted(bullet).Text(change))
	}
	return lines
}

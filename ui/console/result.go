package console

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// showResult fills the result pane with the outcome of the message in the editor, or with the text
// of the row under the cursor of the list in its place.
func (s *Screen) showResult(state *app.State) {
	if !s.showsStartList() {
		s.resultPane.Set(s.resultLines(state))
		return
	}
	if text := s.selectedStartText(); strings.TrimSpace(text) != "" {
		s.resultPane.Set(widget.JSONLines(text))
		return
	}

	// The row of an empty message has no text, so say what can be typed.
	lines := []widget.Line{
		widget.Muted("Any message of the contract, as JSON; ").
			Text(`"$alice"`).
			Muted(" stands for her address."),
	}
	if s.names.UnlistedReason != "" {
		lines = append(lines, widget.Warning("").
			Text(s.names.UnlistedReason+"; those of cw721 are listed, and it may know others."))
	}
	s.resultPane.Set(lines)
}

// resultLines describes the outcome of the message in the editor. If nothing was tried, it says
// why, or returns nil.
func (s *Screen) resultLines(state *app.State) []widget.Line {
	outcome := s.outcome
	lockReason := state.LockReason()
	switch {
	case outcome == nil && s.kind != noMessage && lockReason != nil:
		return []widget.Line{widget.Warning(lockReason.Error())}
	case outcome == nil && s.asksOnlyWhenSent(state):
		return []widget.Line{widget.Muted("ctrl+s asks; a query counts as a message")}
	case outcome == nil:
		return nil
	case outcome.fault != "":
		return []widget.Line{widget.Styled(themes.Bad, themes.GlyphNo+" "+outcome.fault)}
	case outcome.refusal != nil:
		return s.refusalLines(state)
	case outcome.problem != nil:
		return []widget.Line{app.VerdictSign(false).Text(outcome.problem.text)}
	case outcome.kind == queryMessage:
		return s.answerLines(state)
	}
	return s.changeLines(state)
}

// refusalLines describes why the contract refuses a message or a query.
func (s *Screen) refusalLines(state *app.State) []widget.Line {
	verdict := state.WithRuleBookNote("would be refused")
	if s.sentReceipt != nil || s.outcome.kind == queryMessage {
		verdict = "refused"
	}
	refusal := s.outcome.refusal
	lines := []widget.Line{
		app.VerdictSign(false).Append(themes.Bad, verdict).Muted(" (" + string(refusal.Kind) + ")"),
		widget.Plain("  " + state.RefusalText(refusal.Kind, refusal.Text)),
	}
	return slices.Concat(lines, s.outcome.remarkLines(), s.differenceLines(state))
}

// answerLines returns the answer to a query as indented JSON.
func (s *Screen) answerLines(state *app.State) []widget.Line {
	height := human.Thousands(state.Clock.Height)
	return slices.Concat(
		s.differenceLines(state),
		[]widget.Line{app.VerdictSign(true).Muted("answered at height " + height)},
		s.outcome.remarkLines(),
		[]widget.Line{nil},
		jsonWithNames(state, s.outcome.answer))
}

// changeLines describes a message that the contract accepts: whether it was carried out or would
// be, what it changes, and the contract's response.
func (s *Screen) changeLines(state *app.State) []widget.Line {
	receipt := s.outcome.receipt
	verdict := app.VerdictSign(true)
	switch {
	case s.sentReceipt != nil:
		verdict = verdict.Append(themes.Good, "carried out").
			Muted(fmt.Sprintf(", step #%d of the history", receipt.Node))
	case s.outcome.kind == instantiateMessage:
		verdict = verdict.Text("would create this collection").
			Muted(" (there is one already: only a preview)")
	default:
		verdict = verdict.Text(state.WithRuleBookNote("will work")).Muted("; ctrl+s sends it")
	}
	answer := jsonWithNames(state, wire.Encode(receipt.Response))
	return slices.Concat(
		[]widget.Line{verdict},
		form.ChangeLines(state, receipt),
		s.outcome.remarkLines(),
		s.differenceLines(state),
		[]widget.Line{nil, widget.Header("Answer")},
		app.Indent(answer))
}

// jsonWithNames returns JSON in indented lines. A line with the address of a named account
// has that name at its end.
func jsonWithNames(state *app.State, json []byte) []widget.Line {
	lines := widget.JSONLines(string(json))
	for i, line := range lines {
		for _, span := range line {
			address := cw721.Address(strings.Trim(span.Text, `"`))
			if name, hasName := state.Names[address]; hasName {
				lines[i] = lines[i].Append(themes.Faint, "  "+name)
			}
		}
	}
	return lines
}

// differenceLines describes how the answers of the built-in and the compiled contract differ, if
// both run.
func (s *Screen) differenceLines(state *app.State) []widget.Line {
	if s.outcome.difference == nil {
		return nil
	}
	lines := state.DifferenceLines(*s.outcome.difference)
	return slices.Concat([]widget.Line{nil}, lines, []widget.Line{nil})
}

// remarkLines returns a line for each member of the message that the contract ignores, and
// for each text that the contract logged.
func (o *outcome) remarkLines() []widget.Line {
	var lines []widget.Line
	for _, member := range o.receipt.IgnoredMembers {
		lines = append(lines, widget.Warning(member.String()))
	}
	for _, text := range o.receipt.LogLines {
		lines = append(lines, widget.Muted("  debug ").Text(text))
	}
	return lines
}

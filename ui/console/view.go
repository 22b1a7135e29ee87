package console

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// linesAboveEditor is the number of lines above the editor: the title and the completions.
const linesAboveEditor = 2

// minWidthForTwoPanes is the smallest width, in cells, with which the result is right of the
// editor. On a narrower screen the result is below the editor.
const minWidthForTwoPanes = 100

// panes returns the sizes of the editor and of the result, which share the box of the
// screen. A border separates them.
func (s *Screen) panes() (editor, result widget.Box) {
	if s.box.W >= minWidthForTwoPanes {
		left, right := s.box.SplitLeft(s.box.W / 2)
		_, editor = left.SplitTop(linesAboveEditor)
		result = widget.Box{W: max(right.W-2, 0), H: right.H} // without the border
		return editor, result
	}

	// An odd line goes to the editor.
	lineCount := max(s.box.H-linesAboveEditor-1, 0) // without the border
	editor = widget.Box{W: s.box.W, H: (lineCount + 1) / 2}
	result = widget.Box{W: s.box.W, H: lineCount / 2}
	return editor, result
}

// View draws the title, the completions and the editor, and right of them or below them
// the result.
func (s *Screen) View(state *app.State) string {
	editorBox, _ := s.panes()
	result := s.resultPane.View(state.Theme)

	// The editor is one cell away from the left edge.
	const indent = " "
	body := s.editorBody(state, widget.Box{W: max(editorBox.W-len(indent), 0), H: editorBox.H})
	body = indent + strings.ReplaceAll(body, "\n", "\n"+indent)
	editorPane := widget.JoinVertically(
		s.titleLine(state, editorBox.W),
		s.completionLine(state, editorBox.W),
		body)

	// In a narrow terminal the result is below the editor.
	resultHasFocus := !s.isTyping
	if s.box.W < minWidthForTwoPanes {
		border := app.RuleAcross(state, s.box.W, resultHasFocus)
		panes := widget.JoinVertically(editorPane, border, result)
		return widget.Fill(panes, s.box)
	}

	// In a wide one it is right of the editor.
	editorPane = widget.Fill(editorPane, widget.Box{W: editorBox.W, H: s.box.H})
	border := widget.Fill(app.RuleDown(state, s.box.H, resultHasFocus), widget.Box{W: 2, H: s.box.H})
	panes := widget.JoinHorizontally(editorPane, border, result)
	return widget.Fill(panes, s.box)
}

// titleLine returns the line above the editor. It says what kind of message the text is,
// and who would send it. While a message is typed, it also has the keys that send the
// message and that leave the editor.
func (s *Screen) titleLine(state *app.State, width int) string {
	title := widget.Header(" Message")
	switch s.kind {
	case executeMessage:
		title = title.Muted("  execute, as ").Strong(state.DisplayName(state.Actor))
	case queryMessage, instantiateMessage:
		title = title.Muted("  " + s.kind.String())
	}
	var keys widget.Line
	if s.isTyping {
		keys = widget.Styled(themes.Key, "ctrl+s").Muted(" sends  ").
			Append(themes.Key, "esc").Muted(" leaves ")
	}
	return widget.JoinEnds(title.Render(state.Theme), keys.Render(state.Theme), width)
}

// completionLine returns a line with the completions of the word under the caret. It is
// blank if there are none. The tab key takes the first, which stands out.
func (s *Screen) completionLine(state *app.State, width int) string {
	if len(s.completions) == 0 {
		return widget.Fit("", width)
	}
	line := widget.Styled(themes.Key, " tab ").Append(themes.Match, s.completions[0])
	for _, completion := range s.completions[1:] {
		line = line.Append(themes.Faint, "  "+completion)
	}
	return line.Fit(state.Theme, width)
}

// editorBody draws the editor with the problem of its text. In an empty console it draws
// the list of texts to start from instead.
func (s *Screen) editorBody(state *app.State, box widget.Box) string {
	if s.showsStartList() {
		s.startList.Resize(box)
		return s.startList.View(state.Theme)
	}
	shownProblem := s.problem
	if shownProblem == nil && s.outcome != nil {
		shownProblem = s.outcome.problem
	}
	return s.editor.view(state.Theme, box, s.isTyping, shownProblem)
}

// The arguments of [app.VerdictSign].
const (
	isAccepted = true
	isRefused  = false
)

// resultLines describes the outcome of the message in the editor: why it failed or would
// fail, the answer to a query, or what the message changes. If nothing was tried, it says
// why, or returns nil.
func (s *Screen) resultLines(state *app.State) []widget.Line {
	outcome := s.outcome
	switch {
	case outcome == nil:
		return s.untriedLines(state)
	case outcome.fault != "":
		return []widget.Line{widget.Styled(themes.Bad, themes.GlyphNo+" "+outcome.fault)}
	case outcome.refusal != nil:
		return s.refusalLines(state)
	case outcome.problem != nil:
		return []widget.Line{app.VerdictSign(isRefused).Text(outcome.problem.text)}
	case outcome.kind == queryMessage:
		return s.answerLines(state)
	}
	return s.changeLines(state)
}

// untriedLines says why the text in the editor was not tried. It returns nil if there is no
// special reason.
func (s *Screen) untriedLines(state *app.State) []widget.Line {
	lockReason := state.LockReason()
	if s.kind != noMessage && lockReason != nil {
		return []widget.Line{widget.Warning(lockReason.Error())}
	}
	if s.asksOnlyWhenSent(state) {
		return []widget.Line{widget.Muted("ctrl+s asks; a query counts as a message")}
	}
	return nil
}

// refusalLines describes why the contract refuses a message or a query.
func (s *Screen) refusalLines(state *app.State) []widget.Line {
	verdict := state.WithRuleBookNote("would be refused")
	if s.sentReceipt != nil || s.outcome.kind == queryMessage {
		verdict = "refused"
	}
	refusal := s.outcome.refusal
	lines := []widget.Line{
		app.VerdictSign(isRefused).Append(themes.Bad, verdict).Muted(" (" + string(refusal.Kind) + ")"),
		widget.Plain("  " + state.RefusalText(refusal.Kind, refusal.Text)),
	}
	return slices.Concat(lines, s.outcome.remarkLines(), s.differenceLines(state))
}

// answerLines returns the answer to a query as indented JSON.
func (s *Screen) answerLines(state *app.State) []widget.Line {
	height := human.Thousands(state.Clock.Height)
	return slices.Concat(
		s.differenceLines(state),
		[]widget.Line{app.VerdictSign(isAccepted).Muted("answered at height " + height)},
		s.outcome.remarkLines(),
		[]widget.Line{nil},
		jsonWithNames(state, s.outcome.answer))
}

// changeLines describes a message that the contract accepts. The lines have what the message
// changes or has changed, and the contract's response.
func (s *Screen) changeLines(state *app.State) []widget.Line {
	receipt := s.outcome.receipt
	lines := []widget.Line{s.verdictLine(state)}
	const bullet = "  " + themes.GlyphDot + " "
	for _, change := range explain.Describe(state.Layout, receipt.Changes, state.DisplayName) {
		lines = append(lines, widget.Muted(bullet).Text(change))
	}
	if len(receipt.Changes) == 0 {
		lines = append(lines, widget.Muted(bullet+"nothing changes"))
	}
	answer := jsonWithNames(state, wire.Encode(receipt.Response))
	return slices.Concat(
		lines,
		s.outcome.remarkLines(),
		s.differenceLines(state),
		[]widget.Line{nil, widget.Header("Answer")},
		app.Indent(answer))
}

// verdictLine says whether a message was carried out, or would be if it were sent.
func (s *Screen) verdictLine(state *app.State) widget.Line {
	switch {
	case s.sentReceipt != nil:
		step := fmt.Sprintf(", step #%d of the history", s.outcome.receipt.Node)
		return app.VerdictSign(isAccepted).Append(themes.Good, "carried out").Muted(step)
	case s.outcome.kind == instantiateMessage:
		return app.VerdictSign(isAccepted).
			Text("would create this collection").
			Muted(" (there is one already: only a preview)")
	}
	return app.VerdictSign(isAccepted).Text(state.WithRuleBookNote("will work")).Muted("; ctrl+s sends it")
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

// differenceLines describes how the answer of the built-in contract differs from that of the
// compiled contract. It returns nil if only one of them runs, or if they agree.
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

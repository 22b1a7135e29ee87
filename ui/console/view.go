package console

import (
	"fmt"
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
func (c *Screen) panes() (editor, result widget.Box) {
	if c.box.W >= minWidthForTwoPanes {
		left, right := c.box.SplitLeft(c.box.W / 2)
		_, editor = left.SplitTop(linesAboveEditor)
		result = widget.Box{W: max(right.W-2, 0), H: right.H} // without the border
		return editor, result
	}

	// An odd line goes to the editor.
	lineCount := max(c.box.H-linesAboveEditor-1, 0) // without the border
	editor = widget.Box{W: c.box.W, H: (lineCount + 1) / 2}
	result = widget.Box{W: c.box.W, H: lineCount / 2}
	return editor, result
}

// View draws the title, the completions and the editor, and right of them or below them
// the result.
func (c *Screen) View(state *app.State) string {
	theme := state.Theme
	editorBox, resultBox := c.panes()
	c.result.Resize(resultBox)

	// The editor is one cell away from the left edge.
	const indent = " "
	body := c.editorBody(state, widget.Box{W: max(editorBox.W-len(indent), 0), H: editorBox.H})
	body = indent + strings.ReplaceAll(body, "\n", "\n"+indent)
	editorPane := widget.JoinV(
		c.titleLine(state, editorBox.W),
		c.completionLine(state, editorBox.W),
		body)

	// In a narrow terminal the result is below the editor.
	resultHasFocus := !c.isTyping
	if c.box.W < minWidthForTwoPanes {
		border := app.RuleAcross(state, c.box.W, resultHasFocus)
		return widget.Fill(widget.JoinV(editorPane, border, c.result.View(theme)), c.box)
	}

	// In a wide one it is right of the editor.
	editorPane = widget.Fill(editorPane, widget.Box{W: editorBox.W, H: c.box.H})
	border := widget.Fill(app.RuleDown(state, c.box.H, resultHasFocus), widget.Box{W: 2, H: c.box.H})
	return widget.Fill(widget.JoinH(editorPane, border, c.result.View(theme)), c.box)
}

// titleLine returns the line above the editor. It says what kind of message the text is,
// and who would send it. While a message is typed, it also has the keys that send the
// message and that leave the editor.
func (c *Screen) titleLine(state *app.State, width int) string {
	title := widget.Header(" Message")
	switch c.kind {
	case executeMessage:
		title = title.Muted("  execute, as ").Strong(state.DisplayName(state.Actor))
	case queryMessage, instantiateMessage:
		title = title.Muted("  " + c.kind.String())
	}
	var keys widget.Line
	if c.isTyping {
		keys = widget.Styled(themes.Key, "ctrl+s").Muted(" sends  ").
			Append(themes.Key, "esc").Muted(" leaves ")
	}
	return widget.JoinEnds(title.Render(state.Theme), keys.Render(state.Theme), width)
}

// completionLine returns a line with the completions of the word under the caret. It is
// blank if there are none. The tab key takes the first, which stands out.
func (c *Screen) completionLine(state *app.State, width int) string {
	if len(c.completions) == 0 {
		return widget.Fit("", width)
	}
	line := widget.Styled(themes.Key, " tab ").Append(themes.Match, c.completions[0])
	for _, completion := range c.completions[1:] {
		line = line.Append(themes.Faint, "  "+completion)
	}
	return line.Fit(state.Theme, width)
}

// editorBody draws the editor with the problem of its text. In an empty console it draws
// the list of texts to start from instead.
func (c *Screen) editorBody(state *app.State, box widget.Box) string {
	if c.showsBeginnings() {
		c.beginnings.Resize(box)
		return c.beginnings.View(state.Theme)
	}
	shownProblem := c.problem
	if shownProblem == nil && c.outcome != nil {
		shownProblem = c.outcome.problem
	}
	return c.editor.view(state.Theme, box, c.isTyping, shownProblem)
}

// The arguments of [app.VerdictSign].
const (
	isAccepted = true
	isRefused  = false
)

// resultLines describes the outcome of the message in the editor: why it failed or would
// fail, the answer to a query, or what the message changes. If nothing was tried, it says
// why, or returns nil.
func (c *Screen) resultLines(state *app.State) []widget.Line {
	tried := c.outcome
	switch {
	case tried == nil:
		return c.untriedLines(state)
	case tried.fault != "":
		return []widget.Line{widget.Styled(themes.Bad, themes.GlyphNo+" "+tried.fault)}
	case tried.refusal != nil:
		return c.refusalLines(state)
	case tried.problem != nil:
		return []widget.Line{app.VerdictSign(isRefused).Text(tried.problem.text)}
	case tried.kind == queryMessage:
		return c.answerLines(state)
	}
	return c.changeLines(state)
}

// untriedLines says why the text in the editor was not tried. It returns nil if there is no
// special reason.
func (c *Screen) untriedLines(state *app.State) []widget.Line {
	lock := state.LockReason()
	if c.kind != noMessage && lock != nil {
		return []widget.Line{widget.Styled(themes.Warn, themes.GlyphWarn+" "+lock.Error())}
	}
	if c.asksOnlyWhenSent(state) {
		return []widget.Line{widget.Muted("ctrl+s asks; a query counts as a message")}
	}
	return nil
}

// refusalLines describes why the contract refuses a message or a query.
func (c *Screen) refusalLines(state *app.State) []widget.Line {
	verdict := state.WithRuleBookNote("would be refused")
	if c.sent != nil || c.outcome.kind == queryMessage {
		verdict = "refused"
	}
	refusal := c.outcome.refusal
	lines := []widget.Line{
		app.VerdictSign(isRefused).Append(themes.Bad, verdict).Muted(" (" + string(refusal.Kind) + ")"),
		widget.Plain("  " + state.RefusalText(refusal.Kind, refusal.Text)),
	}
	lines = append(lines, c.outcome.remarkLines()...)
	return append(lines, c.differenceLines(state)...)
}

// answerLines returns the answer to a query as indented JSON.
func (c *Screen) answerLines(state *app.State) []widget.Line {
	height := human.Thousands(state.Clock.Height)
	lines := c.differenceLines(state)
	lines = append(lines, app.VerdictSign(isAccepted).Muted("answered at height "+height))
	lines = append(lines, c.outcome.remarkLines()...)
	lines = append(lines, nil)
	return append(lines, jsonWithNames(state, c.outcome.answer)...)
}

// changeLines describes a message that the contract accepts. The lines have what the message
// changes or has changed, and the contract's response.
func (c *Screen) changeLines(state *app.State) []widget.Line {
	receipt := c.outcome.receipt
	lines := []widget.Line{c.verdictLine(state)}
	bullet := widget.Muted("  " + themes.GlyphDot + " ")
	for _, change := range explain.Describe(state.Layout, receipt.Changes, state.DisplayName) {
		lines = append(lines, bullet.Text(change))
	}
	if len(receipt.Changes) == 0 {
		lines = append(lines, widget.Muted("  "+themes.GlyphDot+" nothing changes"))
	}
	lines = append(lines, c.outcome.remarkLines()...)
	lines = append(lines, c.differenceLines(state)...)
	lines = append(lines, nil, widget.Header("Answer"))
	answer := jsonWithNames(state, wire.Encode(receipt.Response))
	return append(lines, app.Indent(answer)...)
}

// verdictLine says whether a message was carried out, or would be if it were sent.
func (c *Screen) verdictLine(state *app.State) widget.Line {
	switch {
	case c.sent != nil:
		step := fmt.Sprintf(", step #%d of the history", c.outcome.receipt.Node)
		return app.VerdictSign(isAccepted).Append(themes.Good, "carried out").Muted(step)
	case c.outcome.kind == instantiateMessage:
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
func (c *Screen) differenceLines(state *app.State) []widget.Line {
	if c.outcome.difference == nil {
		return nil
	}
	_, resultBox := c.panes()
	lines := []widget.Line{
		nil,
		widget.Styled(themes.Warn, themes.GlyphWarn+" the built-in contract differs"),
	}
	lines = append(lines, state.DifferenceLines(*c.outcome.difference, resultBox.W)...)
	return append(lines, nil)
}

// remarkLines returns a line for each member of the message that the contract ignores, and
// for each text that the contract logged.
func (o *outcome) remarkLines() []widget.Line {
	var lines []widget.Line
	for _, member := range o.receipt.IgnoredMembers {
		lines = append(lines, widget.Styled(themes.Warn, themes.GlyphWarn+" "+member.String()))
	}
	for _, text := range o.receipt.LogLines {
		lines = append(lines, widget.Muted("  debug ").Text(text))
	}
	return lines
}

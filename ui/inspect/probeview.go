package inspect

import (
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// attemptBar returns the line above the detail. It lists the actions that the grant under
// the cursor can be tried with, and highlights the chosen one, as in "as bob transfer  send
// burn". If they don't fit, the line has only the chosen action and "1 of 3".
func (p *probe) attemptBar(state *app.State, box widget.Box) string {
	row, hasRow := p.browser.Table.Cursor()
	if !hasRow {
		return widget.Fit("", box.W)
	}
	probed := row.OwnerData.(probedGrant)
	chosenIndex := probed.clampAttemptIndex(p.attemptIndex)

	sender := widget.Muted("as ").Strong(state.DisplayName(probed.grant.Spender)).Muted("  ")
	bar := sender
	for i, attempt := range probed.attempts {
		role := themes.Muted
		if i == chosenIndex {
			role = themes.Selected
		}
		bar = bar.Append(role, " "+attempt.action+" ").Text(" ")
	}

	// If that is too wide, show only the chosen action. The last cell of the bar is blank, so
	// it may be cut off.
	if bar.Width() > box.W+1 && chosenIndex >= 0 {
		bar = sender.
			Append(themes.Selected, " "+probed.attempts[chosenIndex].action+" ").
			Muted(fmt.Sprintf(" %d of %d", chosenIndex+1, len(probed.attempts)))
	}
	return bar.Fit(state.Theme, box.W)
}

// resultLines returns the detail: the message that was tried, the answers around
// the expiry, and what they mean. If nothing could be tried, it says why. A dialog of few
// lines leaves out the message and the blank lines.
func (p *probe) resultLines(state *app.State, result probeResult, width int) []widget.Line {
	_, box := p.browser.Split()
	isLow := box.H < form.LowDialogHeight

	var lines []widget.Line
	if !isLow && len(result.attempts) > 0 {
		msg := cw721.Encode(result.attempts[result.attemptIndex].msg)
		text := widget.Fit(widget.Safe(string(msg)), width)
		lines = append(lines, widget.Faint(text))
	}
	if !isLow {
		lines = append(lines, nil)
	}

	expires := result.grant.Expires
	sign := widget.Styled(themes.Warn, themes.GlyphInfo+" ")
	switch {
	case expires.Axis == cw721.Never:
		return append(lines, sign.Append(themes.Warn, "this grant never expires, so there is no boundary to probe"))
	case len(result.attempts) == 0:
		owner := state.DisplayName(result.grant.Owner)
		return append(lines, sign.Append(themes.Warn, owner+" owns no token now that this grant could be tried on"))
	}

	lines = append(lines, probeRowLines(state, expires.Axis, result.rows, width)...)
	if !isLow {
		lines = append(lines, nil)
	}
	conclusion := "A grant has expired in the very block that it names. Nothing was changed."
	if explain.SameOnBothSides(result.rows) {
		conclusion = "The answer is the same on both sides: another grant carries on beyond this expiry. Nothing was changed."
	}
	return append(lines, widget.Muted(conclusion))
}

// Widths of the columns of probeRowLines, in cells.
const (
	offsetCells    = 11 // the distance from the expiry: "expiry + 1"
	minBlockCells  = 16 // the block: "height 1,109"
	blockGapCells  = 2  // the space behind the block
	verdictCells   = 2  // the sign before an answer
	minAnswerCells = 32 // with less room, each answer is on the lines below its block
)

// probeRowLines returns a table of the blocks around an expiry with the contract's answers,
// such as "expiry − 1  height 1,109  ✓ ape-04 goes to bob". If there is too little room
// beside the blocks, each answer is below its block. A long answer takes several lines,
// which are aligned behind its sign.
func probeRowLines(state *app.State, axis cw721.Axis, rows []explain.ProbeRow, width int) []widget.Line {
	// The column of the blocks is as wide as the widest one.
	blocks := make([]string, len(rows))
	blockCells := minBlockCells
	for i, row := range rows {
		blocks[i] = blockText(state, axis, row.Block)
		blockCells = max(blockCells, widget.Width(blocks[i]))
	}
	blockCells += blockGapCells

	answerIndent := offsetCells + blockCells
	fitsBeside := width-answerIndent >= minAnswerCells
	if !fitsBeside {
		answerIndent = 2
	}
	answerCells := max(width-answerIndent-verdictCells, 2)

	offsetNames := map[int]string{-1: "expiry − 1", 0: "expiry", 1: "expiry + 1"}
	var lines []widget.Line
	for i, row := range rows {
		offsetName := widget.Fit(offsetNames[row.Offset], offsetCells)
		prefix := widget.Header(offsetName).Text(widget.Fit(blocks[i], blockCells))
		if !fitsBeside {
			lines = append(lines, prefix)
			prefix = widget.Plain(strings.Repeat(" ", answerIndent))
		}

		// The first line of the answer has the sign. The other lines are aligned behind it.
		prefix = append(prefix, app.VerdictSign(row.Receipt.Refusal == nil)...)
		for _, line := range probeAnswer(state, row, answerCells) {
			lines = append(lines, append(prefix, line...))
			prefix = widget.Plain(strings.Repeat(" ", answerIndent+verdictCells))
		}
	}
	return lines
}

// probeAnswer says what the message does in one of the blocks, or why it is refused there.
// Below that is the rule that allows the message, if there is one.
func probeAnswer(state *app.State, row explain.ProbeRow, width int) []widget.Line {
	answer := state.Summary(row.Receipt)
	if refusal := row.Receipt.Refusal; refusal != nil {
		answer = state.RefusalText(refusal.Kind, refusal.Text)
	}
	var lines []widget.Line
	for _, text := range widget.Wrap(widget.Safe(answer), width) {
		lines = append(lines, widget.Styled(themes.Text, text))
	}
	if row.AllowedBy != "" {
		for _, text := range widget.Wrap(widget.Safe(row.AllowedBy), width) {
			lines = append(lines, widget.Muted(text))
		}
	}
	return lines
}

// blockText writes a block as the expiry is written: as "height 1,109", or as a time.
func blockText(state *app.State, axis cw721.Axis, block cw721.Block) string {
	if axis == cw721.AtHeight {
		return "height " + human.Thousands(block.Height)
	}
	if state.Times == app.Exact {
		return fmt.Sprintf("%d ns", block.Time)
	}
	return human.Time(block.Time) + " UTC"
}

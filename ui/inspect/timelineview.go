package inspect

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// View draws the rulers, the bars of the grants, and the details of the selected grant.
// A low dialog omits the ruler of times.
func (t *timeline) View(state *app.State) string {
	inner := widget.FrameInner(t.box)
	isLow := inner.H < form.LowDialogHeight

	rulers := t.rulers(state, inner.W)
	if isLow {
		rulers = rulers[:len(rulers)-1] // without the times
	}

	// The bars take the height that rulers and details leave.
	details := t.grantLines(state, inner, isLow)
	barsHeight := max(inner.H-len(rulers)-len(details), 1)
	bars := t.barLines(state, barsHeight)

	lines := slices.Concat(rulers, bars, details)
	title := "Timeline"
	if t.reading != nil && len(t.reading.grants) > 0 {
		number := t.reading.indexOf(t.selectedKey) + 1
		title += fmt.Sprintf(" · grant %d of %d", number, len(t.reading.grants))
	}
	return widget.Frame(state.Theme, title, strings.Join(lines, "\n"), t.box, widget.HiddenCounts{})
}

// labelCells returns the width of the labels left of the bars: a third of the dialog,
// but between 8 and 30 cells.
func (t *timeline) labelCells() int { return min(30, max(widget.FrameInner(t.box).W/3, 8)) }

// barCells returns the width of the bars in cells, at least 1.
func (t *timeline) barCells() int {
	return max(widget.FrameInner(t.box).W-t.labelCells()-2, 1)
}

// rulers returns the three lines above the bars. The first describes the block of the
// cursor. The other two are rulers of heights and of times, with a tick and a text every
// few cells.
func (t *timeline) rulers(state *app.State, width int) []string {
	scaleLabel := " " + human.Plural(blocksPerCell[t.zoom], "block") + " a cell"
	return []string{
		t.cursorLine(state, width).Fit(state.Theme, width),
		t.ruler(state.Theme, width, scaleLabel, human.Thousands[cw721.Height]),
		t.ruler(state.Theme, width, " UTC", func(height cw721.Height) string {
			block, isKnown := t.reading.blockAt(cw721.UntilHeight(height), state.Clock)
			if !isKnown { // the block is before the recorded ones
				return ""
			}
			return t.tickTime(block.Time)
		}),
	}
}

// cursorLine describes the block of the cursor and how many grants are in force there, such
// as "height 1,110 in 8 blocks · 12:00:45 UTC · ● 3 live". If there is room, the time has
// its date. If there is too little room, the time is left out.
func (t *timeline) cursorLine(state *app.State, width int) widget.Line {
	now := state.Clock.Height
	line := widget.Styled(themes.Strong, " height "+human.Thousands(t.cursor))
	switch {
	case t.cursor > now:
		line = line.Muted(" in " + human.Plural(t.cursor-now, "block"))
	case t.cursor < now:
		line = line.Append(themes.Warn, " "+human.Plural(now-t.cursor, "block")+" ago")
	default:
		line = line.Append(themes.Accent, " now")
	}
	if t.fault != "" {
		return line.Append(themes.Bad, "  "+themes.GlyphNo+" "+t.fault)
	}
	if t.reading == nil {
		return line.Muted("  reading" + themes.GlyphEllipsis)
	}

	// Try the time with its date, then the time of day, then none.
	counts := t.reading.countLine()
	dateAndTime := app.TimeToSecond(t.reading.block.Time)
	timeOfDay := dateAndTime[strings.IndexByte(dateAndTime, ' ')+1:]
	for _, text := range []string{dateAndTime, timeOfDay} {
		withTime := append(line.Muted(" · "+text+" UTC"), counts...)
		if withTime.Width() <= width {
			return withTime
		}
	}
	return append(line, counts...)
}

// countLine says how many of the grants are in force at the cursor, and how many have
// expired there, such as "● 3 live  ○ 1 expired". A plus, as in "250+", means that there
// are more grants than the timeline draws.
func (r *timelineReading) countLine() widget.Line {
	expiredCount := 0
	for _, entry := range r.grants {
		if entry.Expires.HasExpired(r.block) {
			expiredCount++
		}
	}
	plus := ""
	if r.hasMore {
		plus = "+"
	}
	return widget.Muted(" · ").
		Append(themes.Live, fmt.Sprintf("%s %d%s live", themes.GlyphLive, len(r.grants)-expiredCount, plus)).
		Append(themes.Expired, fmt.Sprintf("  %s %d expired", themes.GlyphExpired, expiredCount))
}

// ruler returns a label and a ruler, whose ticks have texts for the heights of their cells.
func (t *timeline) ruler(
	theme *themes.Theme,
	width int,
	label string,
	textAt func(cw721.Height) string,
) string {
	// The heights become wider to the right, so the last one determines the distance of
	// ticks.
	const minCellsPerTick = 14
	lastText := human.Thousands(t.heightAt(t.barCells()))
	cellsPerTick := max(minCellsPerTick, widget.Width(lastText)+2)

	var ticks strings.Builder
	for cell := 0; cell < t.barCells(); cell += cellsPerTick {
		tickCells := min(cellsPerTick, t.barCells()-cell)
		text := textAt(t.heightAt(cell))
		if widget.Width(text) >= tickCells { // a number without its last digits would mislead
			text = ""
		}
		ticks.WriteString(widget.Fit(themes.GlyphSide+text, tickCells))
	}
	label = widget.Fit(label, t.labelCells()+1)
	line := theme.Render(themes.Muted, label) + theme.Render(themes.Faint, ticks.String())
	return widget.Fit(line, width)
}

// heightAt returns the first height in a cell of the bars.
func (t *timeline) heightAt(cell int) cw721.Height {
	return t.firstHeight + cw721.Height(uint64(cell)*blocksPerCell[t.zoom])
}

// tickTime returns the text for the time of a tick, such as "12-01 09:00". At fine scales,
// where all ticks are usually on one day, it is the time of day, such as "09:00:00".
func (t *timeline) tickTime(blockTime cw721.Time) string {
	const dateAndTimeLength = len("2026-12-01 09:00:00")
	const maxBlocksForSeconds = 5 // per cell
	const minCellsForWholeTime = 2000
	text := app.TimeToSecond(blockTime)

	// Show all of it if there is room, or if the year does not have four digits.
	if len(text) != dateAndTimeLength || t.barCells() >= minCellsForWholeTime {
		return text
	}
	if blocksPerCell[t.zoom] <= maxBlocksForSeconds {
		return text[len("2026-12-01 "):]
	}
	return text[len("2026-"):len("2026-12-01 09:00")]
}

// grantLines describes the selected grant, and what it permits in the block of the cursor.
// If the dialog is low, grantLines leaves out when the grant was given, its expiry, and the
// reasons.
func (t *timeline) grantLines(state *app.State, inner widget.Box, isLow bool) []string {
	lines := []string{app.RuleAcross(state, inner.W, false)}
	entry, hasGrant := t.selectedGrant()
	if !hasGrant {
		return lines
	}

	title := widget.Header(" " + state.GrantLabel(entry)).Muted("  ")
	if !isLow {
		// Say when it was given, when it expires, and whether its spender can renew it.
		expiryText := ""
		if entry.Expires.Axis != cw721.Never {
			expiryText = "until " + human.Expiry(entry.Expires) + " · "
		}
		if t.reading.realExpiries.IsLaterThanStored(entry.Grant) {
			expiryText += app.RenewableHint + ", W shows how · "
		}
		if entry.GrantedAt.Height > 0 { // otherwise it is not known
			title = title.Muted("given at height " + human.Thousands(entry.GrantedAt.Height) + " · ")
		}
		title = title.Text(expiryText)
	}
	title = title.Muted(human.ExpiresIn(entry.Expires, t.reading.block))

	access := accessLines(t.reading.access, state.DisplayName(entry.Spender), isLow)
	for _, line := range append([]widget.Line{title}, access...) {
		for _, part := range widget.WrapLine(line, inner.W) {
			lines = append(lines, part.Fit(state.Theme, inner.W))
		}
	}
	return lines
}

// accessLines describes what one spender may do, such as "✓ bob transfer, send  approval in
// force". Consecutive actions share a line if they have the same verdict and reason. If
// isBrief is true, the reasons are left out, so actions with the same verdict share a line.
func accessLines(verdicts []actionVerdict, spenderName string, isBrief bool) []widget.Line {
	var lines []widget.Line
	var actions []string // the actions of the line that comes next
	for i, verdict := range verdicts {
		if verdict.action == "" {
			lines = append(lines, widget.Muted("  "+verdict.reason))
			continue
		}
		actions = append(actions, verdict.action)

		if i+1 < len(verdicts) {
			next := verdicts[i+1]
			if next.isAllowed == verdict.isAllowed && (isBrief || next.reason == verdict.reason) {
				continue // the next action shares the line
			}
		}
		line := append(widget.Plain("  "), app.VerdictSign(verdict.isAllowed)...)
		line = line.Strong(spenderName).Text(" " + strings.Join(actions, ", ") + "  ")
		if !isBrief {
			line = line.Muted(verdict.reason)
		}
		lines = append(lines, line)
		actions = nil
	}
	return lines
}

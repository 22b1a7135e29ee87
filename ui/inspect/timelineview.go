package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// actionVerdict says whether the spender of a grant may do an action in the block for which
// it was asked, and why.
type actionVerdict struct {
	action    string // such as "transfer"; empty if there is nothing to decide
	isAllowed bool
	reason    string // what the deciding rule says, or why there is nothing to decide
}

// readAccess asks the contract's decision function whether the spender of a grant may
// do each action that the grant is for, at the block of a view.
func readAccess(
	view *chain.View,
	grant cw721.Grant,
	nameOf func(cw721.Address) string,
) ([]actionVerdict, error) {
	attempts, err := attemptsWith(view, grant, nil)
	if err != nil {
		return nil, err
	}
	if len(attempts) == 0 {
		return []actionVerdict{{reason: nameOf(grant.Owner) + " owns no token at that block"}}, nil
	}

	var verdicts []actionVerdict
	for _, attempt := range attempts {
		explanation, err := explain.WhyMessage(view, grant.Spender, attempt.action, attempt.msg)
		if err != nil {
			// There is no such token in that block, so the other actions would fail, too.
			return append(verdicts, actionVerdict{reason: err.Error()}), nil
		}

		// Every decision tries at least one rule.
		decidingRule, exists := explanation.DecidingRule()
		if !exists {
			decidingRule = explanation.Rules[0]
		}
		verdicts = append(verdicts, actionVerdict{
			action:    attempt.action,
			isAllowed: explanation.Decision.Allowed,
			reason:    decidingRule.Text,
		})
	}
	return verdicts, nil
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

		// Wait for the next action if it can share the line.
		isLast := i+1 == len(verdicts)
		if !isLast && verdict.sharesLine(verdicts[i+1], isBrief) {
			continue
		}

		// Write the line about the actions so far.
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

// sharesLine reports whether [accessLines] writes two verdicts on one line. They must be the
// same, and so must their reasons if these are shown.
func (v actionVerdict) sharesLine(other actionVerdict, isBrief bool) bool {
	return v.isAllowed == other.isAllowed && (isBrief || v.reason == other.reason)
}

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

// columnAt returns the index of the cell that shows a block in the bars. blocksFromClock is
// the distance of that block from the current one, negative for a past block. The result is
// -1 if the block is left of the visible range. If it is right of that range, the result is
// the width of the bars.
func (t *timeline) columnAt(state *app.State, blocksFromClock float64) int {
	blocksToLeftEdge := float64(t.firstHeight) - float64(state.Clock.Height)
	column := math.Floor((blocksFromClock - blocksToLeftEdge) / float64(blocksPerCell[t.zoom]))
	rightOfBars := float64(t.barCells())
	return int(max(-1, min(column, rightOfBars)))
}

// heightColumn returns the cell that shows a height, as columnAt does.
func (t *timeline) heightColumn(state *app.State, height cw721.Height) int {
	return t.columnAt(state, float64(height)-float64(state.Clock.Height))
}

// expiryColumn returns the index of the cell that shows an expiry in the bars. It is -1 if
// the expiry is left of the visible range. It is the width of the bars if the expiry is
// right of that range or never comes. A future time is converted to blocks by the clock's
// seconds per block, and a past time is looked up in the history.
func (t *timeline) expiryColumn(state *app.State, expires cw721.Expiration) int {
	switch expires.Axis {
	case cw721.Never:
		return t.barCells()
	case cw721.AtHeight:
		return t.heightColumn(state, cw721.Height(expires.Value))
	}
	isPast := expires.Value < uint64(state.Clock.Time)
	if isPast {
		return t.heightColumn(state, t.reading.expiryHeight(expires, state.Clock))
	}
	nanoseconds := float64(expires.Value) - float64(state.Clock.Time)
	blockNanoseconds := float64(state.Clock.SecondsPerBlock * nanosecondsPerSecond)
	return t.columnAt(state, nanoseconds/blockNanoseconds)
}

// rulers returns the three lines above the bars. The first describes the block of the
// cursor. The other two are rulers of heights and of times, with a tick and a text every
// few cells.
func (t *timeline) rulers(state *app.State, width int) []string {
	timeText := func(height cw721.Height) string {
		block, isKnown := t.reading.blockAt(cw721.UntilHeight(height), state.Clock)
		if !isKnown { // the block is before the recorded ones
			return ""
		}
		return t.tickTime(block.Time)
	}
	scaleLabel := " " + human.Plural(blocksPerCell[t.zoom], "block") + " a cell"
	return []string{
		t.cursorLine(state, width).Fit(state.Theme, width),
		t.ruler(state.Theme, width, scaleLabel, human.Thousands[cw721.Height]),
		t.ruler(state.Theme, width, " UTC", timeText),
	}
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
		ticks.WriteString(tickText(textAt(t.heightAt(cell)), tickCells))
	}
	label = widget.Fit(label, t.labelCells()+1)
	line := theme.Render(themes.Muted, label) + theme.Render(themes.Faint, ticks.String())
	return widget.Fit(line, width)
}

// heightAt returns the first height in a cell of the bars.
func (t *timeline) heightAt(cell int) cw721.Height {
	return t.firstHeight + cw721.Height(uint64(cell)*blocksPerCell[t.zoom])
}

// tickText returns one tick of a ruler with its text, such as "│1,100". The result is as
// wide as a number of cells. A text that does not fit is left out, because a number without
// its last digits would mislead.
func tickText(text string, cells int) string {
	if widget.Width(text) >= cells {
		text = ""
	}
	return widget.Fit(themes.GlyphSide+text, cells)
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

// cursorLine describes the block of the cursor and how many grants are in force there, such
// as "height 1,110 in 8 blocks · 12:00:45 UTC · ● 3 live". If there is room, the time has
// its date. If there is too little room, the time is left out.
func (t *timeline) cursorLine(state *app.State, width int) widget.Line {
	line := t.distanceLine(state.Clock.Height)
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

// distanceLine returns the height of the cursor and how far it is from the current height,
// such as "height 1,110 in 8 blocks".
func (t *timeline) distanceLine(currentHeight cw721.Height) widget.Line {
	line := widget.Styled(themes.Strong, " height "+human.Thousands(t.cursor))
	switch {
	case t.cursor > currentHeight:
		return line.Muted(" in " + human.Plural(t.cursor-currentHeight, "block"))
	case t.cursor < currentHeight:
		return line.Append(themes.Warn, " "+human.Plural(currentHeight-t.cursor, "block")+" ago")
	}
	return line.Append(themes.Accent, " now")
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

// groupTitles are the headings of the three groups of bars in the timeline of grants.
var groupTitles = map[cw721.Axis]string{
	cw721.AtHeight: "EXPIRE AT A HEIGHT",
	cw721.AtTime:   "EXPIRE AT A TIME",
	cw721.Never:    "NEVER EXPIRE",
}

// barLines returns the lines with the bars of the grants, at most height lines. The bars
// are in three groups with headings: grants that expire at a height, grants that expire at
// a time, and grants that never expire. If not all lines fit, the selected grant is in the
// middle.
func (t *timeline) barLines(state *app.State, height int) []string {
	if t.reading == nil {
		return nil
	}
	theme := state.Theme
	width := widget.FrameInner(t.box).W

	var lines []string
	selectedLine := 0
	for i, entry := range t.reading.grants {
		// The grants are ordered by the axis of their expiry, so a new axis begins a group.
		axis := entry.Expires.Axis
		beginsGroup := i == 0 || axis != t.reading.grants[i-1].Expires.Axis
		if beginsGroup {
			heading := theme.Render(themes.Header, " "+groupTitles[axis])
			lines = append(lines, widget.Fit(heading, width))
		}

		isSelected := grantKey(entry.Grant) == t.selectedKey
		if isSelected {
			selectedLine = len(lines)
		}
		line := t.grantLabel(state, entry, isSelected) + t.bar(state, entry)
		lines = append(lines, widget.Fit(line, width))
	}
	if len(lines) == 0 {
		hint := widget.Muted(" nothing expires from here on; 0 is now, - shows more")
		lines = append(lines, hint.Fit(theme, width))
	}

	// Cut out the lines around the selected grant.
	top := max(0, min(selectedLine-height/2, len(lines)-height))
	return lines[top:min(top+height, len(lines))]
}

// grantLabel returns the text left of a grant's bar: whether it is selected, whether it
// is in force at the cursor, and who gave what to whom.
func (t *timeline) grantLabel(state *app.State, entry expiry.Entry, isSelected bool) string {
	pointer := "  "
	textRole := themes.Text
	if isSelected {
		pointer = themes.GlyphPointer + " "
		textRole = themes.Strong
	}
	sign, signRole := app.LivenessSign(entry.Expires, t.reading.block)
	line := widget.Styled(themes.Accent, pointer).
		Append(signRole, sign+" ").
		Append(textRole, state.GrantLabel(entry))
	return line.Fit(state.Theme, t.labelCells()) + " "
}

// barColumns are the cells at which the bar of one grant changes its look, counted from
// 0. A cell left of the visible range is -1. A cell right of it is one more than
// lastCell.
type barColumns struct {
	given     int // where the grant begins
	expiry    int // where the grant expires
	accessEnd int // where the spender really loses access; never before expiry
	cursor    int // the cursor of the timeline
	clock     int // the current block of the chain

	lastCell   int  // the last visible cell
	hasExpired bool // whether the grant has expired at the cursor
}

// bar draws a grant as a line from the block in which it was given to its expiry. If that block
// is not known, the line begins left of the visible range. The line is thin before the cursor
// and heavy behind it. A sign marks the expiry, and is
// hollow if the grant has expired at the cursor. In the very block of its expiry a grant
// has expired already. If the spender keeps access after the expiry, a thin line in another
// colour continues the bar.
func (t *timeline) bar(state *app.State, entry expiry.Entry) string {
	columns := barColumns{
		given:      t.heightColumn(state, entry.GrantedAt.Height),
		expiry:     t.expiryColumn(state, entry.Expires),
		accessEnd:  t.expiryColumn(state, t.reading.realExpiries.ExpiryOf(entry.Grant)),
		cursor:     t.heightColumn(state, t.cursor),
		clock:      t.heightColumn(state, state.Clock.Height),
		lastCell:   t.barCells() - 1,
		hasExpired: entry.Expires.HasExpired(t.reading.block),
	}

	// Draw cell by cell.
	var bar strings.Builder
	for cell := range t.barCells() {
		role, sign := columns.sign(cell)
		if sign == " " {
			bar.WriteString(sign)
		} else {
			bar.WriteString(state.Theme.Render(role, sign))
		}
	}
	return bar.String()
}

// sign returns the character that is drawn in one cell of a grant's bar, and the role that
// gives its colour. A cell can hold several things, such as the expiry and the clock; the
// first case that fits is drawn.
func (b barColumns) sign(cell int) (themes.Role, string) {
	grantRole := themes.Live
	expirySign := themes.GlyphExpiry
	if b.hasExpired {
		grantRole = themes.Expired
		expirySign = themes.GlyphExpired
	}
	isInGrant := cell >= b.given && cell < b.expiry
	isPast := cell < b.cursor || b.hasExpired

	switch {
	case cell == b.expiry && cell == b.cursor:
		return themes.Caret, expirySign
	case cell == b.expiry:
		return grantRole, expirySign
	case cell == b.cursor:
		return themes.Accent, themes.GlyphNow
	case cell == b.lastCell && b.expiry > b.lastCell:
		return grantRole, themes.GlyphArrow // the grant goes on beyond the edge
	case isInGrant && isPast:
		return themes.Expired, themes.GlyphLine
	case isInGrant:
		return grantRole, themes.GlyphHeavy
	case cell == b.lastCell && cell < b.accessEnd:
		return themes.Warn, themes.GlyphArrow // the spender has access beyond the edge
	case cell > b.expiry && cell < b.accessEnd:
		return themes.Warn, themes.GlyphLine
	case cell == b.clock:
		return themes.Border, themes.GlyphSide
	}
	return themes.Text, " "
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

	// Then say what its spender may do in the block of the cursor.
	access := accessLines(t.reading.access, state.DisplayName(entry.Spender), isLow)
	textLines := append([]widget.Line{title}, access...)
	for _, line := range textLines {
		for _, part := range widget.WrapLine(line, inner.W) {
			lines = append(lines, part.Fit(state.Theme, inner.W))
		}
	}
	return lines
}

package inspect

import (
	"fmt"
	"math"
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

// actionVerdict says whether the spender of a grant may do an action at a block.
type actionVerdict struct {
	action  string // such as "transfer"; "" if there is nothing to decide
	allowed bool
	reason  string // the rule that decides, or why there is nothing to decide
}

// readAccess asks the contract's decision function whether the spender of a grant may
// do each action that the grant is for, at the block of a view.
func readAccess(v *chain.View, grant cw721.Grant, nameOf func(cw721.Address) string) ([]actionVerdict, error) {
	attempts, err := attemptsWith(v, grant, nil)
	if err != nil {
		return nil, err
	}
	if len(attempts) == 0 {
		return []actionVerdict{{reason: nameOf(grant.Owner) + " owns no token at that block"}}, nil
	}

	var verdicts []actionVerdict
	for _, attempt := range attempts {
		explanation, err := explain.WhyMessage(v, grant.Spender, attempt.action, attempt.msg)
		if err != nil {
			// There was no such token at that block: the other actions fail in the same way.
			return append(verdicts, actionVerdict{reason: err.Error()}), nil
		}
		decidingRule, exists := explanation.DecidingRule()
		if !exists {
			decidingRule = explanation.Rules[0]
		}
		verdicts = append(verdicts, actionVerdict{
			action:  attempt.action,
			allowed: explanation.Decision.Allowed,
			reason:  decidingRule.Text,
		})
	}
	return verdicts, nil
}

// accessLines writes verdicts about one spender, such as "✓ bob transfer, send
// approval in force". Consecutive actions with the same verdict and reason share a
// line. A brief text omits the reasons, so only the verdicts need to be the same.
func accessLines(verdicts []actionVerdict, spender string, isBrief bool) []widget.Line {
	var lines []widget.Line
	var actions []string
	for i, verdict := range verdicts {
		if verdict.action == "" {
			lines = append(lines, widget.Muted("  "+verdict.reason))
			continue
		}
		actions = append(actions, verdict.action)

		// Wait for the next action if it can share the line.
		if i+1 < len(verdicts) {
			next := verdicts[i+1]
			sharesLine := next.allowed == verdict.allowed && (isBrief || next.reason == verdict.reason)
			if sharesLine {
				continue
			}
		}

		line := append(widget.Plain("  "), app.VerdictSign(verdict.allowed)...)
		line = line.Strong(spender).Text(" " + strings.Join(actions, ", ") + "  ")
		if !isBrief {
			line = line.Muted(verdict.reason)
		}
		lines = append(lines, line)
		actions = nil
	}
	return lines
}

// View draws the rulers, the bars of the grants, and the details of the selected grant.
// A low dialog omits the ruler of times.
func (t *timeline) View(st *app.State) string {
	inner := widget.FrameInner(t.box)
	isLow := inner.H < form.LowDialogHeight

	rulers := t.rulers(st, inner.W)
	if isLow {
		rulers = rulers[:len(rulers)-1] // without the times
	}

	// The bars take the height that rulers and details leave.
	details := t.grantLines(st, inner, isLow)
	bars := t.laneLines(st, max(inner.H-len(rulers)-len(details), 1))

	lines := append(rulers, bars...)
	lines = append(lines, details...)
	title := "Timeline"
	if t.reading != nil && len(t.reading.grants) > 0 {
		title += fmt.Sprintf(" · grant %d of %d", t.reading.indexOf(t.selected)+1, len(t.reading.grants))
	}
	return widget.Frame(st.Theme, title, strings.Join(lines, "\n"), t.box, widget.Hidden{})
}

// columnAt returns the cell of the bars that shows a block. The block is given by its
// distance from the current one in blocks, negative for a past block. The result is -1
// for a block left of the visible range, and the width of the bars for one right of it.
func (t *timeline) columnAt(st *app.State, blocksFromClock float64) int {
	blocksToLeftEdge := float64(t.firstHeight) - float64(st.Clock.Height)
	column := math.Floor((blocksFromClock - blocksToLeftEdge) / float64(blocksPerCell[t.zoom]))
	return int(max(-1, min(column, float64(t.barCells()))))
}

// heightColumn returns the cell that shows a height, as columnAt does.
func (t *timeline) heightColumn(st *app.State, height cw721.Height) int {
	return t.columnAt(st, float64(height)-float64(st.Clock.Height))
}

// expiryColumn returns the cell that shows an expiry, as columnAt does. A future time is
// converted to blocks by the clock's seconds per block, and a past one as the history
// recorded it. A grant that never expires is right of the visible range.
func (t *timeline) expiryColumn(st *app.State, expires cw721.Expiration) int {
	switch expires.Axis {
	case cw721.Never:
		return t.barCells()
	case cw721.AtHeight:
		return t.heightColumn(st, cw721.Height(expires.Value))
	}
	if isPast := expires.Value < uint64(st.Clock.Time); isPast {
		return t.heightColumn(st, t.reading.expiryHeight(expires, st.Clock))
	}
	nanoseconds := float64(expires.Value) - float64(st.Clock.Time)
	return t.columnAt(st, nanoseconds/float64(st.Clock.SecondsPerBlock*nanosecondsPerSecond))
}

// rulers returns the three lines above the bars: the description of the cursor, the
// heights, and the times. The last two have a tick with a text every few cells.
func (t *timeline) rulers(st *app.State, width int) []string {
	th := st.Theme
	lastInView := t.firstHeight + cw721.Height(uint64(t.barCells())*blocksPerCell[t.zoom])
	cellsPerTick := max(14, widget.Width(human.Thousands(lastInView))+2)

	// Write both rulers tick by tick.
	var heights, times strings.Builder
	for cell := 0; cell < t.barCells(); cell += cellsPerTick {
		tickCells := min(cellsPerTick, t.barCells()-cell)
		height := t.firstHeight + cw721.Height(uint64(cell)*blocksPerCell[t.zoom])
		heights.WriteString(tickText(human.Thousands(height), tickCells))
		timeText := "" // before the recorded blocks
		if block, isKnown := t.reading.blockAt(cw721.UntilHeight(height), st.Clock); isKnown {
			timeText = t.tickTime(block.Time)
		}
		times.WriteString(tickText(timeText, tickCells))
	}

	// The scale stands at the left of the heights.
	ruler := func(label, ticks string) string {
		label = widget.Fit(label, t.labelCells()+1)
		return widget.Fit(th.Render(themes.Muted, label)+th.Render(themes.Faint, ticks), width)
	}
	scale := fmt.Sprintf(" %s a cell", human.Plural(blocksPerCell[t.zoom], "block"))
	return []string{
		t.cursorLine(st, width).Fit(th, width),
		ruler(scale, heights.String()),
		ruler(" UTC", times.String()),
	}
}

// tickText returns one tick of a ruler with its text, such as "│1,100", in a number of
// cells. A text that does not fit is left out, since a number that is cut off would
// mislead.
func tickText(text string, cells int) string {
	if widget.Width(text) >= cells {
		text = ""
	}
	return widget.Fit(themes.GlyphSide+text, cells)
}

// tickTime writes the time of a tick: without the year, and at the finest scales, where
// all ticks are of one day, without the date.
func (t *timeline) tickTime(blockTime cw721.Time) string {
	const dateAndTime = len("2026-12-01 09:00:00")
	const maxBlocksForSeconds = 5
	text := app.TimeToSecond(blockTime)
	switch {
	case len(text) != dateAndTime || t.barCells() >= 2000:
		return text // no date of four-digit years, or room for all of it
	case blocksPerCell[t.zoom] <= maxBlocksForSeconds:
		return text[len("2026-12-01 "):]
	}
	return text[len("2026-"):len("2026-12-01 09:00")]
}

// cursorLine describes the block of the cursor and how many grants are in force there,
// such as "height 1,110 in 8 blocks · 12:00:45 UTC · ● 3 live". The time has its date,
// has none, or is omitted, as the width allows.
func (t *timeline) cursorLine(st *app.State, width int) widget.Line {
	line := widget.In(themes.Strong, " height "+human.Thousands(t.cursor))
	switch {
	case t.cursor > st.Clock.Height:
		line = line.Muted(" in " + human.Plural(t.cursor-st.Clock.Height, "block"))
	case t.cursor < st.Clock.Height:
		line = line.And(themes.Warn, " "+human.Plural(st.Clock.Height-t.cursor, "block")+" ago")
	default:
		line = line.And(themes.Accent, " now")
	}
	if t.fault != "" {
		return line.And(themes.Bad, "  "+themes.GlyphNo+" "+t.fault)
	}
	if t.reading == nil {
		return line.Muted("  reading" + themes.GlyphEllipsis)
	}

	// Write the time with its date if there is room, else without, else not at all.
	counts := t.reading.counts()
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

// counts says how many of the listed grants are in force at the cursor, and how many
// have expired there. "250+" means that there are more grants than the timeline draws.
func (f *timelineReading) counts() widget.Line {
	expired := 0
	for _, entry := range f.grants {
		if entry.Expires.Expired(f.block) {
			expired++
		}
	}
	atLeast := ""
	if f.hasMore {
		atLeast = "+"
	}
	return widget.Muted(" · ").
		And(themes.Live, fmt.Sprintf("%s %d%s live", themes.GlyphLive, len(f.grants)-expired, atLeast)).
		And(themes.Expired, fmt.Sprintf("  %s %d expired", themes.GlyphExpired, expired))
}

// laneTitles are the headings of the three groups of bars in the timeline of grants.
var laneTitles = map[cw721.Axis]string{
	cw721.AtHeight: "EXPIRE AT A HEIGHT",
	cw721.AtTime:   "EXPIRE AT A TIME",
	cw721.Never:    "NEVER EXPIRE",
}

// laneLines returns the bars under the headings of three lanes: grants that expire at a
// height, grants that expire at a time, and grants that never expire. The lines are
// scrolled so that the selected grant is in the middle.
func (t *timeline) laneLines(st *app.State, height int) []string {
	if t.reading == nil {
		return nil
	}
	th := st.Theme
	width := widget.FrameInner(t.box).W

	var lines []string
	selectedLine := 0
	for i, entry := range t.reading.grants {
		axis := entry.Expires.Axis

		// The grants are ordered by axis, so a new axis begins a lane.
		if i == 0 || axis != t.reading.grants[i-1].Expires.Axis {
			lines = append(lines, widget.Fit(th.Render(themes.Header, " "+laneTitles[axis]), width))
		}
		isSelected := grantKey(entry.Grant) == t.selected
		if isSelected {
			selectedLine = len(lines)
		}
		lines = append(lines, widget.Fit(t.grantLabel(st, entry, isSelected)+t.bar(st, entry), width))
	}
	if len(lines) == 0 {
		lines = append(lines, widget.Muted(" nothing expires from here on; 0 is now, - shows more").Fit(th, width))
	}

	// Put the selected grant in the middle.
	top := max(0, min(selectedLine-height/2, len(lines)-height))
	return lines[top:min(top+height, len(lines))]
}

// grantLabel returns the text left of a grant's bar: whether it is selected, whether it
// is in force at the cursor, and who gave what to whom.
func (t *timeline) grantLabel(st *app.State, entry expiry.Entry, isSelected bool) string {
	pointer := "  "
	textRole := themes.Text
	if isSelected {
		pointer = themes.GlyphPointer + " "
		textRole = themes.Strong
	}
	sign, signRole := app.LivenessSign(entry.Expires, t.reading.block)
	line := widget.In(themes.Accent, pointer).And(signRole, sign+" ").And(textRole, st.GrantLabel(entry))
	return line.Fit(st.Theme, t.labelCells()) + " "
}

// barColumns are the cells at which the bar of one grant changes. As columnAt says, a
// cell is -1 left of the visible range and one more than lastCell right of it.
type barColumns struct {
	given      int  // where the grant begins
	expiry     int  // where the grant expires
	realEnd    int  // where its spender loses access; later if another grant continues it
	cursor     int  // the cursor of the timeline
	clock      int  // the current block of the chain
	lastCell   int  // the last visible cell
	hasExpired bool // the grant has expired at the cursor
}

// bar draws a grant from the block in which it was given to its expiry: a thin line
// before the cursor and a heavy line behind it. A sign marks the expiry. The sign is
// hollow if the grant has expired at the cursor, also if the cursor is at the very
// block of the expiry. If another grant gives the spender access beyond the expiry, a
// thin line in another colour continues to the end of that access.
func (t *timeline) bar(st *app.State, entry expiry.Entry) string {
	columns := barColumns{
		given:      t.heightColumn(st, entry.GrantedAt.Height),
		expiry:     t.expiryColumn(st, entry.Expires),
		realEnd:    t.expiryColumn(st, t.reading.realEnds.Of(entry.Grant)),
		cursor:     t.heightColumn(st, t.cursor),
		clock:      t.heightColumn(st, st.Clock.Height),
		lastCell:   t.barCells() - 1,
		hasExpired: entry.Expires.Expired(t.reading.block),
	}

	// Draw cell by cell.
	var bar strings.Builder
	for cell := range t.barCells() {
		role, sign := columns.sign(cell)
		if sign == " " {
			bar.WriteString(sign)
		} else {
			bar.WriteString(st.Theme.Render(role, sign))
		}
	}
	return bar.String()
}

// sign returns the character of one cell of a bar and its role, that is its colour. The
// order of the cases decides which sign wins where several are in one cell.
func (b barColumns) sign(cell int) (themes.Role, string) {
	inForce := themes.Live
	expirySign := themes.GlyphExpiry
	if b.hasExpired {
		inForce = themes.Expired
		expirySign = themes.GlyphExpired
	}
	isInGrant := cell >= b.given && cell < b.expiry
	isPast := cell < b.cursor || b.hasExpired

	switch {
	case cell == b.expiry && cell == b.cursor:
		return themes.Caret, expirySign
	case cell == b.expiry:
		return inForce, expirySign
	case cell == b.cursor:
		return themes.Accent, themes.GlyphNow
	case cell == b.lastCell && b.expiry > b.lastCell:
		return inForce, themes.GlyphArrow
	case isInGrant && isPast:
		return themes.Expired, themes.GlyphLine
	case isInGrant:
		return inForce, themes.GlyphHeavy
	case cell == b.lastCell && cell < b.realEnd:
		return themes.Warn, themes.GlyphArrow
	case cell > b.expiry && cell < b.realEnd:
		return themes.Warn, themes.GlyphLine
	case cell == b.clock:
		return themes.Border, themes.GlyphSide
	}
	return themes.Text, " "
}

// grantLines describes the selected grant, and what it permits at the cursor. A low
// dialog omits when it was given, its expiry, and the rules that decide.
func (t *timeline) grantLines(st *app.State, inner widget.Box, isLow bool) []string {
	lines := []string{app.RuleAcross(st, inner.W, false)}
	entry, hasGrant := t.selectedGrant()
	if !hasGrant {
		return lines
	}

	title := widget.Header(" " + st.GrantLabel(entry)).Muted("  ")
	expiresIn := human.ExpiresIn(entry.Expires, t.reading.block)
	if !isLow {
		// Say when it was given and until when it has effect.
		expires := ""
		if entry.Expires.Axis != cw721.Never {
			expires = "until " + human.Expiry(entry.Expires) + " · "
		}
		if t.reading.realEnds.IsLater(entry.Grant) {
			expires += app.RenewableHint + ", W shows how · "
		}
		given := "given at height " + human.Thousands(entry.GrantedAt.Height) + " · "
		title = title.Muted(given).Text(expires)
	}
	title = title.Muted(expiresIn)

	// Below it stands what its spender may do at the cursor.
	access := accessLines(t.reading.access, st.DisplayName(entry.Spender), isLow)
	for _, line := range append([]widget.Line{title}, access...) {
		for _, part := range widget.WrapLine(line, inner.W) {
			lines = append(lines, part.Fit(st.Theme, inner.W))
		}
	}
	return lines
}

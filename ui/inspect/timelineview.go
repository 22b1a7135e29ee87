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

// actionVerdict is whether an action that a grant is for is allowed at a block.
type actionVerdict struct {
	action  string // empty if there is nothing to decide; reason says why
	allowed bool
	reason  string // the rule that decides
}

// readAccess decides what the spender of a grant may do with it at the block of a
// view.
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
		msg, _, err := v.Contract().DecodeExecute(attempt.msg, nil)
		if err != nil {
			return nil, err
		}
		explanation, err := explain.WhyMessage(v, grant.Spender, attempt.action, msg)
		if err != nil {
			return append(verdicts, actionVerdict{reason: err.Error()}), nil // there was no such token then
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

// accessLines writes verdicts about one spender. Consecutive actions with the same
// verdict and reason share a line. In brief the reasons are left out, and only the
// verdicts need to be the same.
func accessLines(verdicts []actionVerdict, spender string, isBrief bool) []widget.Line {
	var lines []widget.Line
	var actions []string
	for i, verdict := range verdicts {
		if verdict.action == "" {
			lines = append(lines, widget.In(themes.Muted, "  "+verdict.reason))
			continue
		}
		actions = append(actions, verdict.action)
		if i+1 < len(verdicts) {
			next := verdicts[i+1]
			sharesLine := next.allowed == verdict.allowed && (isBrief || next.reason == verdict.reason)
			if sharesLine {
				continue
			}
		}

		line := append(widget.Plain("  "), app.VerdictSign(verdict.allowed)...)
		line = line.And(themes.Strong, spender).And(themes.Text, " "+strings.Join(actions, ", ")+"  ")
		if !isBrief {
			line = line.And(themes.Muted, verdict.reason)
		}
		lines = append(lines, line)
		actions = nil
	}
	return lines
}

func (t *timeline) View(st *app.State) string {
	inner := widget.FrameInner(t.box)
	isLow := inner.H < form.LowDialogHeight

	rulers := t.rulers(st, inner.W)
	if isLow {
		rulers = rulers[:len(rulers)-1] // without the times
	}
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

// columnAt returns the cell of a block, given its distance from the clock in blocks.
// It is -1 left of the view, and the width of the bars right of it.
func (t *timeline) columnAt(st *app.State, blocksFromClock float64) int {
	blocksToLeftEdge := float64(t.firstHeight) - float64(st.Clock.Height)
	column := math.Floor((blocksFromClock - blocksToLeftEdge) / float64(blocksPerCell[t.zoom]))
	return int(max(-1, min(column, float64(t.barCells()))))
}

// heightColumn returns the cell of a height, as columnAt does.
func (t *timeline) heightColumn(st *app.State, height cw721.Height) int {
	return t.columnAt(st, float64(height)-float64(st.Clock.Height))
}

// expiryColumn returns the cell of an expiry, as columnAt does. What never expires is
// right of the view.
func (t *timeline) expiryColumn(st *app.State, expires cw721.Expiration) int {
	switch expires.Axis {
	case cw721.Never:
		return t.barCells()
	case cw721.AtHeight:
		return t.heightColumn(st, cw721.Height(expires.Value))
	}
	nanoseconds := float64(expires.Value) - float64(st.Clock.Time)
	return t.columnAt(st, nanoseconds/float64(st.Clock.SecondsPerBlock*nanosecondsPerSecond))
}

// rulers are the three lines above the bars: the cursor, the heights, and the times.
func (t *timeline) rulers(st *app.State, width int) []string {
	th := st.Theme
	lastInView := t.firstHeight + cw721.Height(uint64(t.barCells())*blocksPerCell[t.zoom])
	cellsPerTick := max(14, widget.Width(human.Thousands(uint64(lastInView)))+2)

	var heights, times strings.Builder
	for cell := 0; cell < t.barCells(); cell += cellsPerTick {
		tickCells := min(cellsPerTick, t.barCells()-cell)
		height := t.firstHeight + cw721.Height(uint64(cell)*blocksPerCell[t.zoom])
		heights.WriteString(tickText(human.Thousands(uint64(height)), tickCells))
		times.WriteString(tickText(t.tickTime(st.Clock.At(height)), tickCells))
	}

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

// tickText is a mark of a ruler with its text. A text that does not fit is left out: a cut
// number would mislead.
func tickText(text string, cells int) string {
	if widget.Width(text) >= cells {
		text = ""
	}
	return widget.Fit(themes.GlyphSide+text, cells)
}

// tickTime writes a time on a ruler: without the year, and at the finest scales
// without the day.
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

// cursorLine says where the cursor is, and how many grants are in force there. The
// time is written with its date, without it, or not at all, as the width allows.
func (t *timeline) cursorLine(st *app.State, width int) widget.Line {
	line := widget.In(themes.Strong, " height "+human.Thousands(uint64(t.cursor)))
	switch {
	case t.cursor > st.Clock.Height:
		line = line.And(themes.Muted, " in "+human.Plural(uint64(t.cursor-st.Clock.Height), "block"))
	case t.cursor < st.Clock.Height:
		line = line.And(themes.Warn, " "+human.Plural(uint64(st.Clock.Height-t.cursor), "block")+" ago")
	default:
		line = line.And(themes.Accent, " now")
	}
	if t.fault != "" {
		return line.And(themes.Bad, "  "+themes.GlyphNo+" "+t.fault)
	}
	if t.reading == nil {
		return line.And(themes.Muted, "  reading"+themes.GlyphEllipsis)
	}

	counts := t.reading.counts()
	dateAndTime := app.TimeToSecond(t.reading.block.Time)
	timeOfDay := dateAndTime[strings.IndexByte(dateAndTime, ' ')+1:]
	for _, text := range []string{dateAndTime, timeOfDay} {
		withTime := append(line.And(themes.Muted, " · "+text+" UTC"), counts...)
		if withTime.Width() <= width {
			return withTime
		}
	}
	return append(line, counts...)
}

// counts says how many of the grants are in force, and how many have expired.
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
	return widget.In(themes.Muted, " · ").
		And(themes.Live, fmt.Sprintf("%s %d%s live", themes.GlyphLive, len(f.grants)-expired, atLeast)).
		And(themes.Expired, fmt.Sprintf("  %s %d expired", themes.GlyphExpired, expired))
}

// laneTitles are the headings above the bars.
var laneTitles = map[cw721.Axis]string{
	cw721.AtHeight: "EXPIRE AT A HEIGHT",
	cw721.AtTime:   "EXPIRE AT A TIME",
	cw721.Never:    "NEVER EXPIRE",
}

// laneLines are the bars in three lanes: of grants that expire at a height, of those that
// expire at a time, and of those that never expire. They are scrolled to the selected
// grant.
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
		lines = append(lines, widget.In(themes.Muted, " nothing expires from here on; 0 is now, - shows more").Fit(th, width))
	}

	top := max(0, min(selectedLine-height/2, len(lines)-height))
	return lines[top:min(top+height, len(lines))]
}

// grantLabel names a grant left of its bar.
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

// barColumns are the places on the bar of one grant, as columnAt gives them.
type barColumns struct {
	given, expiry, realEnd int
	cursor, clock          int
	lastCell               int  // the last cell of the bar
	hasExpired             bool // at the cursor
}

// bar draws a grant from the block in which it was given to its expiry: thin before
// the cursor, heavy behind it. The sign of an expired grant is hollow, so at the very
// block of the expiry the cursor is on a hollow sign. Behind the expiry the bar goes
// on to the real end.
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

// sign returns what one cell of a bar shows.
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

// grantLines describe the selected grant and what it permits at the cursor. A low
// dialog shows less of both.
func (t *timeline) grantLines(st *app.State, inner widget.Box, isLow bool) []string {
	lines := []string{app.RuleAcross(st, inner.W, false)}
	entry, hasGrant := t.selectedGrant()
	if !hasGrant {
		return lines
	}

	title := widget.In(themes.Header, " "+st.GrantLabel(entry)).And(themes.Muted, "  ")
	expiresIn := human.ExpiresIn(entry.Expires, t.reading.block)
	if !isLow {
		expires := ""
		if entry.Expires.Axis != cw721.Never {
			expires = "until " + human.Expiry(entry.Expires) + " · "
		}
		if t.reading.realEnds.IsLater(entry.Grant) {
			expires += "outlived, W shows how · "
		}
		given := "given at height " + human.Thousands(uint64(entry.GrantedAt.Height)) + " · "
		title = title.And(themes.Muted, given).And(themes.Text, expires)
	}
	title = title.And(themes.Muted, expiresIn)

	access := accessLines(t.reading.access, st.DisplayName(entry.Spender), isLow)
	for _, line := range append([]widget.Line{title}, access...) {
		for _, part := range widget.WrapLine(line, inner.W) {
			lines = append(lines, part.Fit(st.Theme, inner.W))
		}
	}
	return lines
}

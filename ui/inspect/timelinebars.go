package inspect

import (
	"math"
	"strings"
	"time"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// groupTitles are the headings of the three groups of bars in the timeline of grants.
var groupTitles = map[cw721.Axis]string{
	cw721.AtHeight: "EXPIRE AT A HEIGHT",
	cw721.AtTime:   "EXPIRE AT A TIME",
	cw721.Never:    "NEVER EXPIRE",
}

// barLines returns the lines with the bars of the grants, at most height lines. The bars
// are in three groups with headings: grants that expire at a height, grants that expire at
// a time, and grants that never expire. Left of a bar stands who gave what to whom. If not all
// lines fit, the selected grant is in the middle.
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
		if i == 0 || axis != t.reading.grants[i-1].Expires.Axis {
			heading := theme.Render(themes.Header, " "+groupTitles[axis])
			lines = append(lines, widget.Fit(heading, width))
		}

		pointer := "  "
		textRole := themes.Text
		if app.GrantKey(entry.Grant) == t.selectedKey {
			selectedLine = len(lines)
			pointer = themes.GlyphPointer + " "
			textRole = themes.Strong
		}
		sign, signRole := app.LivenessSign(entry.Expires, t.reading.block)
		label := widget.Styled(themes.Accent, pointer).
			Append(signRole, sign+" ").
			Append(textRole, state.GrantLabel(entry))
		line := label.Fit(theme, t.labelCells()) + " " + t.bar(state, entry)
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

// bar draws a grant as a line from the block in which it was given to its expiry. If that block
// is not known, the line begins left of the visible range. The line is thin before the cursor
// and heavy behind it. A sign marks the expiry, and is hollow if the grant has expired at the
// cursor, which it has in the very block of its expiry. If the spender keeps access after the
// expiry, a thin line in another colour continues the bar.
func (t *timeline) bar(state *app.State, entry expiry.Entry) string {
	givenCell := t.heightColumn(state, entry.GrantedAt.Height)
	expiryCell := t.expiryColumn(state, entry.Expires)
	accessEndCell := t.expiryColumn(state, t.reading.realExpiries.ExpiryOf(entry.Grant)) // not before expiryCell
	cursorCell := t.heightColumn(state, t.cursor)
	clockCell := t.heightColumn(state, state.Clock.Height)
	lastCell := t.barCells() - 1

	hasExpired := entry.Expires.HasExpired(t.reading.block)
	grantRole := themes.Live
	expirySign := themes.GlyphExpiry
	if hasExpired {
		grantRole = themes.Expired
		expirySign = themes.GlyphExpired
	}

	// A cell can hold several things, such as the expiry and the clock. The first case that
	// fits is drawn.
	var bar strings.Builder
	for cell := range t.barCells() {
		isInGrant := cell >= givenCell && cell < expiryCell
		role, sign := themes.Text, ""
		switch {
		case cell == expiryCell && cell == cursorCell:
			role, sign = themes.Caret, expirySign
		case cell == expiryCell:
			role, sign = grantRole, expirySign
		case cell == cursorCell:
			role, sign = themes.Accent, themes.GlyphNow
		case cell == lastCell && expiryCell > lastCell: // the grant goes on beyond the edge
			role, sign = grantRole, themes.GlyphArrow
		case isInGrant && (cell < cursorCell || hasExpired):
			role, sign = themes.Expired, themes.GlyphLine
		case isInGrant:
			role, sign = grantRole, themes.GlyphHeavy
		case cell == lastCell && cell < accessEndCell: // the spender has access beyond the edge
			role, sign = themes.Warn, themes.GlyphArrow
		case cell > expiryCell && cell < accessEndCell:
			role, sign = themes.Warn, themes.GlyphLine
		case cell == clockCell:
			role, sign = themes.Border, themes.GlyphSide
		default:
			bar.WriteString(" ")
			continue
		}
		bar.WriteString(state.Theme.Render(role, sign))
	}
	return bar.String()
}

// heightColumn returns the cell that shows a height, as columnAt does.
func (t *timeline) heightColumn(state *app.State, height cw721.Height) int {
	return t.columnAt(state, float64(height)-float64(state.Clock.Height))
}

// expiryColumn returns the cell that shows an expiry, as columnAt does. An expiry that never
// comes is right of the bars. A future time is converted to blocks by the clock's seconds per
// block, and a past time is looked up in the history.
func (t *timeline) expiryColumn(state *app.State, expires cw721.Expiration) int {
	switch expires.Axis {
	case cw721.Never:
		return t.barCells()
	case cw721.AtHeight:
		return t.heightColumn(state, cw721.Height(expires.Value))
	}
	if expires.Value < uint64(state.Clock.Time) {
		return t.heightColumn(state, t.reading.expiryHeight(expires, state.Clock))
	}
	nanoseconds := float64(expires.Value) - float64(state.Clock.Time)
	return t.columnAt(state, nanoseconds/float64(state.Clock.SecondsPerBlock*uint64(time.Second)))
}

// columnAt returns the index of the cell that shows a block in the bars: -1 for a block left of
// the visible range, and the width of the bars for one right of it. blocksFromClock is the
// distance of the block from the current one, negative for a past block.
func (t *timeline) columnAt(state *app.State, blocksFromClock float64) int {
	blocksToLeftEdge := float64(t.firstHeight) - float64(state.Clock.Height)
	column := math.Floor((blocksFromClock - blocksToLeftEdge) / float64(blocksPerCell[t.zoom]))
	return int(max(-1, min(column, float64(t.barCells()))))
}

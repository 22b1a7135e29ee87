package inspect

import (
	"math"
	"strings"

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
		if grantKey(entry.Grant) == t.selectedKey {
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
	columns := barColumns{
		given:      t.heightColumn(state, entry.GrantedAt.Height),
		expiry:     t.expiryColumn(state, entry.Expires),
		accessEnd:  t.expiryColumn(state, t.reading.realExpiries.ExpiryOf(entry.Grant)),
		cursor:     t.heightColumn(state, t.cursor),
		clock:      t.heightColumn(state, state.Clock.Height),
		lastCell:   t.barCells() - 1,
		hasExpired: entry.Expires.HasExpired(t.reading.block),
	}

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

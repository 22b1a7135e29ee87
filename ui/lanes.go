package ui

import (
	"math"
	"strconv"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// The widths of the parts of a lane, in cells. A column is two cells wide, so that the
// counts of two columns cannot be read as one number.
const (
	laneTitleWidth = 10 // " height  ▏"
	columnWidth    = 2
	laneEndWidth   = 14 // "  later  never"
)

// laneChart shows how many grants expire when: on one lane those that expire at a height,
// on the other those that expire at a time. Both have the same scale, which grows with the
// distance from now. Grants beyond the end of the scale are counted as "later", and those
// that never expire beside them.
type laneChart struct {
	width   int         // of the drawn lanes, in cells
	clock   chain.Clock // has the block from which distances are counted
	columns int         // the number of columns on the scale
	// scaleEnd is the distance from now at the end of the last column.
	scaleEnd time.Duration
	// counts holds the number of grants at each place. A number of [expiry.MaxCount] or
	// more means that many or more.
	counts map[lanePlace]int
}

// lanePlace is a place of the lanes at which one count stands.
type lanePlace struct {
	// axis is the lane: heights or times. The count of grants that never expire is in
	// neither, so its place has [cw721.Never] and no column.
	axis cw721.Axis
	// column is the column of the lane. The column behind the last one counts the grants
	// that expire later.
	column int
}

// newLaneChart returns the chart of the grants that were counted at the block of a clock,
// for a width in cells.
func newLaneChart(counted expiry.Lanes, clock chain.Clock, width int) laneChart {
	chart := laneChart{
		width:    width,
		clock:    clock,
		columns:  max((width-laneTitleWidth-laneEndWidth)/columnWidth, 1),
		scaleEnd: scaleEndFor(counted),
		counts:   map[lanePlace]int{{axis: cw721.Never}: int(counted.Never)},
	}
	for cell := range expiry.CellCount {
		column := chart.columnOfCell(cell)
		chart.counts[lanePlace{cw721.AtHeight, column}] += int(counted.Height[cell])
		chart.counts[lanePlace{cw721.AtTime, column}] += int(counted.Time[cell])
	}
	return chart
}

// scaleEndFor returns the shortest of [expiry.Scales] before whose end at least nine in
// ten of the counted grants expire. It returns the longest if none is long enough.
func scaleEndFor(counts expiry.Lanes) time.Duration {
	total := countBefore(counts, math.MaxInt64)
	for _, scaleEnd := range expiry.Scales {
		if 10*countBefore(counts, scaleEnd) >= 9*total {
			return scaleEnd
		}
	}
	return expiry.Scales[len(expiry.Scales)-1]
}

// countBefore adds up the cells of both lanes that begin before a distance from now.
func countBefore(counts expiry.Lanes, end time.Duration) int {
	sum := 0
	for cell := range expiry.CellCount {
		if expiry.CellStart(cell) >= end {
			break
		}
		sum += int(counts.Height[cell]) + int(counts.Time[cell])
	}
	return sum
}

// columnAt returns the column for a distance from now, which is before the end of the
// scale. The scale is logarithmic: from now to a second is as wide as from a minute to two.
func (c laneChart) columnAt(ahead time.Duration) int {
	part := math.Log1p(ahead.Seconds()) / math.Log1p(c.scaleEnd.Seconds())
	return min(int(part*float64(c.columns)), c.columns-1)
}

// placeOf returns the place of the chart in which a grant with an expiry is counted: a
// column of its lane, or the place of grants that never expire. ok is false for a grant that
// has expired.
func (c laneChart) placeOf(e cw721.Expiration) (place lanePlace, ok bool) {
	if e.Axis == cw721.Never {
		return lanePlace{axis: cw721.Never}, true
	}
	cell, isLive := expiry.CellOf(e, c.clock.Block(), c.clock.SecondsPerBlock)
	return lanePlace{axis: e.Axis, column: c.columnOfCell(cell)}, isLive
}

// columnOfCell returns the column that counts a cell. For a cell beyond the end of the
// scale it is the number of columns, which stands for "later".
func (c laneChart) columnOfCell(cell int) int {
	start := expiry.CellStart(cell)
	if start >= c.scaleEnd {
		return c.columns
	}
	return c.columnAt(start)
}

// marks returns the places that count at least one grant, the nearest first. In one column
// the lane of heights comes first, and the grants that never expire are last.
func (c laneChart) marks() (marks []lanePlace) {
	var places []lanePlace
	for column := range c.columns + 1 {
		places = append(places, lanePlace{cw721.AtHeight, column}, lanePlace{cw721.AtTime, column})
	}
	for _, place := range append(places, lanePlace{axis: cw721.Never}) {
		if c.counts[place] > 0 {
			marks = append(marks, place)
		}
	}
	return marks
}

// cellsOf returns the first and the last cell that a column counts.
func (c laneChart) cellsOf(column int) (first, last int) {
	first = expiry.CellCount
	for cell := range expiry.CellCount {
		if c.columnOfCell(cell) == column {
			first = min(first, cell)
			last = cell
		}
	}
	return first, last
}

// ends returns the heights or times between which the grants of a mark expire.
func (c laneChart) ends(mark lanePlace) (first, last uint64) {
	if mark.axis == cw721.Never {
		return 0, math.MaxUint64
	}
	firstCell, lastCell := c.cellsOf(mark.column)
	return expiry.EndsInCells(mark.axis, firstCell, lastCell, c.clock.Block(), c.clock.SecondsPerBlock)
}

// laneEndGap is the number of cells between the columns of a lane and its count of later
// grants, and one less than between that count and the one of grants that never expire.
const laneEndGap = 5

// signAt returns the screen column of the sign of a place.
func (c laneChart) signAt(place lanePlace) int {
	laterAt := laneTitleWidth + columnWidth*c.columns + laneEndGap
	switch {
	case place.axis == cw721.Never:
		return laterAt + laneEndGap + 2
	case place.column == c.columns:
		return laterAt
	}
	return laneTitleWidth + columnWidth*place.column
}

// markAt returns the mark at column x of the screen, in one of the lanes: its sign or the
// cell behind it. Beside the lane of heights, the grants that never expire count as well.
func (c laneChart) markAt(axis cw721.Axis, x int) (mark lanePlace, ok bool) {
	for _, mark := range c.marks() {
		isInLane := mark.axis == axis || mark.axis == cw721.Never && axis == cw721.AtHeight
		fromSign := x - c.signAt(mark)
		if isInLane && fromSign >= 0 && fromSign < columnWidth {
			return mark, true
		}
	}
	return lanePlace{}, false
}

// scaleView draws the line above the lanes: what is how far ahead, in blocks and, where
// there is room, in time.
func (c laneChart) scaleView(th *themes.Theme) string {
	line := widget.Muted(strings.Repeat(" ", laneTitleWidth) + "now")
	for blocks := uint64(1); blocks <= 1_000_000; blocks *= 10 {
		ahead := time.Duration(blocks*c.clock.SecondsPerBlock) * time.Second
		if ahead >= c.scaleEnd {
			break
		}

		// Each power of ten stands at its place, if the text before it leaves room.
		gap := laneTitleWidth + columnWidth*c.columnAt(ahead) - line.Width()
		if gap < 1 {
			continue
		}
		line = line.Text(strings.Repeat(" ", gap)).Muted("+" + human.Thousands(blocks))
		if blocks > 1 {
			line = line.And(themes.Faint, " "+human.Span(uint64(ahead)))
		}
	}
	ends := widget.Muted("later  never")
	chartWidth := laneTitleWidth + columnWidth*c.columns
	return line.Fit(th, chartWidth+1) + ends.FitRight(th, c.width-chartWidth-1)
}

// laneView draws the lane of heights or the lane of times. Each column has a sign for the
// number of grants that expire there. After the columns there is a sign for the grants that
// expire later and, in the lane of heights, one for those that never expire. roles has the
// colours of special places; all others have those of plain text.
func (c laneChart) laneView(th *themes.Theme, axis cw721.Axis, roles map[lanePlace]themes.Role) string {
	title := "height"
	if axis == cw721.AtTime {
		title = "time"
	}
	line := widget.Muted(" "+title+strings.Repeat(" ", laneTitleWidth-len(title)-2)).And(themes.Accent, themes.GlyphNow)

	// Collect the places of the signs, from left to right.
	places := []lanePlace{}
	for column := range c.columns + 1 { // the last is for what expires later
		places = append(places, lanePlace{axis, column})
	}
	if axis == cw721.AtHeight {
		places = append(places, lanePlace{axis: cw721.Never})
	}
	for _, place := range places {
		role, isSpecial := roles[place]
		if !isSpecial {
			role = themes.Text
		}

		// A column without grants stays blank. After the columns, no grants are a dot.
		signOfNone := " "
		isColumn := place.axis == axis && place.column < c.columns
		if !isColumn {
			signOfNone = themes.GlyphDot
		}
		gap := c.signAt(place) - line.Width()
		line = line.Text(strings.Repeat(" ", gap))
		line = line.And(role, countSign(c.counts[place], signOfNone))
	}
	return line.Fit(th, c.width)
}

// countSign returns the sign for a count of grants, one cell wide: a glyph for one grant,
// the digits 2 to 9, and a plus for ten or more.
func countSign(count int, none string) string {
	switch {
	case count == 0:
		return none
	case count == 1:
		return themes.GlyphExpiry
	case count < expiry.MaxCount:
		return strconv.Itoa(count)
	}
	return "+"
}

// chartOf returns the lanes of a state for a width in cells.
func chartOf(st *app.State, width int) laneChart {
	return newLaneChart(st.Lanes, st.Clock, width)
}

// lanesView draws three lines: the scale, the lane of grants that expire at a height, and
// the lane of those that expire at a time. The places of highlighted
// expiries stand out, and so does the focused place if it is not nil.
func lanesView(st *app.State, highlighted []cw721.Expiration, focused *lanePlace, width int) string {
	chart := chartOf(st, width)
	roles := map[lanePlace]themes.Role{}
	for _, e := range highlighted {
		if place, ok := chart.placeOf(e); ok {
			roles[place] = themes.Match
		}
	}
	if focused != nil {
		roles[*focused] = themes.Caret
	}
	return widget.JoinV(
		chart.scaleView(st.Theme),
		chart.laneView(st.Theme, cw721.AtHeight, roles),
		chart.laneView(st.Theme, cw721.AtTime, roles),
	)
}

package ui

import (
	"math"
	"strconv"
	"strings"
	"time"

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
	columns int
	// scaleEnd is the distance from now at the end of the last column.
	scaleEnd     time.Duration
	height, time lane
	never        int
}

// lane has the number of grants in each column, and beyond the last one. A number of
// [expiry.MaxCount] or more means that many or more.
type lane struct {
	columns []int
	later   int
}

// newLaneChart returns the chart of counted grants for a width in cells.
func newLaneChart(counts expiry.Lanes, width int) laneChart {
	chart := laneChart{
		columns:  max((width-laneTitleWidth-laneEndWidth)/columnWidth, 1),
		scaleEnd: scaleEndFor(counts),
		never:    int(counts.Never),
	}
	chart.height = chart.lane(counts.Height)
	chart.time = chart.lane(counts.Time)
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

// lane sums up the cells of a lane in the columns of the chart.
func (c laneChart) lane(cells [expiry.CellCount]uint8) lane {
	sums := lane{columns: make([]int, c.columns)}
	for cell, count := range cells {
		if column := c.columnOfCell(cell); column < c.columns {
			sums.columns[column] += int(count)
		} else {
			sums.later += int(count)
		}
	}
	return sums
}

// columnAt returns the column for a distance from now, which is before the end of the
// scale. The scale is logarithmic: from now to a second is as wide as from a minute to two.
func (c laneChart) columnAt(ahead time.Duration) int {
	part := math.Log1p(ahead.Seconds()) / math.Log1p(c.scaleEnd.Seconds())
	return min(int(part*float64(c.columns)), c.columns-1)
}

// lanePlace is a place of the lanes at which one count stands.
type lanePlace struct {
	// axis is the lane: heights or times. The count of grants that never expire is in
	// neither, so its place has [cw721.Never] and no column.
	axis cw721.Axis
	// column is the column of the lane. The column behind the last one stands for "later".
	column int
}

// placeOf returns the place at which a grant with an expiry is counted. ok is false for a
// grant that has expired.
func (c laneChart) placeOf(e cw721.Expiration, clock blockClock) (place lanePlace, ok bool) {
	if e.Axis == cw721.Never {
		return lanePlace{axis: cw721.Never}, true
	}
	cell, isLive := expiry.CellOf(e, clock.block, clock.secondsPerBlock)
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

// countAt returns the number of grants that are counted at a place.
func (c laneChart) countAt(place lanePlace) int {
	if place.axis == cw721.Never {
		return c.never
	}
	sums := c.height
	if place.axis == cw721.AtTime {
		sums = c.time
	}
	if place.column == c.columns {
		return sums.later
	}
	return sums.columns[place.column]
}

// marks returns the places that count at least one grant, the nearest first. In one column
// the lane of heights comes first, and the grants that never expire are last.
func (c laneChart) marks() (marks []lanePlace) {
	var places []lanePlace
	for column := range c.columns + 1 {
		places = append(places, lanePlace{cw721.AtHeight, column}, lanePlace{cw721.AtTime, column})
	}
	for _, place := range append(places, lanePlace{axis: cw721.Never}) {
		if c.countAt(place) > 0 {
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
func (c laneChart) ends(mark lanePlace, clock blockClock) (first, last uint64) {
	if mark.axis == cw721.Never {
		return 0, math.MaxUint64
	}
	firstCell, lastCell := c.cellsOf(mark.column)
	return expiry.EndsInCells(mark.axis, firstCell, lastCell, clock.block, clock.secondsPerBlock)
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

// blockClock is the part of the clock that distances from now depend on.
type blockClock struct {
	block           cw721.Block
	secondsPerBlock uint64
}

// scaleView draws the line above the lanes: what is how far ahead, in blocks and, where
// there is room, in time.
func (c laneChart) scaleView(th *themes.Theme, clock blockClock, width int) string {
	line := widget.In(themes.Muted, strings.Repeat(" ", laneTitleWidth)+"now")
	for blocks := uint64(1); blocks <= 1_000_000; blocks *= 10 {
		ahead := time.Duration(blocks*clock.secondsPerBlock) * time.Second
		if ahead >= c.scaleEnd {
			break
		}
		gap := laneTitleWidth + columnWidth*c.columnAt(ahead) - line.Width()
		if gap < 1 {
			continue
		}
		line = line.And(themes.Text, strings.Repeat(" ", gap)).And(themes.Muted, "+"+human.Thousands(blocks))
		if blocks > 1 {
			line = line.And(themes.Faint, " "+human.Span(uint64(ahead)))
		}
	}
	ends := widget.In(themes.Muted, "later  never")
	chartWidth := laneTitleWidth + columnWidth*c.columns
	return line.Fit(th, chartWidth+1) + ends.FitRight(th, width-chartWidth-1)
}

// laneView draws the lane of heights or the lane of times. A place is drawn in its role of
// roles, or else as plain text. Beside the lane of heights stands the count of grants that
// never expire.
func (c laneChart) laneView(th *themes.Theme, axis cw721.Axis, roles map[lanePlace]themes.Role, width int) string {
	title := "height"
	sums := c.height
	if axis == cw721.AtTime {
		title = "time"
		sums = c.time
	}
	line := widget.In(themes.Muted, " "+title+strings.Repeat(" ", laneTitleWidth-len(title)-2)).And(themes.Accent, themes.GlyphNow)
	sign := func(place lanePlace, none string) {
		role, isSpecial := roles[place]
		if !isSpecial {
			role = themes.Text
		}
		line = line.And(themes.Text, strings.Repeat(" ", c.signAt(place)-line.Width()))
		line = line.And(role, countSign(c.countAt(place), none))
	}

	for column := range sums.columns {
		sign(lanePlace{axis, column}, " ")
	}
	sign(lanePlace{axis, c.columns}, themes.GlyphDot)
	if axis == cw721.AtHeight {
		sign(lanePlace{axis: cw721.Never}, themes.GlyphDot)
	}
	return line.Fit(th, width)
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

// chartOf returns the lanes of a state for a width in cells, and the clock that they are
// drawn for.
func chartOf(st *app.State, width int) (laneChart, blockClock) {
	clock := blockClock{block: st.Block(), secondsPerBlock: st.Clock.SecondsPerBlock}
	return newLaneChart(st.Lanes, width), clock
}

// lanesView draws the scale and the two lanes in three lines. The places of highlighted
// expiries stand out, and so does the focused place if it is not nil.
func lanesView(st *app.State, highlighted []cw721.Expiration, focused *lanePlace, width int) string {
	chart, clock := chartOf(st, width)
	roles := map[lanePlace]themes.Role{}
	for _, e := range highlighted {
		if place, ok := chart.placeOf(e, clock); ok {
			roles[place] = themes.Match
		}
	}
	if focused != nil {
		roles[*focused] = themes.Caret
	}
	return widget.JoinV(
		chart.scaleView(st.Theme, clock, width),
		chart.laneView(st.Theme, cw721.AtHeight, roles, width),
		chart.laneView(st.Theme, cw721.AtTime, roles, width),
	)
}

package ui

import (
	"math"
	"slices"
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

// The widths of the parts of a lane, in terminal cells. A lane is one line of the chart
// below the clock. A column is two cells wide, so that the counts of two columns cannot be
// read as one number.
const (
	laneTitleWidth = 10 // " height  ▏"
	columnWidth    = 2
	laneEndWidth   = 14 // "  later  never"
)

// laneChart is a chart of how many grants expire how soon. It has two lines, called lanes:
// one counts the grants that expire at a height, the other those that expire at a time.
//
//	         now       +1          +10 50s       +100 8m 20s   later  never
//	height  ▏              ◗     ◗   ◗ 2 ◗ 2 3 3 2                ·      4
//	time    ▏                          ◗       ◗ 2 ◗ ◗ 2 2 3      2
//
// Both lanes have the same logarithmic scale, from now to scaleEnd. After the scale, each
// lane counts the grants that expire later. The grants that never expire are counted once,
// at the end of the first lane.
type laneChart struct {
	width       int                   // in terminal cells
	clock       chain.Clock           // distances are measured from its block
	columnCount int                   // on the scale
	scaleEnd    time.Duration         // the distance from now at the end of the last column
	counts      map[countPosition]int // [expiry.MaxCount] means that many or more
}

// countPosition is a position in the chart where one number of grants is shown.
type countPosition struct {
	axis cw721.Axis // [cw721.Never] for the grants that never expire, which belong to no lane
	// column is from 0. laneChart.columnCount is for grants that expire later than the scale
	// shows. It is 0 for grants that never expire.
	column int
}

// newLaneChart returns a chart that is width terminal cells wide. grantCounts divides the
// future from the present block of clock into fine time spans, which package expiry calls
// cells. A column of the chart adds up several of them.
func newLaneChart(grantCounts expiry.Lanes, clock chain.Clock, width int) laneChart {
	scaleWidth := width - laneTitleWidth - laneEndWidth
	chart := laneChart{
		width:       width,
		clock:       clock,
		columnCount: max(scaleWidth/columnWidth, 1),
		scaleEnd:    scaleEndFor(grantCounts),
		counts:      map[countPosition]int{{axis: cw721.Never}: int(grantCounts.Never)},
	}
	for cell := range expiry.CellCount {
		column := chart.columnOfCell(cell)
		chart.counts[countPosition{cw721.AtHeight, column}] += int(grantCounts.Height[cell])
		chart.counts[countPosition{cw721.AtTime, column}] += int(grantCounts.Time[cell])
	}
	return chart
}

// scaleEndFor chooses how far into the future the chart reaches: an hour, a day, a month or
// a year ([expiry.Scales]). It returns the shortest of these in which at least 90 % of the
// counted grants expire, and a year if none is long enough.
func scaleEndFor(grantCounts expiry.Lanes) time.Duration {
	total := countBefore(grantCounts, math.MaxInt64)
	for _, scaleEnd := range expiry.Scales {
		if 10*countBefore(grantCounts, scaleEnd) >= 9*total {
			return scaleEnd
		}
	}
	return expiry.Scales[len(expiry.Scales)-1]
}

// countBefore counts the grants, of both lanes, in the cells that begin sooner than end from now.
func countBefore(grantCounts expiry.Lanes, end time.Duration) int {
	sum := 0
	for cell := range expiry.CellCount {
		if expiry.CellStart(cell) >= end {
			break
		}
		sum += int(grantCounts.Height[cell]) + int(grantCounts.Time[cell])
	}
	return sum
}

// columnAtDistance returns the column for a distance from now before the end of the scale, which
// is logarithmic.
func (c laneChart) columnAtDistance(distance time.Duration) int {
	// Log1p is the logarithm of 1 + x, so the scale begins at 0 for a distance of 0.
	shareOfScale := math.Log1p(distance.Seconds()) / math.Log1p(c.scaleEnd.Seconds())
	column := int(shareOfScale * float64(c.columnCount))
	return min(column, c.columnCount-1)
}

// positionOfExpiry returns the position in the chart that counts the grants with an expiry.
// ok is false if they have expired, because the chart does not count such grants.
func (c laneChart) positionOfExpiry(expiration cw721.Expiration) (position countPosition, ok bool) {
	if expiration.Axis == cw721.Never {
		return countPosition{axis: cw721.Never}, true
	}
	cell, isLive := expiry.CellOfExpiration(expiration, c.clock.Block(), c.clock.SecondsPerBlock)
	return countPosition{axis: expiration.Axis, column: c.columnOfCell(cell)}, isLive
}

// columnOfCell returns the column that counts the grants of a cell. For a cell beyond the end of
// the scale it returns the number of columns, which stands for "later".
func (c laneChart) columnOfCell(cell int) int {
	start := expiry.CellStart(cell)
	if start >= c.scaleEnd {
		return c.columnCount
	}
	return c.columnAtDistance(start)
}

// expiryRange returns the first and the last height, or the first and the last time in
// nanoseconds, at which the grants of a mark can expire. For the grants that never expire,
// the range holds every number.
func (c laneChart) expiryRange(mark countPosition) (first, last uint64) {
	if mark.axis == cw721.Never {
		return 0, math.MaxUint64
	}
	firstCell := expiry.CellCount
	lastCell := 0
	for cell := range expiry.CellCount {
		if c.columnOfCell(cell) == mark.column {
			firstCell = min(firstCell, cell)
			lastCell = cell
		}
	}
	return expiry.EndsInCells(mark.axis, firstCell, lastCell, c.clock.Block(), c.clock.SecondsPerBlock)
}

// The positions of the last two counts of a lane, in terminal cells from the end of the
// scale. Each stands below the middle of its heading in "later  never".
const (
	laterOffset = 5
	neverOffset = 12
)

// screenColumn returns the column of the terminal in which the count of a position is drawn.
func (c laneChart) screenColumn(position countPosition) int {
	scaleEndColumn := laneTitleWidth + columnWidth*c.columnCount
	switch {
	case position.axis == cw721.Never:
		return scaleEndColumn + neverOffset
	case position.column == c.columnCount: // expires later
		return scaleEndColumn + laterOffset
	}
	return laneTitleWidth + columnWidth*position.column
}

// markAt returns the mark, a count of at least one grant, at a column of a lane. It has two
// columns: that of its sign and the blank one on its right.
func (c laneChart) markAt(axis cw721.Axis, clickedColumn int) (mark countPosition, ok bool) {
	for _, position := range c.positionsInLane(axis) {
		left := c.screenColumn(position)
		if clickedColumn >= left && clickedColumn < left+columnWidth && c.counts[position] > 0 {
			return position, true
		}
	}
	return countPosition{}, false
}

// scaleView draws the line above the lanes, which labels distances from now: after 1 block,
// 10 blocks, 100 blocks and so on, such as "+100 8m". A label without room is left out. At
// the end of the line are the headings "later" and "never".
func (c laneChart) scaleView(theme *themes.Theme) string {
	scaleWidth := laneTitleWidth + columnWidth*c.columnCount + 1 // the next column is empty
	line := widget.Muted(strings.Repeat(" ", laneTitleWidth) + "now")
	for blocks := uint64(1); blocks <= 1_000_000; blocks *= 10 {
		distance := time.Duration(blocks*c.clock.SecondsPerBlock) * time.Second
		if distance >= c.scaleEnd {
			break
		}

		// Put the label above its column, unless the label before reaches that far, or the chart
		// ends before it.
		label := "+" + human.Thousands(blocks)
		labelStart := laneTitleWidth + columnWidth*c.columnAtDistance(distance)
		gap := labelStart - line.Width()
		if gap < 1 || labelStart+len(label) > scaleWidth {
			continue
		}
		line = line.Text(strings.Repeat(" ", gap)).Muted(label)
		span := " " + human.Span(uint64(distance))
		if blocks > 1 && line.Width()+len(span) <= scaleWidth {
			line = line.Append(themes.Faint, span)
		}
	}
	headings := widget.Muted("later  never")
	return line.Fit(theme, scaleWidth) + headings.FitRight(theme, c.width-scaleWidth)
}

// laneView draws one lane, with a sign for the number of grants at each of its positions. roles
// holds the colours of highlighted positions; all others have the colour of plain text.
func (c laneChart) laneView(
	theme *themes.Theme,
	axis cw721.Axis,
	roles map[countPosition]themes.Role,
) string {
	title := "height"
	if axis == cw721.AtTime {
		title = "time"
	}
	padding := strings.Repeat(" ", laneTitleWidth-len(title)-2)
	line := widget.Muted(" "+title+padding).Append(themes.Accent, themes.GlyphNow)

	// Draw a sign at each position that counts grants, with blanks before it.
	end := laneTitleWidth
	for _, position := range c.positionsInLane(axis) {
		sign := c.sign(position)
		if sign == "" {
			continue
		}
		start := c.screenColumn(position)
		line = line.Text(strings.Repeat(" ", start-end)).
			Append(roles[position], sign) // the role of plain text if it is not highlighted
		end = start + 1
	}
	return line.Fit(theme, c.width)
}

// positionsInLane returns the positions of one lane, from left to right. The lane of heights
// ends with that of the grants that never expire.
func (c laneChart) positionsInLane(axis cw721.Axis) (positions []countPosition) {
	for column := range c.columnCount + 1 { // the last one is for "later"
		positions = append(positions, countPosition{axis, column})
	}
	if axis == cw721.AtHeight {
		positions = append(positions, countPosition{axis: cw721.Never})
	}
	return positions
}

// sign returns the sign for the number of grants at a position. A column without grants has
// none, but "later" and "never" have a dot.
func (c laneChart) sign(position countPosition) string {
	if position.axis != cw721.Never && position.column < c.columnCount {
		return countSign(c.counts[position], "")
	}
	return countSign(c.counts[position], themes.GlyphDot)
}

// countSign returns a sign of one character for a number of grants: signOfZero for none, a
// glyph for one grant, a digit for 2 to 9 grants, and a plus for ten or more.
func countSign(count int, signOfZero string) string {
	switch {
	case count == 0:
		return signOfZero
	case count == 1:
		return themes.GlyphExpiry
	case count < expiry.MaxCount:
		return strconv.Itoa(count)
	}
	return "+"
}

// lanesKey is what the chart depends on, besides the highlighted expiries.
type lanesKey struct {
	theme  *themes.Theme
	counts expiry.Lanes
	clock  chain.Clock
	width  int
}

// drawnLanes is the chart that was drawn last, and all that it depends on. Few keys change more
// of that than the highlighted expiries, so the chart itself and its scale are kept apart.
type drawnLanes struct {
	key   lanesKey
	chart laneChart
	scale string

	highlighted []cw721.Expiration
	view        string // the scale and the lanes; "" if they must be drawn
}

// draw draws three lines: the scale, the lane of grants that expire at a height, and the lane
// of grants that expire at a time. The positions that count highlighted expiries stand out.
func (d *drawnLanes) draw(state *app.State, highlighted []cw721.Expiration, width int) string {
	if key := (lanesKey{state.Theme, state.Lanes, state.Clock, width}); d.key != key {
		chart := newLaneChart(state.Lanes, state.Clock, width)
		*d = drawnLanes{key: key, chart: chart, scale: chart.scaleView(state.Theme)}
	}
	if d.view != "" && slices.Equal(d.highlighted, highlighted) {
		return d.view
	}

	// The positions that are not highlighted have the role of plain text.
	roles := map[countPosition]themes.Role{}
	for _, expiration := range highlighted {
		if position, ok := d.chart.positionOfExpiry(expiration); ok {
			roles[position] = themes.Match
		}
	}
	d.highlighted = slices.Clone(highlighted)
	d.view = widget.JoinVertically(
		d.scale,
		d.chart.laneView(state.Theme, cw721.AtHeight, roles),
		d.chart.laneView(state.Theme, cw721.AtTime, roles),
	)
	return d.view
}

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
		start := expiry.CellStart(cell)
		if start >= c.scaleEnd {
			sums.later += int(count)
			continue
		}
		sums.columns[c.columnAt(start)] += int(count)
	}
	return sums
}

// columnAt returns the column for a distance from now, which is before the end of the
// scale. The scale is logarithmic: from now to a second is as wide as from a minute to two.
func (c laneChart) columnAt(ahead time.Duration) int {
	part := math.Log1p(ahead.Seconds()) / math.Log1p(c.scaleEnd.Seconds())
	return min(int(part*float64(c.columns)), c.columns-1)
}

// columnOf returns the column of a grant that has not expired. ok is false for a grant
// that is counted as later, or as never.
func (c laneChart) columnOf(e cw721.Expiration, clock blockClock) (column int, ok bool) {
	cell, expires := expiry.CellOf(e, clock.block, clock.secondsPerBlock)
	if !expires || expiry.CellStart(cell) >= c.scaleEnd {
		return 0, false
	}
	return c.columnAt(expiry.CellStart(cell)), true
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

// laneView draws a lane. Columns that hold a grant of what is under the cursor stand out.
// never is the count of grants that never expire; "" leaves it out.
func (c laneChart) laneView(th *themes.Theme, title string, sums lane, isHighlighted map[int]bool, never string, width int) string {
	line := widget.In(themes.Muted, " "+title+strings.Repeat(" ", laneTitleWidth-len(title)-2)).And(themes.Accent, themes.GlyphNow)
	for column, count := range sums.columns {
		role := themes.Text
		if isHighlighted[column] {
			role = themes.Match
		}
		line = line.And(role, countSign(count, " ")).And(themes.Text, " ")
	}
	later := countSign(sums.later, themes.GlyphDot)
	line = line.And(themes.Text, "     "+later+"      "+never)
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

// lanesView draws the scale and the two lanes in three lines.
func lanesView(st *app.State, highlighted []cw721.Expiration, width int) string {
	chart := newLaneChart(st.Lanes, width)
	clock := blockClock{block: st.Block(), secondsPerBlock: st.Clock.SecondsPerBlock}
	isHighlighted := map[cw721.Axis]map[int]bool{cw721.AtHeight: {}, cw721.AtTime: {}}
	for _, e := range highlighted {
		if column, ok := chart.columnOf(e, clock); ok {
			isHighlighted[e.Axis][column] = true
		}
	}
	never := countSign(chart.never, themes.GlyphDot)
	return widget.JoinV(
		chart.scaleView(st.Theme, clock, width),
		chart.laneView(st.Theme, "height", chart.height, isHighlighted[cw721.AtHeight], never, width),
		chart.laneView(st.Theme, "time", chart.time, isHighlighted[cw721.AtTime], "", width),
	)
}

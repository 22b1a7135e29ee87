package widget

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"ephemera/themes"
)

// Mark is something on a [Lane].
type Mark struct {
	Ahead float64 // seconds from now
	Label string
	ID    int // the owner's number for it
}

// Lane is one line of a timeline: now, and what is to come. Its scale is
// logarithmic, so that the next block and the next month both have room. Lanes
// of one width and one Far share an axis: what is equally far ahead stands in
// the same column of each.
type Lane struct {
	Title string
	Far   float64 // seconds from now to the end of the scale
	Marks []Mark  // a mark that is not ahead of now is left out
	Ticks []Mark  // show the scale where the marks leave room
}

// placed is the marks of one cell: the first of them, how many they are, and what
// is drawn of them from column at on.
type placed struct {
	col, count, at int
	mark           Mark
	text           string
}

// nowWidth is what now takes of a lane.
const nowWidth = len("|now ")

// inside is how many cells a lane has between its title and its sides.
func inside(w, title int) (cells int, enough bool) {
	cells = w - title - 3
	return cells, cells > nowWidth
}

// View draws the lane in w cells, its title in the first of them.
func (l Lane) View(th *themes.Theme, w, title int) string {
	inner, enough := inside(w, title)
	if !enough {
		return In(themes.Muted, l.Title).Fit(th, w)
	}
	line := In(themes.Accent, themes.GlyphNow+"now")
	at := nowWidth - 1
	fill := func(end int) {
		for _, t := range l.Ticks {
			col, text := l.col(t.Ahead, inner), themes.GlyphDot+t.Label
			if t.Ahead <= l.Far && col > at && col+Width(text) < end {
				line = line.And(themes.Text, spaces(col-at)).And(themes.Faint, text)
				at = col + Width(text)
			}
		}
		line = line.And(themes.Text, spaces(end-at))
	}
	for _, g := range l.place(inner) {
		fill(g.at)
		line = line.And(themes.Text, g.text)
		at = g.at + Width(g.text)
	}
	fill(inner)
	side := th.Render(themes.Border, themes.GlyphSide)
	return In(themes.Muted, l.Title).Fit(th, title) + " " + side + line.Fit(th, inner) + side
}

// At gives the mark at column x of a lane of w cells: its sign, or its label.
func (l Lane) At(x, w, title int) (Mark, bool) {
	inner, enough := inside(w, title)
	if x -= title + 2; !enough || x < 0 || x >= inner {
		return Mark{}, false
	}
	for _, g := range l.place(inner) {
		if x >= g.at && x < g.at+Width(g.text) {
			return g.mark, true
		}
	}
	return Mark{}, false
}

// say gives a cell its sign, how many marks stand there, and as much of the label
// as can be read before the column end. Where more of it can be read in the free
// cells before the sign, whole or up to its arrow, it stands there.
func (g *placed) say(free, end int) {
	sign := themes.GlyphExpiry
	if g.count > 1 && end-g.col > 3 {
		sign += strconv.Itoa(g.count) + " "
	}
	label, left := Safe(visiblePart(g.mark.Label, max(free, end-g.col))), end-g.col-Width(sign)
	short, _, _ := strings.Cut(label, " "+themes.GlyphArrow)
	for _, before := range []string{label, short} {
		if w := Width(before); w <= free && w > left {
			g.at, g.text = g.col-w, before+strings.TrimRight(sign, " ")
			return
		}
	}
	if left >= min(4, Width(label)) {
		sign += Fit(label, min(left, Width(label)))
	}
	g.at, g.text = g.col, strings.TrimRight(sign, " ")
}

// place finds the cell of each mark, in order.
func (l Lane) place(w int) (groups []placed) {
	for _, m := range slices.SortedStableFunc(slices.Values(l.Marks), func(a, b Mark) int { return cmp.Compare(a.Ahead, b.Ahead) }) {
		if m.Ahead <= 0 {
			continue
		}
		col := l.col(m.Ahead, w)
		if n := len(groups); n > 0 && groups[n-1].col == col {
			groups[n-1].count++
			continue
		}
		groups = append(groups, placed{col: col, count: 1, mark: m})
	}
	for i := range groups {
		free, end := 0, w
		if i == 0 {
			free = groups[i].col - nowWidth
		}
		if i+1 < len(groups) {
			end = groups[i+1].col - 1 // a space before the next sign
		}
		groups[i].say(free, end)
	}
	return groups
}

// col is the cell of what is so many seconds ahead. The last fifth of the lane is
// for the label of what is furthest.
func (l Lane) col(ahead float64, w int) int {
	part := math.Log1p(ahead) / math.Log1p(max(l.Far, ahead))
	return clamp(int(math.Round(part*float64(w*4/5))), nowWidth, w-1)
}

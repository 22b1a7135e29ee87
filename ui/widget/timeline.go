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

// placed is the marks of one cell: the first of them, and how many they are.
type placed struct {
	col, count int
	mark       Mark
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
	groups := l.place(inner)
	for i, g := range groups {
		fill(g.col)
		text := g.text(groups[i+1:], inner)
		line = line.And(themes.Text, text)
		at = g.col + Width(text)
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
	groups := l.place(inner)
	for i, g := range groups {
		if x >= g.col && x < g.col+Width(g.text(groups[i+1:], inner)) {
			return g.mark, true
		}
	}
	return Mark{}, false
}

// text is the sign of a cell, how many marks stand there, and as much of the
// label as can be read up to the next one.
func (g placed) text(next []placed, w int) string {
	room := w - g.col
	if len(next) > 0 {
		room = next[0].col - g.col
	}
	sign := themes.GlyphExpiry
	if g.count > 1 && room > 3 {
		sign += strconv.Itoa(g.count) + " "
	}
	if len(next) > 0 {
		room-- // a space before the next sign
	}
	left := room - Width(sign)
	label := Safe(head(g.mark.Label, room))
	if left < min(4, Width(label)) {
		return strings.TrimRight(sign, " ")
	}
	return sign + strings.TrimRight(Fit(label, min(left, Width(label))), " ")
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
		groups = append(groups, placed{col, 1, m})
	}
	return groups
}

// col is the cell of what is so many seconds ahead. The last fifth of the lane is
// for the label of what is furthest.
func (l Lane) col(ahead float64, w int) int {
	part := math.Log1p(ahead) / math.Log1p(max(l.Far, ahead))
	return clamp(int(math.Round(part*float64(w*4/5))), nowWidth, w-1)
}

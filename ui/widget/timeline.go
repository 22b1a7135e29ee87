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
	Pos   uint64 // a height, or nanoseconds
	Label string
	Role  themes.Role
	ID    int // the owner's number for it
}

// Lane is one line of a timeline: now, and what will end. Marks right of the
// cursor are still to come, marks left of it are over, however small the scale:
// a mark at now itself stands left, because what ends at now has ended.
type Lane struct {
	Title    string
	Now      uint64
	From, To uint64 // the range that is drawn; marks beyond To are only counted
	Marks    []Mark
	// Near stretches the scale near now: each equal step to the right is about as
	// many times further away. It starts at From, counts in steps of this size,
	// and 0 is an even scale.
	Near uint64
}

// placed is a group of marks in one cell.
type placed struct {
	col   int
	count int
	mark  Mark
	now   bool
}

// View draws the lane in w cells, its title in the first of them.
func (l Lane) View(th *themes.Theme, w, title int) string {
	inner := w - title - 3
	if inner < 6 {
		return In(themes.Muted, l.Title).Fit(th, w)
	}
	var b strings.Builder
	b.WriteString(In(themes.Muted, l.Title).Fit(th, title))
	b.WriteString(" " + th.Render(themes.Border, themes.GlyphSide))
	groups, beyond := l.place(inner)
	tail := ""
	if beyond > 0 {
		tail = " +" + strconv.Itoa(beyond) + " " + themes.GlyphArrow
		if groups[len(groups)-1].col >= inner-Width(tail) {
			tail = ""
		}
	}
	room := inner - Width(tail)
	at := 0
	for i, g := range groups {
		end := room
		if i+1 < len(groups) {
			end = groups[i+1].col
		}
		b.WriteString(spaces(g.col - at))
		b.WriteString(g.line(end-g.col, i+1 < len(groups)).Fit(th, end-g.col))
		at = end
	}
	b.WriteString(spaces(room - at))
	b.WriteString(th.Render(themes.Faint, tail))
	b.WriteString(th.Render(themes.Border, themes.GlyphSide))
	return b.String()
}

// At gives the mark at column x of a lane of w cells: its sign, or its label.
func (l Lane) At(x, w, title int) (Mark, bool) {
	inner := w - title - 3
	if x -= title + 2; inner < 6 || x < 0 || x >= inner {
		return Mark{}, false
	}
	groups, _ := l.place(inner)
	for i, g := range groups {
		end := inner
		if i+1 < len(groups) {
			end = groups[i+1].col
		}
		if x >= g.col && x < g.col+Width(g.line(end-g.col, i+1 < len(groups)).String()) {
			return g.mark, !g.now
		}
	}
	return Mark{}, false
}

// line is a group as it shows in the room up to the next one: the sign, how many
// stand here, and as much of the label as can be read.
func (g placed) line(room int, more bool) Line {
	if g.now {
		if room >= 5 {
			return In(themes.Accent, themes.GlyphNow+"now")
		}
		return In(themes.Accent, themes.GlyphNow)
	}
	sign := themes.GlyphEnd
	if g.mark.Role == themes.Ended {
		sign = themes.GlyphEnded
	}
	if g.count > 1 && room > 3 {
		sign += strconv.Itoa(g.count) + " "
	}
	if more {
		room-- // a space before the next sign
	}
	left := room - Width(sign)
	label := Safe(head(g.mark.Label, room))
	if left < min(4, Width(label)) {
		return In(g.mark.Role, strings.TrimRight(sign, " "))
	}
	return In(g.mark.Role, sign+strings.TrimRight(Fit(label, min(left, Width(label))), " "))
}

// place finds the cell of each mark, in order, one group a cell, and counts the
// marks beyond the range.
func (l Lane) place(w int) (groups []placed, beyond int) {
	now := l.col(l.Now, w)
	if l.Now < l.To {
		now = min(now, w-2) // what is to come needs a cell
	}
	marks := slices.SortedStableFunc(slices.Values(l.Marks), func(a, b Mark) int { return cmp.Compare(a.Pos, b.Pos) })
	drewNow := false
	for _, m := range marks {
		if m.Pos > l.To {
			beyond++
			continue
		}
		over := m.Pos <= l.Now
		if m.Pos < l.From || over && now == 0 {
			continue
		}
		if over {
			m.Role = themes.Ended
		} else if !drewNow {
			groups, drewNow = append(groups, placed{col: now, now: true}), true
		}
		col := l.col(m.Pos, w)
		if over {
			col = min(col, now-1)
		} else {
			col = max(col, now+1)
		}
		if n := len(groups); n > 0 && groups[n-1].col >= col && !groups[n-1].now {
			groups[n-1].count++
			continue
		}
		groups = append(groups, placed{col: col, count: 1, mark: m})
	}
	if !drewNow {
		groups = append(groups, placed{col: now, now: true})
	}
	return groups, beyond
}

// col is the cell of a position.
func (l Lane) col(pos uint64, w int) int {
	pos = clampPos(pos, l.From, l.To)
	if l.Near == 0 {
		return scale(pos-l.From, l.To-min(l.To, l.From), w-1)
	}
	whole := math.Log1p(float64(l.To-min(l.To, l.From)) / float64(l.Near))
	if whole <= 0 {
		return 0
	}
	return clamp(int(float64(w-1)*math.Log1p(float64(pos-l.From)/float64(l.Near))/whole), 0, w-1)
}

func clampPos(p, lo, hi uint64) uint64 { return max(lo, min(p, max(lo, hi))) }

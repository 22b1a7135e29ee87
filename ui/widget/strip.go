package widget

import (
	"strings"

	"ephemera/themes"
)

// strip is a line of pieces that a click can find: hints, or tabs.
type strip []piece

// piece is one of them, from column at on.
type piece struct {
	of   int // which of its owner's it is
	line Line
	at   int
}

func (p piece) end() int { return p.at + Width(p.line.String()) }

// end is the column behind the last piece.
func (s strip) end() int {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].end()
}

// find gives which piece is at a column, -1 where there is none.
func (s strip) find(x int) int {
	for _, p := range s {
		if x >= p.at && x < p.end() {
			return p.of
		}
	}
	return -1
}

// view draws the pieces, cut where a line of w cells has no room for them.
func (s strip) view(th *themes.Theme, w int) string {
	var b strings.Builder
	used := 0
	for _, p := range s {
		b.WriteString(spaces(min(p.at, w) - used))
		p.line.fit(&b, th, min(p.end(), w)-p.at, false)
		used = min(p.end(), w)
	}
	return b.String()
}

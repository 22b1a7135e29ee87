package widget

import (
	"math/bits"
	"strings"

	"ephemera/themes"
)

// Bar is a countdown of w cells: filled is what is left, and it empties from the
// right. While anything is left at least one cell is full, and only when nothing
// has been used are all of them.
func Bar(w int, left, total uint64) Line {
	if w <= 0 {
		return nil
	}
	full := 0
	switch {
	case left == 0:
	case left >= total:
		full = w
	default:
		full = clamp(scale(left, total, w), 1, max(1, w-1))
	}
	return In(themes.Bar, strings.Repeat(themes.GlyphFull, full)).
		And(themes.BarEmpty, strings.Repeat(themes.GlyphEmpty, w-full))
}

// scale is n × part ÷ whole, exact also for nanoseconds; 0 when whole is 0, and
// never more than n.
func scale(part, whole uint64, n int) int {
	if whole == 0 || n <= 0 {
		return 0
	}
	part = min(part, whole)
	hi, lo := bits.Mul64(part, uint64(n))
	q, _ := bits.Div64(hi, lo, whole)
	return int(q)
}

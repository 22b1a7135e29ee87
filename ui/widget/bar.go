package widget

import (
	"math/bits"
	"strings"

	"ephemera/themes"
)

// Bar draws a countdown of w cells: filled is what is left, and it empties from
// the right.
func Bar(th *themes.Theme, w int, left, total uint64) string {
	if w <= 0 {
		return ""
	}
	full := Cells(w, left, total)
	var b strings.Builder
	on, off := th.Ink(themes.Bar), th.Ink(themes.BarEmpty)
	on.WriteTo(&b, strings.Repeat(themes.GlyphFull, full))
	off.WriteTo(&b, strings.Repeat(themes.GlyphEmpty, w-full))
	return b.String()
}

// Cells is how many of w cells of a [Bar] are full. While anything is left at
// least one is, and only when nothing has been used are all of them.
func Cells(w int, left, total uint64) int {
	switch {
	case left == 0 || w <= 0:
		return 0
	case left >= total:
		return w
	}
	return clamp(scale(left, total, w), 1, max(1, w-1))
}

// Interval draws in w cells how a grant given at from ends at end, and where now
// stands: what has passed is thin, what is left is heavy. A grant is over when
// now reaches its end, so only while now is before the end does the cursor stand
// before the sign of the end; at the very end it stands on it.
//
//	──▏━━━━━━◗   before
//	─────────○   at the end, with the cursor on the sign: it has ended
//	──────○··▏   after
func Interval(th *themes.Theme, w int, from, end, now uint64) string {
	if w < 3 {
		return spaces(w)
	}
	last := max(end, now)
	at := func(p uint64) int { return scale(p-min(p, from), last-min(last, from), w-1) }
	e, n := at(end), at(now)
	switch { // two moments that differ never share a cell
	case now < end && n >= e:
		e, n = max(1, e), max(1, e)-1
	case now > end && n <= e:
		e, n = min(w-2, e), min(w-2, e)+1
	}
	thin, heavy := th.Ink(themes.Ended), th.Ink(themes.Live)
	var b strings.Builder
	for i := range w {
		switch {
		case i == e && now == end:
			b.WriteString(th.Render(themes.Caret, themes.GlyphEnded))
		case i == e && now > end:
			thin.WriteTo(&b, themes.GlyphEnded)
		case i == e:
			heavy.WriteTo(&b, themes.GlyphEnd)
		case i == n:
			b.WriteString(th.Render(themes.Accent, themes.GlyphNow))
		case i > e:
			thin.WriteTo(&b, themes.GlyphDot)
		case i < n:
			thin.WriteTo(&b, themes.GlyphLine)
		default:
			heavy.WriteTo(&b, themes.GlyphHeavy)
		}
	}
	return b.String()
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

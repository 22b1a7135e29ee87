package widget

import (
	"strings"

	"ephemera/themes"
)

// Span is a piece of text with the role it plays.
type Span struct {
	Role themes.Role
	Text string // any text: it is made safe when it is drawn
}

// Line is styled text as data. It can be made in a command, kept, and drawn in
// whatever theme is in force. Its text may come from anywhere: drawing makes it
// safe.
type Line []Span

// Plain is a line of ordinary text.
func Plain(text string) Line { return Line{{themes.Text, text}} }

// In is a line of one role.
func In(role themes.Role, text string) Line { return Line{{role, text}} }

// And adds a piece.
func (l Line) And(role themes.Role, text string) Line { return append(l, Span{role, text}) }

// String is the text alone, made safe.
func (l Line) String() string {
	if len(l) == 1 {
		return Safe(l[0].Text)
	}
	var b strings.Builder
	for _, s := range l {
		b.WriteString(Safe(s.Text))
	}
	return b.String()
}

// Render draws the line as long as it is.
func (l Line) Render(th *themes.Theme) string {
	var b strings.Builder
	for _, s := range l {
		ink := th.Ink(s.Role)
		ink.WriteTo(&b, Safe(s.Text))
	}
	return b.String()
}

// Fit draws the line exactly w cells wide, cut with an ellipsis or padded.
func (l Line) Fit(th *themes.Theme, w int) string {
	var b strings.Builder
	l.fit(&b, th, w, false)
	return b.String()
}

// FitRight is [Line.Fit] with the padding on the left.
func (l Line) FitRight(th *themes.Theme, w int) string {
	var b strings.Builder
	l.fit(&b, th, w, true)
	return b.String()
}

// fit draws w cells. Without a theme it draws the bare text, for a row that has
// one style from end to end.
func (l Line) fit(b *strings.Builder, th *themes.Theme, w int, right bool) {
	if w <= 0 {
		return
	}
	left := w - l.width(w)
	if left < 0 {
		l, left = l.cut(w), 0
	}
	if right {
		b.WriteString(spaces(left))
	}
	for _, s := range l {
		if text := Safe(head(s.Text, w)); th == nil {
			b.WriteString(text)
		} else {
			th.Ink(s.Role).WriteTo(b, text)
		}
	}
	if !right {
		b.WriteString(spaces(left))
	}
}

// cut shortens a line that is wider than w so that the cut shows: the piece
// that crosses the edge ends with the ellipsis.
func (l Line) cut(w int) Line {
	out := make(Line, 0, len(l))
	for _, s := range l {
		text := Safe(head(s.Text, w))
		n := Width(text)
		if n < w || n == w && len(out) == len(l)-1 {
			out, w = append(out, Span{s.Role, text}), w-n
			continue
		}
		if n == w {
			text += " " // something follows, so this piece is cut too
		}
		return append(out, Span{s.Role, Fit(text, w)})
	}
	return out
}

// ends shortens a line of one piece that is wider than w to its two ends.
func (l Line) ends(w int) Line {
	if len(l) != 1 || w < 5 || l.width(w) <= w {
		return l
	}
	text := l[0].Text
	if near := 16 * (w + 1); len(text) > 2*near { // no more of it can show
		text = text[:runeStart(text, near)] + text[runeStart(text, len(text)-near):]
	}
	return Line{{l[0].Role, without(Safe(text), w, (w-1)/2)}}
}

// width is how wide the line is; beyond w cells it may be too low.
func (l Line) width(w int) int {
	n := 0
	for _, s := range l {
		n += Width(Safe(head(s.Text, w)))
	}
	return n
}

// head cuts off what cannot matter when only w cells are drawn, so that long
// texts cost nothing. A cell takes at most a letter and three marks, sixteen
// bytes, so what is left is always wider than w if anything was cut.
func head(s string, w int) string {
	if enough := 16 * (w + 1); len(s) > enough {
		return s[:runeStart(s, enough)]
	}
	return s
}

// Columns lays lines beside each other, the left ones in so many cells.
func Columns(left, right []Line, half int) (out []Line) {
	for i := range max(len(left), len(right)) {
		var l, r Line
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		l = l.And(themes.Border, strings.Repeat(" ", max(half-Width(l.String()), 0))+" "+themes.GlyphSide+" ")
		out = append(out, append(l, r...))
	}
	return out
}

package widget

import (
	"strings"

	"ephemera/themes"
)

// Span is a piece of text with its role.
type Span struct {
	Role themes.Role
	Text string // any text: it is made safe when it is drawn
}

// Line is styled text as data. A command can make it, and it can be drawn in any
// theme. Its text may come from anywhere; drawing makes it safe.
type Line []Span

// Plain returns a line of ordinary text.
func Plain(text string) Line { return In(themes.Text, text) }

// In returns a line of one role.
func In(role themes.Role, text string) Line { return Line{{Role: role, Text: text}} }

// And appends a span.
func (l Line) And(role themes.Role, text string) Line {
	return append(l, Span{Role: role, Text: text})
}

// Muted returns a line of text that is less important.
func Muted(text string) Line { return In(themes.Muted, text) }

// Faint returns a line that stands in place of something absent, such as "none".
func Faint(text string) Line { return In(themes.Faint, text) }

// Header returns a line that is the heading of others.
func Header(text string) Line { return In(themes.Header, text) }

// Text appends ordinary text.
func (l Line) Text(text string) Line { return l.And(themes.Text, text) }

// Muted appends text that is less important.
func (l Line) Muted(text string) Line { return l.And(themes.Muted, text) }

// Strong appends text in bold, such as a name.
func (l Line) Strong(text string) Line { return l.And(themes.Strong, text) }

// String returns the text alone, made safe.
func (l Line) String() string {
	if len(l) == 1 {
		return Safe(l[0].Text)
	}
	var out strings.Builder
	for _, span := range l {
		out.WriteString(Safe(span.Text))
	}
	return out.String()
}

// Render draws the line at its own width.
func (l Line) Render(th *themes.Theme) string {
	var out strings.Builder
	for _, span := range l {
		ink := th.Ink(span.Role)
		ink.WriteTo(&out, Safe(span.Text))
	}
	return out.String()
}

// Fit draws the line exactly width cells wide: cut with an ellipsis, or padded.
func (l Line) Fit(th *themes.Theme, width int) string {
	var out strings.Builder
	l.draw(&out, th, width, false)
	return out.String()
}

// DrawLines draws lines as one text, each exactly width cells wide.
func DrawLines(th *themes.Theme, lines []Line, width int) string {
	drawn := make([]string, len(lines))
	for i, line := range lines {
		drawn[i] = line.Fit(th, width)
	}
	return strings.Join(drawn, "\n")
}

// FitRight draws the line at the right end of width cells. A line that is too long is cut at
// its end, as by [Line.Fit].
func (l Line) FitRight(th *themes.Theme, width int) string {
	var out strings.Builder
	l.draw(&out, th, width, true)
	return out.String()
}

// draw draws the line exactly width cells wide. Without a theme it draws the bare
// text.
func (l Line) draw(out *strings.Builder, th *themes.Theme, width int, alignRight bool) {
	if width <= 0 {
		return
	}

	// Cut a line that is too long, or pad a short one.
	padding := width - l.widthUpTo(width)
	if padding < 0 {
		l = l.cut(width)
		padding = 0
	}
	if alignRight {
		out.WriteString(spaces(padding))
	}
	for _, span := range l {
		text := Safe(visiblePart(span.Text, width))
		if th == nil {
			out.WriteString(text)
		} else {
			th.Ink(span.Role).WriteTo(out, text)
		}
	}
	if !alignRight {
		out.WriteString(spaces(padding))
	}
}

// cut shortens a line that is wider than width. The span that crosses the edge ends
// with an ellipsis.
func (l Line) cut(width int) Line {
	short := make(Line, 0, len(l))
	for i, span := range l {
		text := Safe(visiblePart(span.Text, width))
		textWidth := Width(text)

		// A span that ends exactly at the edge is whole only if nothing follows.
		isLast := i == len(l)-1
		if textWidth < width || textWidth == width && isLast {
			short = append(short, Span{Role: span.Role, Text: text})
			width -= textWidth
			continue
		}
		if textWidth == width {
			text += " " // text follows, so Fit must put an ellipsis here
		}
		return append(short, Span{Role: span.Role, Text: Fit(text, width)})
	}
	return short
}

// withoutMiddle shortens a line of one span to width cells by leaving out its middle, so
// that both ends of an id stay visible. It returns any other line, a line that fits, and
// one for less than 5 cells unchanged.
//
// If keepFrom is not empty, the end is what begins with the last keepFrom. A line without
// it, or with so long an end that less than 8 cells would be left for the beginning, is
// returned unchanged too.
func (l Line) withoutMiddle(width int, keepFrom string) Line {
	if len(l) != 1 || width < 5 || l.widthUpTo(width) <= width {
		return l
	}
	text := l[0].Text
	tail := (width - 1) / 2
	if keepFrom != "" {
		const minHead = 8
		end := strings.LastIndex(text, keepFrom)
		if end < 0 || Width(Safe(text[end:]))+minHead >= width {
			return l
		}
		tail = Width(Safe(text[end:]))
	}

	// Don't measure a text that is far longer than the column.
	visible := bytesFor(width)
	if len(text) > 2*visible {
		text = text[:runeStart(text, visible)] + text[runeStart(text, len(text)-visible):]
	}
	return In(l[0].Role, elide(Safe(text), width, tail))
}

// longestName is the length from which a text in a column of names and addresses is an
// address, in bytes.
const longestName = 32

// withoutBeginning shortens an address to width cells by leaving out its beginning. A text
// that is longer than any name is taken for an address. It returns a name, and an address
// that fits, unchanged.
func (l Line) withoutBeginning(width int) Line {
	isAddress := len(l) == 1 && len(l[0].Text) > longestName
	if !isAddress || width < 2 || l.widthUpTo(width) <= width {
		return l
	}
	text := l[0].Text
	if hidden := len(text) - bytesFor(width); hidden > 0 {
		text = text[runeStart(text, hidden):]
	}
	return In(l[0].Role, elide(Safe(text), width, width-1))
}

// Width returns the width of the line's text, in cells.
func (l Line) Width() int { return l.widthUpTo(maxSafe) }

// widthUpTo returns the width of the line. It may be too low for a line that is wider than
// limit cells.
func (l Line) widthUpTo(limit int) int {
	total := 0
	for _, span := range l {
		total += Width(Safe(visiblePart(span.Text, limit)))
	}
	return total
}

// visiblePart cuts a text that is far longer than width cells, so that long texts cost
// nothing. A text that was cut is still wider than width.
func visiblePart(s string, width int) string {
	if enough := bytesFor(width); len(s) > enough {
		return s[:runeStart(s, enough)]
	}
	return s
}

// bytesFor returns how many bytes of a text width cells can show, and some more. A
// cell takes a letter and three marks at most, sixteen bytes.
func bytesFor(width int) int { return 16 * (width + 1) }

// WrapLine breaks a line into lines of at most width cells. The others are indented by
// two cells more than the first.
func WrapLine(l Line, width int) []Line {
	if width <= 0 || l.widthUpTo(width) <= width {
		return []Line{l}
	}

	// Lines after the first are indented, unless that takes half of the width.
	w := lineWrapper{width: width, left: width}
	if len(l) > 0 {
		text := l[0].Text
		w.indent = len(text) - len(strings.TrimLeft(text, " ")) + 2
	}
	if w.indent > width/2 {
		w.indent = 0
	}

	// Add the text span by span, so that each keeps its role.
	for _, span := range l {
		text := span.Text
		for len(text) > 0 {
			part := text
			if len(part) > maxSafe { // Safe would cut it
				part = part[:runeStart(part, maxSafe)]
			}
			text = text[len(part):]
			w.add(span.Role, Safe(part))
		}
	}
	return append(w.lines, w.current)
}

// lineWrapper wraps the spans of one line.
type lineWrapper struct {
	width   int
	indent  int // of the lines after the first
	lines   []Line
	current Line
	left    int // cells of current
}

// add appends a text, made safe already, to the current line. Where the text does not fit
// it starts new lines, which are indented.
func (w *lineWrapper) add(role themes.Role, text string) {
	for Width(text) > w.left {
		end, next := w.breakOf(text)
		w.current = w.current.And(role, text[:end])
		w.lines = append(w.lines, w.current)
		text = text[next:]
		w.current = Plain(spaces(w.indent))
		w.left = w.width - w.indent
	}
	if text != "" {
		w.current = w.current.And(role, text)
		w.left -= Width(text)
	}
}

// breakOf finds where to break a text that does not fit into what is left of the current
// line. It returns the byte index at which the current line ends and that at which the
// next one starts. Both are 0 if the next line takes the whole text: so it does if the
// break would be within a word that is short enough for the next line.
func (w *lineWrapper) breakOf(text string) (end, next int) {
	if w.left > 0 {
		end, next = breakAt(text, w.left)
	}

	// A short word moves to the next line as a whole.
	fullLine := w.width - w.indent
	breaksWord := next == end
	if breaksWord && w.left < fullLine && w.startsWord() && firstWordWidth(text) <= fullLine/2 {
		return 0, 0 // the word goes to the next line
	}
	if end == 0 && next == 0 && w.left >= fullLine {
		return len(text), len(text) // a character wider than the line is cut when drawn
	}
	return end, next
}

// startsWord reports whether text that is added next begins a word.
func (w *lineWrapper) startsWord() bool {
	last := len(w.current) - 1
	return last >= 0 && strings.HasSuffix(w.current[last].Text, " ")
}

// firstWordWidth returns the width of a text up to its first space.
func firstWordWidth(text string) int {
	word, _, _ := strings.Cut(text, " ")
	return Width(word)
}

// Columns joins lines side by side, with a vertical line between them. The left ones are
// padded to leftWidth cells; longer ones are not cut.
func Columns(left, right []Line, leftWidth int) (joined []Line) {
	for i := range max(len(left), len(right)) {
		var line Line
		if i < len(left) {
			line = left[i]
		}
		padding := max(leftWidth-line.Width(), 0)
		line = line.And(themes.Border, strings.Repeat(" ", padding)+" "+themes.GlyphSide+" ")
		if i < len(right) {
			line = append(line, right[i]...)
		}
		joined = append(joined, line)
	}
	return joined
}

// Bar draws a bar of which a part between 0 and 1 is full. Only 0 fills no cell, and
// only 1 fills all.
func Bar(width int, part float64, role themes.Role) Line {
	if width <= 0 {
		return nil
	}
	full := 0
	switch {
	case part >= 1:
		full = width
	case part > 0:
		full = clamp(int(part*float64(width)), 1, max(1, width-1))
	}
	return In(role, strings.Repeat(themes.GlyphFull, full)).
		And(themes.BarEmpty, strings.Repeat(themes.GlyphEmpty, width-full))
}

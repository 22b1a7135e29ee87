package widget

import (
	"strings"

	"ephemera/themes"
)

// Span is a piece of text with its role, that is its style in a theme.
type Span struct {
	Role themes.Role
	Text string // any text: it is made safe when it is drawn
}

// Line is a line of text in which each piece has a role. The theme that draws the line decides
// the colours.
type Line []Span

// Plain returns a line of ordinary text.
func Plain(text string) Line { return Styled(themes.Text, text) }

// Styled returns a line of one role.
func Styled(role themes.Role, text string) Line { return Line{{Role: role, Text: text}} }

// Append appends a span.
func (l Line) Append(role themes.Role, text string) Line {
	return append(l, Span{Role: role, Text: text})
}

// Muted returns a line of text that is less important.
func Muted(text string) Line { return Styled(themes.Muted, text) }

// Faint returns a line that stands in place of something absent, such as "none".
func Faint(text string) Line { return Styled(themes.Faint, text) }

// Warning returns a line that warns, with the sign of a warning in front of text.
func Warning(text string) Line { return Styled(themes.Warn, themes.GlyphWarn+" "+text) }

// Header returns a line that is the heading of others.
func Header(text string) Line { return Styled(themes.Header, text) }

// Text appends ordinary text.
func (l Line) Text(text string) Line { return l.Append(themes.Text, text) }

// Muted appends text that is less important.
func (l Line) Muted(text string) Line { return l.Append(themes.Muted, text) }

// Strong appends text in bold, such as a name.
func (l Line) Strong(text string) Line { return l.Append(themes.Strong, text) }

// String returns the text alone, made safe.
func (l Line) String() string {
	var out strings.Builder
	for _, span := range l {
		out.WriteString(Safe(span.Text))
	}
	return out.String()
}

// Render draws the line at its own width.
func (l Line) Render(theme *themes.Theme) string {
	var out strings.Builder
	for _, span := range l {
		theme.Ink(span.Role).WriteTo(&out, Safe(span.Text))
	}
	return out.String()
}

// Fit draws the line exactly width cells wide: cut with an ellipsis, or padded.
func (l Line) Fit(theme *themes.Theme, width int) string {
	text, padding := l.draw(theme, width)
	return text + padding
}

// DrawLines draws lines as one text, each exactly width cells wide.
func DrawLines(theme *themes.Theme, lines []Line, width int) string {
	drawn := make([]string, len(lines))
	for i, line := range lines {
		drawn[i] = line.Fit(theme, width)
	}
	return strings.Join(drawn, "\n")
}

// FitRight is [Line.Fit] with the padding on the left.
func (l Line) FitRight(theme *themes.Theme, width int) string {
	text, padding := l.draw(theme, width)
	return padding + text
}

// styleBytes is how many bytes the style of a span usually takes.
const styleBytes = 32

// draw draws the line in at most width cells. In a line that is too long, the span that
// crosses the edge ends with an ellipsis. padding is the spaces that a short line needs to be
// width cells wide. With a nil theme it draws the text without styles.
func (l Line) draw(theme *themes.Theme, width int) (text, padding string) {
	if width <= 0 {
		return "", ""
	}
	var out strings.Builder
	out.Grow(width + len(l)*styleBytes)
	room := width
	for i, span := range l {
		spanText := Safe(visiblePart(span.Text, width))
		spanWidth := Width(spanText)
		if spanWidth > room || spanWidth == room && l[i+1:].widthUpTo(1) > 0 {
			// With the space, Fit puts an ellipsis even if the span ends exactly at the edge.
			spanText = Fit(spanText+" ", room)
			spanWidth = room
		}
		room -= spanWidth
		if theme == nil {
			out.WriteString(spanText)
		} else {
			theme.Ink(span.Role).WriteTo(&out, spanText)
		}
		if room == 0 {
			break
		}
	}
	return out.String(), spaces(room)
}

// Width returns the width of the line's text, in cells.
func (l Line) Width() int { return l.widthUpTo(maxSafeBytes) }

// widthUpTo returns the width of the line, or some number above limit if it is wider than limit
// cells, because it measures only the beginnings of long texts.
func (l Line) widthUpTo(limit int) int {
	total := 0
	for _, span := range l {
		text := visiblePart(span.Text, limit)
		total += safeWidth(text)
	}
	return total
}

// visiblePart cuts a text that is far longer than width cells, so that long texts cost
// nothing. A text that was cut is still wider than width.
func visiblePart(text string, width int) string {
	if maxBytes := maxBytesFor(width); len(text) > maxBytes {
		return text[:runeStart(text, maxBytes)]
	}
	return text
}

// maxBytesFor returns how many bytes of a text width cells can show, and some more. A
// cell takes a letter and three marks at most, sixteen bytes.
func maxBytesFor(width int) int { return 16 * (width + 1) }

// WrapLine breaks a line into lines of at most width cells. Lines after the first are
// indented by two cells more than the first line.
func WrapLine(line Line, width int) []Line {
	if width <= 0 || line.widthUpTo(width) <= width {
		return []Line{line}
	}

	// Lines after the first are indented, unless that takes half of the width.
	firstText := line[0].Text
	indent := len(firstText) - len(strings.TrimLeft(firstText, " ")) + 2
	if indent > width/2 {
		indent = 0
	}

	// Add the text span by span, so that each keeps its role. Safe would cut a long text,
	// so that is added in parts.
	wrapper := lineWrapper{width: width, indent: indent, roomCells: width}
	for _, span := range line {
		text := span.Text
		for len(text) > maxSafeBytes {
			end := runeStart(text, maxSafeBytes)
			wrapper.addText(span.Role, Safe(text[:end]))
			text = text[end:]
		}
		wrapper.addText(span.Role, Safe(text))
	}
	return append(wrapper.lines, wrapper.current)
}

// lineWrapper wraps the spans of one line.
type lineWrapper struct {
	width     int    // of a whole line, in cells
	indent    int    // spaces at the start of the lines after the first
	lines     []Line // the lines that are full
	current   Line   // the line that is being filled
	roomCells int    // cells that are free in the current line
}

// addText appends a text that is safe already. What does not fit continues on new lines.
func (w *lineWrapper) addText(role themes.Role, text string) {
	for Width(text) > w.roomCells {
		end, next := w.findBreak(text)
		w.current = w.current.Append(role, text[:end])
		w.lines = append(w.lines, w.current)
		text = text[next:]
		w.current = Plain(spaces(w.indent))
		w.roomCells = w.width - w.indent
	}
	if text != "" {
		w.current = w.current.Append(role, text)
		w.roomCells -= Width(text)
	}
}

// findBreak finds where to break a text that does not fit into the current line, as [breakAt]
// does. If both results are 0, the whole text goes to the next line.
func (w *lineWrapper) findBreak(text string) (end, next int) {
	end, next = breakAt(text, w.roomCells)

	// Rather than break a short word, move it to the next line as a whole.
	fullLine := w.width - w.indent
	word, _, _ := strings.Cut(text, " ")
	last := len(w.current) - 1
	startsWord := last >= 0 && strings.HasSuffix(w.current[last].Text, " ")
	isShortWord := startsWord && Width(word) <= fullLine/2
	if next == end && isShortWord && w.roomCells < fullLine {
		return 0, 0
	}

	// A character that is wider than a whole line stays here, and is cut when it is
	// drawn.
	if next == 0 && w.roomCells >= fullLine {
		return len(text), len(text)
	}
	return end, next
}

// Columns joins lines side by side, with a vertical line between them. The left ones are
// padded to leftWidth cells; longer ones are not cut.
func Columns(left, right []Line, leftWidth int) (joined []Line) {
	for i := range max(len(left), len(right)) {
		leftLine := lineAt(left, i)
		padding := spaces(leftWidth - leftLine.Width())
		leftHalf := leftLine.Append(themes.Border, padding+" "+themes.GlyphSide+" ")
		joined = append(joined, append(leftHalf, lineAt(right, i)...))
	}
	return joined
}

// lineAt returns the line with an index, or an empty line if there is none.
func lineAt(lines []Line, index int) Line {
	if index >= len(lines) {
		return nil
	}
	return lines[index]
}

// Bar draws a bar of width cells of which a part, from 0 to 1, is full. A part that is not 0
// fills at least one cell, and a part below 1 leaves at least one cell empty.
func Bar(width int, part float64, role themes.Role) Line {
	if width <= 0 {
		return nil
	}
	fullCells := 0
	switch {
	case part >= 1:
		fullCells = width
	case part > 0:
		cells := int(part * float64(width))
		fullCells = clamp(cells, 1, max(1, width-1))
	}
	return Styled(role, strings.Repeat(themes.GlyphFull, fullCells)).
		Append(themes.BarEmpty, strings.Repeat(themes.GlyphEmpty, width-fullCells))
}

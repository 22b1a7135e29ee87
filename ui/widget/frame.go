package widget

import (
	"strings"

	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// Hidden counts the lines that a box has no room for, above and below those that it
// shows. Key, if there is one, is the key that scrolls down.
type Hidden struct {
	Above, Below int
	Key          string
}

// hiddenLines counts the hidden lines of a view of some height, whose first line is
// top of n.
func hiddenLines(top, height, n int) Hidden {
	return Hidden{Above: top, Below: max(0, n-top-max(0, height))}
}

// aboveLine and belowLine return what a border says of the hidden lines.
func (h Hidden) aboveLine() Line { return hiddenLine(themes.GlyphUp, h.Above) }

func (h Hidden) belowLine() Line {
	line := hiddenLine(themes.GlyphDown, h.Below)
	if len(line) > 0 && h.Key != "" {
		line = line.And(themes.Key, h.Key+" ")
	}
	return line
}

func hiddenLine(sign string, count int) Line {
	if count <= 0 {
		return nil
	}
	return In(themes.Accent, " "+sign+" ").And(themes.Muted, humanize.Comma(int64(count))+" more ")
}

// FrameInner returns the box inside a [Frame], without the border and the space beside
// each side.
func FrameInner(b Box) Box { return Box{W: max(0, b.W-4), H: max(0, b.H-2)} }

// Frame draws a border with a title around a body, for dialogs. The body should fill
// [FrameInner] of the box. The border counts the hidden lines of the body.
func Frame(th *themes.Theme, title, body string, b Box, h Hidden) string {
	if b.W < 6 || b.H < 3 {
		return Fill(body, b)
	}
	name := Safe(title)
	if name != "" {
		room := b.W - 6 - h.aboveLine().widthUpTo(b.W)
		name = " " + strings.TrimRight(Fit(name, min(Width(name), room)), " ") + " "
	}

	ink := th.Ink(themes.Focus)
	var out strings.Builder
	ink.WriteTo(&out, themes.GlyphCornerTL+themes.GlyphLine)
	out.WriteString(th.Render(themes.Title, name))
	drawRule(&out, th, themes.Focus, b.W-3-Width(name), h.aboveLine())
	ink.WriteTo(&out, themes.GlyphCornerTR)
	for line := range strings.SplitSeq(Fill(body, FrameInner(b)), "\n") {
		out.WriteByte('\n')
		ink.WriteTo(&out, themes.GlyphSide)
		out.WriteString(" " + line + " ")
		ink.WriteTo(&out, themes.GlyphSide)
	}
	out.WriteByte('\n')
	ink.WriteTo(&out, themes.GlyphCornerBL)
	drawRule(&out, th, themes.Focus, b.W-2, h.belowLine())
	ink.WriteTo(&out, themes.GlyphCornerBR)
	return out.String()
}

// drawRule draws a horizontal line with a text near its right end. The text is left
// out if it does not fit.
func drawRule(out *strings.Builder, th *themes.Theme, role themes.Role, width int, text Line) {
	ink := th.Ink(role)
	textWidth := text.widthUpTo(width)
	if textWidth == 0 || textWidth+1 > width {
		ink.WriteTo(out, strings.Repeat(themes.GlyphLine, max(width, 0)))
		return
	}
	ink.WriteTo(out, strings.Repeat(themes.GlyphLine, width-textWidth-1))
	out.WriteString(text.Render(th))
	ink.WriteTo(out, themes.GlyphLine)
}

package widget

import (
	"strings"

	"ephemera/themes"
)

// HiddenCounts counts the lines that a box has no room for, for its border.
type HiddenCounts struct {
	Above int    // the number of lines above those in view
	Below int    // the number of lines below those in view
	Key   string // the key that scrolls down; empty to name none
}

// countHidden counts the hidden lines of a text of count lines, of which height lines from the
// index top on are in view.
func countHidden(top, height, count int) HiddenCounts {
	return HiddenCounts{Above: top, Below: max(0, count-top-max(0, height))}
}

// aboveLabel returns the text in the upper border: "▴ 12 more", and nil for none.
func (h HiddenCounts) aboveLabel() Line { return hiddenLabel(themes.GlyphUp, h.Above) }

// belowLabel returns the text in the lower border: "▾ 12 more pgdn", and nil for none.
func (h HiddenCounts) belowLabel() Line {
	line := hiddenLabel(themes.GlyphDown, h.Below)
	if len(line) > 0 && h.Key != "" {
		line = line.Append(themes.Key, h.Key+" ")
	}
	return line
}

// hiddenLabel returns a sign and the number of hidden lines, and nil for none.
func hiddenLabel(sign string, count int) Line {
	if count <= 0 {
		return nil
	}
	return Styled(themes.Accent, " "+sign+" ").Muted(comma(count) + " more ")
}

// FrameInner returns the box inside a [Frame], without the border and the space beside
// each side.
func FrameInner(box Box) Box { return Box{W: max(0, box.W-4), H: max(0, box.H-2)} }

// Frame draws a dialog as large as the box: a border with a title and the number of hidden
// lines, and the body inside it, which should be as large as [FrameInner] of the box. In a box
// that is too small for a border, it draws only the body.
func Frame(theme *themes.Theme, title, body string, box Box, hidden HiddenCounts) string {
	const (
		cornersWidth    = 2
		lineBeforeTitle = 1
		minWidth        = 6 // two corners, a line and a space on each side of the title
	)
	if box.W < minWidth || box.H < 3 {
		return Fill(body, box)
	}

	// Shorten the title to the room beside the number of hidden lines.
	shownTitle := ""
	if title != "" {
		room := box.W - minWidth - hidden.aboveLabel().Width()
		shownTitle = " " + Shorten(title, room) + " "
	}

	drawBorder := func(glyphs string) string { return theme.Render(themes.Focus, glyphs) }
	topLeft := drawBorder(themes.GlyphCornerTL+themes.GlyphLine) + theme.Render(themes.Title, shownTitle)
	topWidth := box.W - cornersWidth - lineBeforeTitle - Width(shownTitle)
	topRule := drawRule(theme, themes.Focus, topWidth, hidden.aboveLabel())
	lines := []string{topLeft + topRule + drawBorder(themes.GlyphCornerTR)}
	side := drawBorder(themes.GlyphSide)
	for line := range strings.SplitSeq(Fill(body, FrameInner(box)), "\n") {
		lines = append(lines, side+" "+line+" "+side)
	}
	bottomRule := drawRule(theme, themes.Focus, box.W-cornersWidth, hidden.belowLabel())
	lines = append(lines, drawBorder(themes.GlyphCornerBL)+bottomRule+drawBorder(themes.GlyphCornerBR))
	return strings.Join(lines, "\n")
}

// drawRule draws a horizontal line with a text near its right end, if that fits.
func drawRule(theme *themes.Theme, role themes.Role, width int, text Line) string {
	textWidth := text.Width()
	if textWidth == 0 || textWidth+1 > width {
		return theme.Render(role, strings.Repeat(themes.GlyphLine, max(width, 0)))
	}
	return theme.Render(role, strings.Repeat(themes.GlyphLine, width-textWidth-1)) +
		text.Render(theme) +
		theme.Render(role, themes.GlyphLine)
}

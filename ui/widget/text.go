package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// Width returns the number of cells that a text takes; style codes take none. The
// whole program measures with it: bubbletea's renderer measures in the same way, and
// [Safe] removes what terminals measure differently.
func Width(text string) int {
	if cells, isMeasured := quickWidth(text); isMeasured {
		return cells
	}
	return ansi.StringWidth(text)
}

// quickWidth measures a text that has only printable ASCII, style codes (ESC [ … m), and
// the signs that the explorer draws with, each of which takes one cell, as nearly every line
// does. isMeasured is false for any other text.
func quickWidth(text string) (cells int, isMeasured bool) {
	for i := 0; i < len(text); {
		if char := text[i]; char >= ' ' && char <= '~' {
			cells++
			i++
			continue
		}

		// A style code takes no cell.
		if codeLength := styleCodeLength(text[i:]); codeLength > 0 {
			i += codeLength
			continue
		}
		r, length := utf8.DecodeRuneInString(text[i:])
		if !isDrawingSign(r) {
			return 0, false
		}
		cells++
		i += length
	}
	return cells, true
}

// styleCodeLength returns the number of bytes of the style code, such as ESC [1m, at the
// start of a text, and 0 without one.
func styleCodeLength(text string) int {
	const start = "\x1b["
	if !strings.HasPrefix(text, start) {
		return 0
	}
	for i := len(start); i < len(text); i++ {
		switch char := text[i]; {
		case char == 'm':
			return i + 1
		case char != ';' && (char < '0' || char > '9'):
			return 0
		}
	}
	return 0
}

// isDrawingSign reports whether the explorer itself draws with a rune beyond ASCII:
// dashes, arrows, lines, blocks, dots and signs. Each takes one cell, whatever stands
// beside it.
func isDrawingSign(r rune) bool {
	switch r {
	case '·', '×', '≤', '≥', '◗', '✓', '✗':
		return true
	}
	return r >= '─' && r <= '●' || r >= '–' && r <= '…' || r >= '←' && r <= '↓'
}

// safeWidth returns the number of cells that a text takes once it is made safe.
func safeWidth(text string) int { return Width(Safe(text)) }

// comma writes a number with a comma between its thousands, such as "1,204".
func comma(number int) string { return humanize.Comma(int64(number)) }

// Fit returns a line exactly width cells wide: padded on the right, or cut with an
// ellipsis. It does not cut style codes.
func Fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	return cut(text, width, themes.GlyphEllipsis)
}

// FitRight is [Fit] with the padding on the left.
func FitRight(text string, width int) string {
	if textWidth := Width(text); textWidth < width {
		return spaces(width-textWidth) + text
	}
	return Fit(text, width)
}

// cut returns a line exactly width cells wide: padded on the right, or cut, with ending at the
// end of what is left.
func cut(text string, width int, ending string) string {
	missingCells := width - Width(text)
	if missingCells < 0 {
		text = ansi.Truncate(text, width, ending)
		missingCells = width - Width(text) // where half of a wide character would have been
	}
	return text + spaces(missingCells)
}

// Shorten returns an id or an address made safe, in at most width cells. An ellipsis takes the
// place of its middle, because the tokens of a collection, and the accounts of a chain, begin
// alike and differ at their ends. The end gets a third of the cells, but at least 5, so that an
// account ends alike in every column of up to 18 cells. Shorten does not pad.
func Shorten(text string, width int) string {
	if width <= 0 {
		return ""
	}

	// Don't measure a text that is far longer than the width.
	if maxBytes := maxBytesFor(width); len(text) > 2*maxBytes {
		text = text[:runeStart(text, maxBytes)] + text[runeStart(text, len(text)-maxBytes):]
	}
	text = Safe(text)
	cells := Width(text)
	if cells <= width {
		return text
	}

	// The ellipsis and the beginning take a cell each.
	tailWidth := min(max(5, (width-1)/3), width-2)
	if tailWidth <= 0 {
		return ansi.Truncate(text, width, themes.GlyphEllipsis)
	}
	head := text[:width-1-tailWidth]
	tail := text[len(text)-tailWidth:]
	if cells != len(text) { // some character is not one byte in one cell
		head = ansi.Truncate(text, width-1-tailWidth, "")
		tail = dropLeft(text, cells-tailWidth)
	}
	return head + themes.GlyphEllipsis + strings.TrimLeft(tail, " ")
}

// Wrap breaks a text without styles into lines of at most width cells, at spaces if it
// can. It breaks at newlines too. The least width is 2, that of the widest character.
// There is always at least one line.
func Wrap(text string, width int) []string {
	width = max(2, width)
	var lines []string
	for part := range strings.SplitSeq(text, "\n") {
		for Width(part) > width {
			end, next := breakAt(part, width)
			lines = append(lines, part[:end])
			part = part[next:]
		}
		lines = append(lines, part)
	}
	return lines
}

// breakAt finds where to break a text that is wider than width cells. The first line ends
// at the byte index end, and the next line starts at next: behind the last space that fits, or
// else within a word at the same index.
func breakAt(text string, width int) (end, next int) {
	cells := 0
	lastSpace := 0 // index of the last space that fits, 0 if there is none
	for i := 0; i < len(text); {
		cluster, clusterWidth := ansi.FirstGraphemeCluster(text[i:], ansi.GraphemeWidth)
		if cluster == " " && cells <= width {
			lastSpace = i
		}
		cells += clusterWidth
		if cells > width {
			if lastSpace > 0 {
				return lastSpace, lastSpace + 1
			}
			return i, i
		}
		i += len(cluster)
	}
	return len(text), len(text)
}

// JoinEnds returns a line of width cells with one text at each end. If both don't fit,
// the left text is cut. If the right text alone does not fit, it is left out.
func JoinEnds(left, right string, width int) string {
	rightWidth := Width(right)
	if rightWidth == 0 || rightWidth+2 > width {
		return Fit(left, width)
	}
	return Fit(left, width-rightWidth-1) + " " + right
}

// spaces returns n spaces, and none if n is negative.
func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }

// isPlain reports whether every byte is a printable ASCII character, which takes one cell.
func isPlain(text string) bool {
	for i := range len(text) {
		if char := text[i]; char < ' ' || char > '~' {
			return false
		}
	}
	return true
}

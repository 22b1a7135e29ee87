package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
)

// Width returns the number of cells that a text takes; style codes take none. The
// whole program measures with it: bubbletea's renderer measures in the same way, and
// [Safe] removes what terminals measure differently.
func Width(s string) int {
	if cells, measured := quickWidth(s); measured {
		return cells
	}
	return ansi.StringWidth(s)
}

// quickWidth measures a text that has only printable ASCII, style codes (ESC [ … m), and
// the signs that the explorer draws with. Nearly every line is such a text, and is measured
// fast, because each of its characters takes one cell. measured is false for any other
// text.
func quickWidth(s string) (cells int, measured bool) {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c <= '~' {
			cells++
			i++
			continue
		}

		// A style code takes no cell.
		if strings.HasPrefix(s[i:], "\x1b[") {
			i += 2
			for i < len(s) && (s[i] == ';' || s[i] >= '0' && s[i] <= '9') {
				i++
			}
			if i == len(s) || s[i] != 'm' {
				return 0, false
			}
			i++
			continue
		}
		r, length := utf8.DecodeRuneInString(s[i:])
		if !isDrawingSign(r) {
			return 0, false
		}
		cells++
		i += length
	}
	return cells, true
}

// isDrawingSign reports whether the explorer itself draws with a rune beyond ASCII:
// dashes, arrows, lines, blocks, dots and signs. Each takes one cell, whatever stands
// beside it.
func isDrawingSign(r rune) bool {
	if r >= '─' && r <= '●' || r >= '–' && r <= '…' || r >= '←' && r <= '↓' {
		return true
	}
	switch r {
	case '·', '×', '≤', '≥', '◗', '✓', '✗':
		return true
	}
	return false
}

// Fit returns a line exactly width cells wide: padded on the right, or cut with an
// ellipsis. It does not cut style codes.
func Fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	textWidth := Width(s)
	if textWidth <= width {
		return s + spaces(width-textWidth)
	}
	return pad(ansi.Truncate(s, width, themes.GlyphEllipsis), width)
}

// FitRight is [Fit] with the padding on the left.
func FitRight(s string, width int) string {
	if textWidth := Width(s); textWidth < width {
		return spaces(width-textWidth) + s
	}
	return Fit(s, width)
}

// clip is [Fit] without the ellipsis, for blocks that are laid out already.
func clip(s string, width int) string {
	missing := width - Width(s)
	if missing < 0 {
		return pad(ansi.Truncate(s, width, ""), width)
	}
	return s + spaces(missing)
}

// pad adds spaces up to width cells. It never cuts.
func pad(s string, width int) string { return s + spaces(width-Width(s)) }

// ElideMiddle shortens a text to at most width cells by leaving out its middle, because
// the ends of addresses differ most. Below 8 cells it leaves out the end. It does not
// pad.
func ElideMiddle(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width < 8 {
		return strings.TrimRight(Fit(s, width), " ")
	}
	tail := min(5, (width-1)/3)
	return elide(s, width, tail)
}

// elide shortens a text that is wider than width cells to width cells. It puts an ellipsis
// in place of the middle, and keeps the last tail cells: "cosmos1…x7q2k".
func elide(s string, width, tail int) string {
	head := width - 1 - tail
	return ansi.Truncate(s, head, "") + themes.GlyphEllipsis + dropLeft(s, Width(s)-tail)
}

// Wrap breaks a text without styles into lines of at most width cells, at spaces if it
// can. It breaks at newlines too. The least width is 2, that of the widest character.
// There is always at least one line.
func Wrap(s string, width int) []string {
	width = max(2, width)
	var lines []string
	for part := range strings.SplitSeq(s, "\n") {
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
// at the byte index end, and the next line starts at next. The text is broken at the last
// space that fits, which is dropped. If there is none, it is broken within a word, and both
// indexes are the same.
func breakAt(s string, width int) (end, next int) {
	cells := 0
	lastSpace := 0 // index of the last space that fits, 0 if there is none
	for i := 0; i < len(s); {
		cluster, clusterWidth := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		if cluster == " " && cells <= width {
			lastSpace = i
		}
		cells += clusterWidth
		if cells > width && lastSpace > 0 {
			return lastSpace, lastSpace + 1
		}
		if cells > width {
			return i, i
		}
		i += len(cluster)
	}
	return len(s), len(s)
}

// JoinEnds returns a line of width cells with one text at each end. If both don't fit, the
// left text is cut. If the right text alone does not fit, it is left out.
func JoinEnds(left, right string, width int) string {
	rightWidth := Width(right)
	if rightWidth == 0 || rightWidth+2 > width {
		return Fit(left, width)
	}
	return Fit(left, width-rightWidth-1) + " " + right
}

// spaces returns n spaces, and none if n is negative.
func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }

// isPlain reports whether every byte is a printable ASCII character. The number of bytes
// of such a text is its width in cells.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

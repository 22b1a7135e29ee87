// Package widget has the parts of the explorer's screens: a paged table, forms,
// timelines, a JSON view, a chooser, and functions for text.
//
// Every widget draws into a [Box] and fills it exactly, whatever the data: as many
// lines as the box is high, each as wide as the box. Text of a collection or a user is
// made safe when it is drawn ([Safe], [Line]).
//
// A widget knows themes and keys. It must not know what it shows: no token, no
// account, no chain. It does no I/O and never waits.
package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Box is a size in cells. A negative width or height counts as zero.
type Box struct{ W, H int }

// SplitTop cuts lines off the top. If the box is lower, the remainder is empty.
func (b Box) SplitTop(lines int) (top, remainder Box) {
	lines = clamp(lines, 0, max(0, b.H))
	return Box{b.W, lines}, Box{b.W, max(0, b.H) - lines}
}

// SplitLeft cuts cells off the left. If the box is narrower, the remainder is empty.
func (b Box) SplitLeft(cells int) (left, remainder Box) {
	cells = clamp(cells, 0, max(0, b.W))
	return Box{cells, b.H}, Box{max(0, b.W) - cells, b.H}
}

// Fill returns a block of text exactly as large as the box. It cuts lines or pads them
// with spaces, adds missing lines and drops excess ones.
func Fill(block string, box Box) string {
	if box.W <= 0 || box.H <= 0 {
		return strings.Repeat("\n", max(0, box.H-1))
	}

	// Add enough empty lines, and drop the excess ones.
	lines := append(strings.Split(block, "\n"), make([]string, box.H)...)[:box.H]
	for i, line := range lines {
		lines[i] = cut(line, box.W, "")
	}
	return strings.Join(lines, "\n")
}

// JoinVertically joins blocks from top to bottom. Empty blocks take no line.
func JoinVertically(blocks ...string) string {
	nonEmpty := slices.DeleteFunc(slices.Clone(blocks), func(block string) bool { return block == "" })
	return strings.Join(nonEmpty, "\n")
}

// JoinHorizontally joins blocks side by side. The blocks should be equally high. If one has
// fewer lines, the blocks to its right move left in the lines that it does not have.
func JoinHorizontally(blocks ...string) string {
	size := 0
	for _, block := range blocks {
		size += len(block)
	}
	var joined strings.Builder
	joined.Grow(size)
	remainders := slices.Clone(blocks)
	for hasMore := true; hasMore; {
		hasMore = false
		for i, remainder := range remainders {
			line, below, isCut := strings.Cut(remainder, "\n")
			joined.WriteString(line)
			remainders[i] = below
			hasMore = hasMore || isCut
		}
		if hasMore {
			joined.WriteString("\n")
		}
	}
	return joined.String()
}

// Overlay draws a dialog over a frame, with its top left corner at column and topLine. The
// dialog is cut at the edges of the frame. A wide character of the frame that the dialog
// covers by half becomes a space, so that columns stay straight.
func Overlay(frame, dialog string, column, topLine int) string {
	lines := strings.Split(frame, "\n")
	for i, text := range strings.Split(dialog, "\n") {
		if y := topLine + i; y >= 0 && y < len(lines) {
			lines[y] = overlayLine(lines[y], text, column)
		}
	}
	return strings.Join(lines, "\n")
}

// overlayLine returns a line with a text drawn over it from a column on. It never makes
// the line wider.
func overlayLine(line, text string, column int) string {
	if column < 0 { // the text begins left of the line
		text = dropLeft(text, -column)
		column = 0
	}
	text = ansi.Truncate(text, max(0, Width(line)-column), "")
	textWidth := Width(text)
	if textWidth == 0 {
		return line
	}
	return cut(line, column, "") + text + dropLeft(line, column+textWidth)
}

// dropLeft drops the first cells of a text. If this would cut a wide character in half,
// a space takes the place of its second half.
func dropLeft(text string, cells int) string {
	remainingWidth := max(0, Width(text)-cells)
	rest := ansi.TruncateLeft(text, cells, "")
	if Width(rest) > remainingWidth { // TruncateLeft kept the halved character
		rest = ansi.TruncateLeft(text, cells+1, "")
	}
	return spaces(remainingWidth-Width(rest)) + rest
}

// clamp returns the number from lo to hi that is nearest to n, and lo if hi is less than lo.
func clamp(n, lo, hi int) int { return max(lo, min(n, hi)) }

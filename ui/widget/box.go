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

// SplitTop cuts h lines off the top. If the box is lower, the remainder is empty.
func (b Box) SplitTop(h int) (top, remainder Box) {
	h = clamp(h, 0, max(0, b.H))
	return Box{b.W, h}, Box{b.W, max(0, b.H) - h}
}

// SplitLeft cuts w cells off the left. If the box is narrower, the remainder is empty.
func (b Box) SplitLeft(w int) (left, remainder Box) {
	w = clamp(w, 0, max(0, b.W))
	return Box{w, b.H}, Box{max(0, b.W) - w, b.H}
}

// Fill returns a block of text exactly as large as the box. It cuts lines or pads them
// with spaces, adds missing lines and drops excess ones.
func Fill(block string, box Box) string {
	if box.W <= 0 || box.H <= 0 {
		return strings.Repeat("\n", max(0, box.H-1))
	}
	var out strings.Builder
	out.Grow(len(block) + box.W)
	for y := range box.H {
		if y > 0 {
			out.WriteByte('\n')
		}
		var line string
		line, block, _ = strings.Cut(block, "\n")
		out.WriteString(clip(line, box.W))
	}
	return out.String()
}

// JoinV joins blocks from top to bottom. Empty blocks take no line.
func JoinV(blocks ...string) string {
	isEmpty := func(block string) bool { return block == "" }
	nonEmpty := slices.DeleteFunc(slices.Clone(blocks), isEmpty)
	return strings.Join(nonEmpty, "\n")
}

// JoinH joins blocks side by side. The blocks should be equally high. If one has fewer
// lines, the blocks to its right move left in the lines that it does not have.
func JoinH(blocks ...string) string {
	var joined []string
	for _, block := range blocks {
		for y, line := range strings.Split(block, "\n") {
			if y == len(joined) {
				joined = append(joined, "")
			}
			joined[y] += line
		}
	}
	return strings.Join(joined, "\n")
}

// Overlay draws a dialog over a frame. The top left corner of the dialog is at column x
// and line y of the frame. The dialog is cut at the edges of the frame. A wide character
// of the frame that the dialog covers by half becomes a space, so that columns stay
// straight.
func Overlay(frame, dialog string, x, y int) string {
	lines := strings.Split(frame, "\n")
	for i, over := range strings.Split(dialog, "\n") {
		row := y + i
		if row >= 0 && row < len(lines) {
			lines[row] = overlayLine(lines[row], over, x)
		}
	}
	return strings.Join(lines, "\n")
}

// overlayLine returns line with the text over drawn on it from column x on. It never
// makes the line wider.
func overlayLine(line, over string, x int) string {
	if x < 0 { // the text begins left of the line
		over = dropLeft(over, -x)
		x = 0
	}
	over = ansi.Truncate(over, max(0, Width(line)-x), "")
	width := Width(over)
	if width == 0 {
		return line
	}
	left := pad(ansi.Truncate(line, x, ""), x)
	right := dropLeft(line, x+width)
	return left + over + right
}

// dropLeft drops the first n cells of a text. If this would cut a wide character in half,
// a space takes the place of its second half.
func dropLeft(s string, n int) string {
	width := max(0, Width(s)-n)
	rest := ansi.TruncateLeft(s, n, "")
	if Width(rest) > width { // TruncateLeft kept the halved character
		rest = ansi.TruncateLeft(s, n+1, "")
	}
	return spaces(width-Width(rest)) + rest
}

// clamp returns the number from lo to hi that is nearest to n. If hi is less than lo, it
// returns lo.
func clamp(n, lo, hi int) int { return max(lo, min(n, hi)) }

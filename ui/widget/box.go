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
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Box is a size in cells. A negative side counts as zero.
type Box struct{ W, H int }

// SplitTop cuts h lines off the top. If the box is lower, the rest is empty.
func (b Box) SplitTop(h int) (top, rest Box) {
	h = clamp(h, 0, max(0, b.H))
	return Box{b.W, h}, Box{b.W, max(0, b.H) - h}
}

// SplitLeft cuts w cells off the left. If the box is narrower, the rest is empty.
func (b Box) SplitLeft(w int) (left, rest Box) {
	w = clamp(w, 0, max(0, b.W))
	return Box{w, b.H}, Box{max(0, b.W) - w, b.H}
}

// Fill makes a block exactly as large as the box. It cuts lines or pads them with
// spaces, adds missing lines and drops excess ones.
func Fill(block string, b Box) string {
	if b.W <= 0 || b.H <= 0 {
		return strings.Repeat("\n", max(0, b.H-1))
	}
	var out strings.Builder
	out.Grow(len(block) + b.W)
	rest, more := block, true
	for y := range b.H {
		if y > 0 {
			out.WriteByte('\n')
		}
		var line string
		if more {
			line, rest, more = strings.Cut(rest, "\n")
		}
		out.WriteString(clip(line, b.W))
	}
	return out.String()
}

// JoinV joins blocks from top to bottom. Empty blocks take no line.
func JoinV(blocks ...string) string {
	kept := make([]string, 0, len(blocks))
	for _, s := range blocks {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, "\n")
}

// JoinH joins blocks side by side. They must be equally high: nothing takes the place
// of missing lines.
func JoinH(blocks ...string) string {
	split := make([][]string, len(blocks))
	h := 0
	for i, s := range blocks {
		split[i] = strings.Split(s, "\n")
		h = max(h, len(split[i]))
	}
	var out strings.Builder
	for y := range h {
		if y > 0 {
			out.WriteByte('\n')
		}
		for _, lines := range split {
			if y < len(lines) {
				out.WriteString(lines[y])
			}
		}
	}
	return out.String()
}

// Overlay draws a dialog over a frame, with its top left corner at column x and line y.
// It cuts the dialog at the edges of the frame. A wide character that the dialog
// half covers becomes a space, so that columns stay straight.
func Overlay(frame, dialog string, x, y int) string {
	lines := strings.Split(frame, "\n")
	for i, over := range strings.Split(dialog, "\n") {
		if at := y + i; at >= 0 && at < len(lines) {
			lines[at] = overlayLine(lines[at], over, x)
		}
	}
	return strings.Join(lines, "\n")
}

func overlayLine(line, over string, x int) string {
	total := Width(line)
	if x < 0 {
		over, x = dropLeft(over, -x), 0
	}
	over = ansi.Truncate(over, max(0, total-x), "")
	w := Width(over)
	if w == 0 {
		return line
	}
	return pad(ansi.Truncate(line, x, ""), x) + over + dropLeft(line, x+w)
}

// dropLeft drops the first n cells. A wide character across the cut becomes a space.
func dropLeft(s string, n int) string {
	left := max(0, Width(s)-n)
	if cut := ansi.TruncateLeft(s, n, ""); Width(cut) <= left {
		return spaces(left-Width(cut)) + cut
	}
	cut := ansi.TruncateLeft(s, n+1, "")
	return spaces(left-Width(cut)) + cut
}

func clamp(n, lo, hi int) int { return max(lo, min(n, hi)) }

// Package widget holds the pieces that the explorer's screens are made of:
// a paged table, forms, timelines, a JSON view, a chooser, and the text
// functions below them.
//
// Every widget draws into a [Box] and fills exactly that: as many lines as the
// box is high, each as many cells wide as the box, whatever the data. Text that
// comes from a collection or a person is made safe on the way ([Safe], [Line]).
//
// A widget knows themes and keys. It must never know what it shows: no token,
// no account, no chain. It does no I/O and never waits.
package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Box is a size in cells. A negative side counts as zero.
type Box struct{ W, H int }

// SplitTop cuts h lines off the top. When the box is lower, the rest is empty.
func (b Box) SplitTop(h int) (top, rest Box) {
	h = clamp(h, 0, max(0, b.H))
	return Box{b.W, h}, Box{b.W, max(0, b.H) - h}
}

// SplitLeft cuts w cells off the left. When the box is narrower, the rest is
// empty.
func (b Box) SplitLeft(w int) (left, rest Box) {
	w = clamp(w, 0, max(0, b.W))
	return Box{w, b.H}, Box{max(0, b.W) - w, b.H}
}

// Fill makes a block exactly as large as the box: lines are cut or padded with
// spaces, missing lines added, excess lines dropped.
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

// JoinV puts blocks below each other. Empty blocks take no line.
func JoinV(blocks ...string) string {
	kept := make([]string, 0, len(blocks))
	for _, s := range blocks {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, "\n")
}

// JoinH puts blocks side by side. They must be equally high, as blocks that
// fill boxes of one height are; lines that a block lacks are left out.
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

// Overlay lays a dialog over a frame with its top left corner at column x and
// line y. What would stick out of the frame is cut. A wide character that the
// dialog covers by half becomes a space, so that columns stay straight.
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

// dropLeft leaves out the first n cells. A wide character that lies across the
// cut leaves a space.
func dropLeft(s string, n int) string {
	left := max(0, Width(s)-n)
	if cut := ansi.TruncateLeft(s, n, ""); Width(cut) <= left {
		return spaces(left-Width(cut)) + cut
	}
	cut := ansi.TruncateLeft(s, n+1, "")
	return spaces(left-Width(cut)) + cut
}

func clamp(n, lo, hi int) int { return max(lo, min(n, hi)) }

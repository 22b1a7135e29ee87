package ui

import (
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// head is the first line: the block, the pace, and what ends next or has just
// ended. The height always shows; in a narrow terminal what stands around it
// goes piece by piece, and none of it is cut in the middle.
func (c *clockPanel) head(d *Desk, w int) string {
	th := d.Theme
	if !d.Has() {
		return widget.Fit("", w)
	}
	left, right := c.halves(d, w)
	if len(right) == 0 {
		return left.Fit(th, w)
	}
	n := min(widget.Width(right.String()), w-widget.Width(left.String())-1)
	return widget.Ends(left.Render(th), right.Fit(th, n), w)
}

// tells is how many cells of the right end are the fewest that tell something.
const tells = 12

// halves are the two ends of the first line as far as there is room for them.
// What stands on the right is worth more than the pace and the date; but who
// asked for nanoseconds wants those of the block.
func (c *clockPanel) halves(d *Desk, w int) (left, right widget.Line) {
	forms := c.blocks(d)
	if timed := forms[:len(forms)-1]; d.Times == Exact && widget.Width(timed[len(timed)-1].String()) < w-tells {
		forms = timed
	}
	for _, r := range c.beside(d) {
		right = r.And(themes.Text, " ")
		n := widget.Width(right.String())
		for _, l := range forms {
			if widget.Width(l.String()) < w-n {
				return l, right
			}
		}
	}
	least := forms[len(forms)-1]
	if w-widget.Width(least.String())-1 < tells {
		return least, nil
	}
	return least, right
}

// tells says whether the first line names in full what ended in the last move.
func (c *clockPanel) tells(d *Desk, w int) bool {
	left, right := c.halves(d, w)
	return c.ended != "" && len(right) > 0 && widget.Width(left.String())+widget.Width(right.String()) < w
}

// blocks are the ways to write the block and the pace, the longest first. That
// the clock plays is never left out.
func (c *clockPanel) blocks(d *Desk) []widget.Line {
	now, short := secondsOf(d.Clock.Time)+" UTC", secondsOf(d.Clock.Time)
	if d.Times == Exact {
		now = uitoa(uint64(d.Clock.Time)) + " ns"
		short = now
	} else if len(short) == len("2006-01-02 15:04:05") {
		short = short[len("2006-01-02 "):] + " UTC"
	}
	pace := fmt.Sprintf("%d s a block", d.Clock.SecondsPerBlock)
	if c.play != 0 {
		state := fmt.Sprintf("playing %d/s", speeds[c.speed])
		return []widget.Line{block(d, now, pace, state), block(d, now, "", state), block(d, short, "", state), block(d, "", "", state)}
	}
	return []widget.Line{block(d, now, pace, "paused"), block(d, now, "", "paused"), block(d, now, "", ""), block(d, short, "", ""), block(d, "", "", "")}
}

// block writes the height and those of the other pieces that are not empty.
func block(d *Desk, now, pace, state string) widget.Line {
	l := widget.In(themes.Title, " CLOCK").And(themes.Text, "  ").And(themes.Strong, "height "+chain.Thousands(uint64(d.Clock.Height)))
	if now != "" {
		l = l.And(themes.Muted, " · ").And(themes.Text, now)
	}
	for _, piece := range []string{pace, state} {
		if piece != "" {
			l = l.And(themes.Muted, " · "+piece)
		}
	}
	return l
}

// beside are the ways to write the right end of the first line, the longest
// first: what has just ended, or what ends next.
func (c *clockPanel) beside(d *Desk) []widget.Line {
	switch {
	case c.ended != "":
		short := widget.In(themes.Warn, themes.GlyphEnded+" "+c.ended)
		if c.lost.Empty() {
			return []widget.Line{short}
		}
		return []widget.Line{slices.Clone(short).And(themes.Key, "  w").And(themes.Muted, " why"), short}
	case d.Next != nil:
		next := func(word string) widget.Line {
			return widget.In(themes.Muted, word+" ").And(themes.Text, d.gain(*d.Next)).And(themes.Muted, " "+d.until(d.Next.Expires))
		}
		return []widget.Line{next("ends next:"), next("next:"), widget.In(themes.Muted, "next: ").And(themes.Text, d.gain(*d.Next))}
	}
	return []widget.Line{widget.In(themes.Muted, "nothing will end")}
}

// secondsOf writes a time to the second.
func secondsOf(t cw721.Time) string {
	text := chain.UTC(t)
	if len(text) > 19 {
		text = text[:19]
	}
	return text
}

package ui

import (
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// head is the first line: the block, the pace, and what expires next or has just
// ended. The height always shows; in a narrow terminal what stands around it
// goes piece by piece, and none of it is cut in the middle.
func (c *clockPanel) head(st *app.State, w int) string {
	th := st.Theme
	if !st.Has() {
		return widget.Fit("", w)
	}
	left, right := c.halves(st, w)
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
func (c *clockPanel) halves(st *app.State, w int) (left, right widget.Line) {
	forms := c.blocks(st)
	if timed := forms[:len(forms)-1]; st.Times == app.Exact && widget.Width(timed[len(timed)-1].String()) < w-tells {
		forms = timed
	}
	for _, r := range c.beside(st) {
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
func (c *clockPanel) tells(st *app.State, w int) bool {
	left, right := c.halves(st, w)
	return c.ended != "" && len(right) > 0 && widget.Width(left.String())+widget.Width(right.String()) < w
}

// blocks are the ways to write the block and the pace, the longest first. That
// the clock plays is never left out.
func (c *clockPanel) blocks(st *app.State) []widget.Line {
	now, short := app.SecondsOf(st.Clock.Time)+" UTC", app.SecondsOf(st.Clock.Time)
	if st.Times == app.Exact {
		now = app.Decimal(uint64(st.Clock.Time)) + " ns"
		short = now
	} else if len(short) == len("2006-01-02 15:04:05") {
		short = short[len("2006-01-02 "):] + " UTC"
	}
	pace := fmt.Sprintf("%d s a block", st.Clock.SecondsPerBlock)
	if c.play != 0 {
		state := fmt.Sprintf("playing %d/s", speeds[c.speed])
		return []widget.Line{block(st, now, pace, state), block(st, now, "", state), block(st, short, "", state), block(st, "", "", state)}
	}
	return []widget.Line{block(st, now, pace, "paused"), block(st, now, "", "paused"), block(st, now, "", ""), block(st, short, "", ""), block(st, "", "", "")}
}

// block writes the height and those of the other pieces that are not empty.
func block(st *app.State, now, pace, state string) widget.Line {
	l := widget.In(themes.Title, " CLOCK").And(themes.Text, "  ").And(themes.Strong, "height "+chain.Thousands(uint64(st.Clock.Height)))
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
// first: what has just ended, or what expires next.
func (c *clockPanel) beside(st *app.State) []widget.Line {
	switch {
	case c.ended != "":
		short := widget.In(themes.Warn, themes.GlyphExpired+" "+c.ended)
		if c.lost.Empty() {
			return []widget.Line{short}
		}
		return []widget.Line{slices.Clone(short).And(themes.Key, "  w").And(themes.Muted, " why"), short}
	case st.Next != nil:
		next := func(word string) widget.Line {
			return widget.In(themes.Muted, word+" ").And(themes.Text, st.Gain(*st.Next)).And(themes.Muted, " "+st.Until(st.Next.Expires))
		}
		return []widget.Line{next("expires next:"), next("next:"), widget.In(themes.Muted, "next: ").And(themes.Text, st.Gain(*st.Next))}
	}
	return []widget.Line{widget.In(themes.Muted, "nothing will expire")}
}

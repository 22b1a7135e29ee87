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
// expired. The height always shows; in a narrow terminal what stands around it
// goes piece by piece, and none of it is cut in the middle.
func (c *clockPanel) head(st *app.State, w int) string {
	th := st.Theme
	if !st.HasCollection() {
		return widget.Fit("", w)
	}
	left, right := c.halves(st, w)
	if len(right) == 0 {
		return left.Fit(th, w)
	}
	n := min(widget.Width(right.String()), w-widget.Width(left.String())-1)
	return widget.JoinEnds(left.Render(th), right.Fit(th, n), w)
}

// tells is how many cells of the right end are the fewest that tell something.
const tells = 12

// halves are the two ends of the first line as far as there is room for them.
// What expires next is worth more than the pace and the date; but who asked for
// nanoseconds wants those of the block. What has just expired takes the place of
// what is next, and pushes nothing away.
func (c *clockPanel) halves(st *app.State, w int) (left, right widget.Line) {
	left, right = c.room(st, w)
	if c.expired == "" {
		return left, right
	}
	told := widget.In(themes.Warn, themes.GlyphExpired+" "+c.expired).And(themes.Text, " ")
	room := w - widget.Width(left.String()) - 1
	if more := slices.Insert(slices.Clone(told), 1, widget.Span{Role: themes.Key, Text: "  w"}, widget.Span{Role: themes.Muted, Text: " why"}); !c.expiredSubject.Empty() && widget.Width(more.String()) <= room {
		told = more
	}
	if room < tells {
		return left, nil
	}
	return left, told
}

// room shares the first line between the block and what expires next.
func (c *clockPanel) room(st *app.State, w int) (left, right widget.Line) {
	forms := c.blocks(st)
	if timed := forms[:len(forms)-1]; st.Times == app.Exact && widget.Width(timed[len(timed)-1].String()) < w-tells {
		forms = timed
	}
	least, next := forms[len(forms)-1], c.beside(st)
	for _, try := range []struct{ right, left []widget.Line }{{next[:min(2, len(next))], forms[:len(forms)-1]}, {next, forms}} {
		for _, r := range try.right { // shorter words before the date goes
			right = r.And(themes.Text, " ")
			n := widget.Width(right.String())
			for _, l := range try.left {
				if widget.Width(l.String()) < w-n {
					return l, right
				}
			}
		}
	}
	if w-widget.Width(least.String())-1 < tells {
		return least, nil
	}
	return least, right
}

// namesExpired says whether the first line names in full what expired in the last move.
func (c *clockPanel) namesExpired(st *app.State, w int) bool {
	left, right := c.halves(st, w)
	return c.expired != "" && len(right) > 0 && widget.Width(left.String())+widget.Width(right.String()) < w
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

// beside are the ways to write what expires next, the longest first.
func (c *clockPanel) beside(st *app.State) []widget.Line {
	if st.Next == nil {
		return []widget.Line{widget.In(themes.Muted, "nothing will expire")}
	}
	next := func(word string) widget.Line {
		return widget.In(themes.Muted, word+" ").And(themes.Text, st.GrantLabel(*st.Next)).And(themes.Muted, " "+st.Until(st.Next.Expires))
	}
	return []widget.Line{next("expires next:"), next("next:"), widget.In(themes.Muted, "next: ").And(themes.Text, st.GrantLabel(*st.Next))}
}

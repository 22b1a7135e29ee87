package inspect

import (
	"fmt"
	"math"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// tried is an action that a grant is for, in the moment of a view.
type tried struct {
	action  string
	allowed bool
	text    string // what the verdict hangs on
}

// accessLines says what a grant lets its spender do in the moment of the view.
func accessLines(v *chain.View, g cw721.Grant, call func(cw721.Address) string) (all []tried, err error) {
	tries, err := triesOf(v, g, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range tries {
		msg, _, err := v.Contract().DecodeExecute(t.msg, nil)
		if err != nil {
			return nil, err
		}
		why, err := explain.WhyMessage(v, g.Spender, t.name, msg)
		if err != nil {
			return append(all, tried{text: err.Error()}), nil // the token was not there then
		}
		hinge, ok := why.DecidingRule()
		if !ok {
			hinge = why.Rules[0]
		}
		all = append(all, tried{t.name, why.Decision.Allowed, hinge.Text})
	}
	if len(tries) == 0 {
		all = append(all, tried{text: call(g.Owner) + " owns no token at that block"})
	}
	return all, nil
}

// accessInWords says what an account may do and what not, what hangs on the
// same in one line. In brief the reasons are left out.
func accessInWords(all []tried, who string, brief bool) (lines []widget.Line) {
	var names []string
	for i, t := range all {
		if t.action == "" {
			lines = append(lines, widget.In(themes.Muted, "  "+t.text))
			continue
		}
		names = append(names, t.action)
		if i+1 < len(all) && all[i+1].allowed == t.allowed && (brief || all[i+1].text == t.text) {
			continue
		}
		l := append(widget.Plain("  "), app.Verdict(t.allowed)...).And(themes.Strong, who).And(themes.Text, " "+strings.Join(names, ", ")+"  ")
		if names = nil; !brief {
			l = l.And(themes.Muted, t.text)
		}
		lines = append(lines, l)
	}
	return lines
}

func (t *timeline) View(st *app.State) string {
	inner := widget.FrameInner(t.box)
	low := inner.H < form.LowDialog
	below := t.below(st, inner, low)
	rulers := t.rulers(st, inner.W)
	if low {
		rulers = rulers[:len(rulers)-1] // of the two rulers the heights are enough
	}
	rows := t.rows(st, max(inner.H-len(rulers)-len(below), 1))
	lines := append(append(rulers, rows...), below...)
	box := t.box
	title := "Timeline"
	if t.seen != nil && len(t.seen.grants) > 0 {
		title += fmt.Sprintf(" · grant %d of %d", t.seen.index(t.key)+1, len(t.seen.grants))
	}
	return widget.Frame(st.Theme, title, strings.Join(lines, "\n"), box, widget.Hidden{})
}

// col is the cell of a distance from the clock's block, in blocks; it can lie
// outside of the view.
func (t *timeline) col(st *app.State, blocks float64) int {
	from := float64(t.left) - float64(st.Clock.Height)
	at := math.Floor((blocks - from) / float64(zooms[t.zoom]))
	return int(max(-1, min(at, float64(t.cells()))))
}

// endCol is the cell of an expiry: behind the last one for what never expires.
func (t *timeline) endCol(st *app.State, e cw721.Expiration) int {
	if e.Axis == cw721.Never {
		return t.cells()
	}
	return t.col(st, away(st, e.Axis, e.Value))
}

// away is how far a block lies from the clock's.
func away(st *app.State, axis cw721.Axis, value uint64) float64 {
	if axis == cw721.AtHeight {
		return float64(value) - float64(st.Clock.Height)
	}
	return (float64(value) - float64(st.Clock.Time)) / float64(st.Clock.SecondsPerBlock*1_000_000_000)
}

// rulers are the lines above the bars: heights, times, and the cursor.
func (t *timeline) rulers(st *app.State, w int) []string {
	th := st.Theme
	label := t.labels()
	var heights, times strings.Builder
	last := t.left + cw721.Height(uint64(t.cells())*zooms[t.zoom])
	every := max(14, widget.Width(chain.Thousands(uint64(last)))+2)
	tick := func(what string, room int) string {
		if widget.Width(what) >= room {
			what = "" // a mark without its number misleads nobody, a cut number does
		}
		return widget.Fit(themes.GlyphSide+what, room)
	}
	for c := 0; c < t.cells(); c += every {
		room := min(every, t.cells()-c)
		h := t.left + cw721.Height(uint64(c)*zooms[t.zoom])
		heights.WriteString(tick(chain.Thousands(uint64(h)), room))
		at := app.SecondsOf(st.Clock.At(h))
		if len(at) == 19 && t.cells() < 2000 {
			at = at[5:16] // day, hour and minute
			if zooms[t.zoom] <= 5 {
				at = app.SecondsOf(st.Clock.At(h))[11:]
			}
		}
		times.WriteString(tick(at, room))
	}
	what := fmt.Sprintf(" %s a cell", chain.Blocks(zooms[t.zoom]))
	return []string{
		t.standing(st, w).Fit(th, w),
		widget.Fit(th.Render(themes.Muted, widget.Fit(what, label+1))+th.Render(themes.Faint, heights.String()), w),
		widget.Fit(th.Render(themes.Muted, widget.Fit(" UTC", label+1))+th.Render(themes.Faint, times.String()), w),
	}
}

// standing says where the cursor is and what is live there, with its time where
// there is room for that.
func (t *timeline) standing(st *app.State, w int) widget.Line {
	l := widget.In(themes.Strong, " height "+chain.Thousands(uint64(t.at)))
	switch {
	case t.at > st.Clock.Height:
		l = l.And(themes.Muted, " in "+chain.Blocks(uint64(t.at-st.Clock.Height)))
	case t.at < st.Clock.Height:
		l = l.And(themes.Warn, " "+chain.Blocks(uint64(st.Clock.Height-t.at))+" ago")
	default:
		l = l.And(themes.Accent, " now")
	}
	if t.fault != "" {
		return l.And(themes.Bad, "  "+themes.GlyphNo+" "+t.fault)
	}
	if t.seen == nil {
		return l.And(themes.Muted, "  reading"+themes.GlyphEllipsis)
	}
	live, over := 0, 0
	for _, e := range t.seen.grants {
		if e.Expires.Expired(t.seen.block) {
			over++
		} else {
			live++
		}
	}
	more := ""
	if t.seen.more {
		more = "+"
	}
	counts := widget.In(themes.Muted, " · ").And(themes.Live, fmt.Sprintf("%s %d%s live", themes.GlyphLive, live, more)).
		And(themes.Expired, fmt.Sprintf("  %s %d expired", themes.GlyphExpired, over))
	at := app.SecondsOf(t.seen.block.Time)
	for _, at := range []string{at, at[strings.IndexByte(at, ' ')+1:]} { // with the day, and without it
		if timed := append(l.And(themes.Muted, " · "+at+" UTC"), counts...); widget.Width(timed.String()) <= w {
			return timed
		}
	}
	return append(l, counts...)
}

// rows are the lanes: grants that expire at a height, at a time, and never.
func (t *timeline) rows(st *app.State, h int) []string {
	if t.seen == nil {
		return nil
	}
	th, w := st.Theme, widget.FrameInner(t.box).W
	var lines []string
	cursor := 0
	last := cw721.Axis(255)
	for _, e := range t.seen.grants {
		if e.Expires.Axis != last {
			last = e.Expires.Axis
			title := map[cw721.Axis]string{cw721.AtHeight: "EXPIRE AT A HEIGHT", cw721.AtTime: "EXPIRE AT A TIME", cw721.Never: "NEVER EXPIRE"}[last]
			lines = append(lines, widget.Fit(th.Render(themes.Header, " "+title), w))
		}
		on := laneKey(e.Grant) == t.key
		if on {
			cursor = len(lines)
		}
		lines = append(lines, widget.Fit(t.label(st, e, on)+t.bar(st, e), w))
	}
	if len(lines) == 0 {
		lines = append(lines, widget.In(themes.Muted, " nothing expires from here on; 0 is now, - shows more").Fit(th, w))
	}
	top := max(0, min(cursor-h/2, len(lines)-h))
	return lines[top:min(top+h, len(lines))]
}

func (t *timeline) label(st *app.State, e expiry.Entry, on bool) string {
	sign, role := app.Liveness(e.Expires, t.seen.block)
	pointer, text := "  ", themes.Text
	if on {
		pointer, text = themes.GlyphPointer+" ", themes.Strong
	}
	return widget.In(themes.Accent, pointer).And(role, sign+" ").And(text, st.GrantLabel(e)).Fit(st.Theme, t.labels()) + " "
}

// bar draws a grant from when it was given to when it expires: thin what has passed at
// the cursor, heavy what is left. Where it has expired its sign is hollow, so
// that at the very block of the expiry the cursor stands on a hollow sign.
func (t *timeline) bar(st *app.State, e expiry.Entry) string {
	th, w := st.Theme, t.cells()
	given := t.col(st, away(st, cw721.AtHeight, uint64(e.GrantedAt.Height)))
	end, outlived := t.endCol(st, e.Expires), t.endCol(st, t.seen.ends.Of(e.Grant))
	over := e.Expires.Expired(t.seen.block)
	cursor := t.col(st, away(st, cw721.AtHeight, uint64(t.at)))
	now := t.col(st, 0)
	var b strings.Builder
	put := func(role themes.Role, sign string) { b.WriteString(th.Render(role, sign)) }
	for c := range w {
		role := themes.Live
		if over {
			role = themes.Expired
		}
		switch {
		case c == end && over && c == cursor:
			put(themes.Caret, themes.GlyphExpired)
		case c == end && over:
			put(role, themes.GlyphExpired)
		case c == end && c == cursor:
			put(themes.Caret, themes.GlyphExpiry)
		case c == end:
			put(role, themes.GlyphExpiry)
		case c == cursor:
			put(themes.Accent, themes.GlyphNow)
		case c == w-1 && end >= w:
			put(role, themes.GlyphArrow)
		case c >= given && c < end && (c < cursor || over):
			put(themes.Expired, themes.GlyphLine)
		case c >= given && c < end:
			put(role, themes.GlyphHeavy)
		case c == w-1 && c < outlived:
			put(themes.Warn, themes.GlyphArrow)
		case c > end && c < outlived:
			put(themes.Warn, themes.GlyphLine)
		case c == now:
			put(themes.Border, themes.GlyphSide)
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// below says what the grant that is selected allows at the cursor, in brief where
// there is little room.
func (t *timeline) below(st *app.State, inner widget.Box, low bool) []string {
	lines := []string{app.RuleAcross(st, inner.W, false)}
	add := func(l widget.Line) {
		for _, part := range widget.WrapLine(l, inner.W) {
			lines = append(lines, part.Fit(st.Theme, inner.W))
		}
	}
	if e, ok := t.current(); ok {
		who, ends := st.DisplayName(e.Spender), ""
		if e.Expires.Axis != cw721.Never {
			ends = "until " + chain.Expiry(e.Expires) + " · "
		}
		if t.seen.ends.Later(e.Grant) {
			ends += "outlived, W shows how · "
		}
		if !low {
			add(widget.In(themes.Header, " "+st.GrantLabel(e)).And(themes.Muted, "  given at height "+chain.Thousands(uint64(e.GrantedAt.Height))+" · ").
				And(themes.Text, ends).And(themes.Muted, chain.ExpiresIn(e.Expires, t.seen.block)))
		} else {
			add(widget.In(themes.Header, " "+st.GrantLabel(e)).And(themes.Muted, "  "+chain.ExpiresIn(e.Expires, t.seen.block)))
		}
		for _, l := range accessInWords(t.seen.access, who, low) {
			add(l)
		}
	}
	return lines
}

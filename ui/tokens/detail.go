package tokens

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// tokenDetail shows one token: its owner, its approvals, who may act on it, its
// metadata. It scrolls, because metadata can be long.
type tokenDetail struct {
	facts  *tokenFacts // nil while nothing was read
	scroll *widget.Scroll
	drawn  drawnDetail
	pic    shownPicture
}

// drawnDetail is what the lines in the scroll were made for.
type drawnDetail struct {
	facts *tokenFacts
	width int
	low   bool
	times app.TimeForm
	ended bool
	names int
	pic   pictureOf
}

// shown is the token of an id, if it is the one that was read.
func (t *tokenDetail) shown(id string) (chain.Token, bool) {
	if t.facts == nil || t.facts.token.ID != id {
		return chain.Token{}, false
	}
	return t.facts.token, true
}

// head is the line above the detail, and lays out anew what has changed below.
func (t *tokenDetail) head(st *app.State, box widget.Box) string {
	if t.facts == nil {
		t.scroll.Set(nil)
		t.drawn = drawnDetail{}
		return ""
	}
	now := drawnDetail{t.facts, box.W, box.H < lowDetail, st.Times, st.HideExpired, len(st.Names), t.pic.of}
	if now != t.drawn {
		t.drawn = now
		text := t.facts.text(st, box.W, now.low)
		t.scroll.Beside(t.pic.Rows, t.pic.Width, text.Len()+2) // below the heading
		text.Add(metadata(t.facts.token, box.W, t.pic.fault)...)
		t.scroll.Write(text)
	}
	token := t.facts.token
	name := widget.In(themes.Title, token.ID)
	if token.ID == "" {
		name = widget.In(themes.Faint, "(the empty id)")
	}
	// Of an owner without a name a part will do where the id needs the room.
	const by = " owned by "
	room := box.W - widget.Width(name.String()) - len(by) - 2
	owner := widget.In(themes.Muted, by).And(themes.Strong, widget.Middle(st.DisplayName(token.Owner), max(room, app.ShortAddress))).And(themes.Text, " ")
	return widget.Ends(name.Render(st.Theme), owner.Render(st.Theme), box.W)
}

// lowDetail is the height below which a line is too dear to be left empty.
const lowDetail = 8

// text is what the detail says, below the name. An approval leads to its history,
// whoever has a say to the account. Where little of it shows, who may transfer the
// token comes first.
func (f *tokenFacts) text(st *app.State, w int, low bool) (t widget.Text) {
	if low {
		f.rights(st, &t, w)
	}
	if uri := f.token.TokenURI; uri != nil {
		t.Add(widget.In(themes.Muted, "uri  ").And(themes.Text, shortURI(*uri, w)))
	}
	if low {
		f.listApprovals(st, &t, w)
		return t
	}
	t.Add(nil)
	f.listApprovals(st, &t, w)
	t.Add(nil)
	f.rights(st, &t, w)
	return t
}

// nameWidth is how wide the name of an account is written, so that what follows
// stands in a column.
func nameWidth(st *app.State, a cw721.Address) int {
	return min(widget.Width(widget.Safe(st.DisplayName(a))), app.AddressWidth)
}

// listApprovals lists who may move the token until when, each expiry in both forms,
// with an arrow where it is outlived and a bar of the time that is left.
func (f *tokenFacts) listApprovals(st *app.State, t *widget.Text, w int) {
	all := slices.DeleteFunc(slices.Clone(f.token.Approvals), func(g cw721.Approval) bool {
		return st.HideExpired && g.Expires.Expired(st.Block())
	})
	shown, hidden := all[:min(len(all), app.MaxListLines)], len(f.token.Approvals)-len(all)
	arrow := func(g cw721.Approval) string {
		if f.ends.Later(f.token.Grant(g)) {
			return " " + themes.GlyphArrow
		}
		return ""
	}
	names, ends, rels, arrows := 6, 0, 0, 0
	for _, g := range shown {
		names = max(names, min(nameWidth(st, g.Spender), w/4))
		ends = max(ends, widget.Width(f.absolute(st, g.Expires)))
		rels = max(rels, widget.Width(chain.ExpiresIn(g.Expires, st.Block())))
		arrows = max(arrows, widget.Width(arrow(g)))
	}
	// Where both forms of an expiry do not fit, the one that was chosen for times stays.
	first, second := true, true
	if 2+names+1+ends+2+rels+arrows > w {
		first, second = st.Times != app.Relative, st.Times == app.Relative
	}
	bar := min(app.BarWidth, w-2-names-1-ends-2-rels-arrows-2)
	title := widget.In(themes.Header, "Approvals")
	if bar >= app.MinBarWidth && len(shown) > 0 {
		title = title.And(themes.Muted, "  and the time left")
	}
	if arrows > 0 && widget.Width(title.String()+app.Outlives) <= w {
		title = title.And(themes.Warn, app.Outlives)
	}
	t.Add(title)
	for _, g := range shown {
		sign, role := app.Liveness(g.Expires, st.Block())
		l := widget.In(role, sign+" ").And(themes.Text, widget.Fit(widget.Middle(widget.Safe(st.DisplayName(g.Spender)), names), names)+" ")
		if first {
			l = l.And(themes.Muted, widget.Fit(f.absolute(st, g.Expires), ends)+"  ")
		}
		if second {
			l = l.And(role, widget.Fit(chain.ExpiresIn(g.Expires, st.Block()), rels))
		}
		l = l.And(themes.Warn, widget.Fit(arrow(g), arrows))
		if bar >= app.MinBarWidth {
			l = append(l.And(themes.Text, "  "), app.Countdown(bar, g.Expires, st.Clock)...)
		}
		t.Lead(l, app.GoTo(app.KindHistory, app.ShowHistoryMsg{Filter: f.token.ID + " " + st.Typed(g.Spender)}))
	}
	switch {
	case len(all) > len(shown):
		t.Add(widget.In(themes.Faint, fmt.Sprintf("%s %s more", themes.GlyphEllipsis, chain.Thousands(uint64(len(all)-len(shown))))))
	case len(all) == 0 && hidden > 0:
		t.Add(widget.In(themes.Faint, fmt.Sprintf("none that is live; %d expired (x shows)", hidden)))
	case len(all) == 0:
		t.Add(widget.In(themes.Faint, "none"))
	}
}

// absolute writes an expiry as a point of the chain; of today only the time.
func (f *tokenFacts) absolute(st *app.State, e cw721.Expiration) string {
	if st.Times == app.Exact {
		return app.ExactTime(e)
	}
	text := chain.Expiry(e)
	if e.Axis == cw721.AtTime && st.Times == app.Relative {
		return st.OfToday(text)
	}
	return text
}

// rights lists who has a say, whether they may transfer and why; and who may do
// the rest: behind the name where there is room, below where there is none.
func (f *tokenFacts) rights(st *app.State, t *widget.Text, w int) {
	names, wide, rest := 6, 0, 0
	for _, m := range f.movers {
		names = max(names, min(nameWidth(st, m.who), w/4))
		wide = max(wide, widget.Width(f.reason(st, m)))
	}
	for _, name := range asked[1:] {
		rest += 4 + len(name)
	}
	beside := 2+names+2+wide+rest <= w
	head := widget.In(themes.Header, "Who may transfer it now?")
	if rest := "  and who may " + strings.Join(asked[1:], ", "); beside && widget.Width(head.String()+rest) <= w {
		head = head.And(themes.Muted, rest)
	}
	t.Add(head)
	others := make([][]string, len(asked))
	for _, m := range f.movers {
		name, reason := st.DisplayName(m.who), f.reason(st, m)
		l := app.Verdict(m.may[0]).And(themes.Strong, widget.Fit(widget.Middle(widget.Safe(name), names), names)+"  ").And(themes.Muted, reason)
		if beside {
			l = l.And(themes.Muted, strings.Repeat(" ", wide-widget.Width(reason)))
		}
		for j, action := range asked[1:] {
			switch {
			case !m.may[j+1]:
			case beside:
				l = l.And(themes.Good, "  "+themes.GlyphYes).And(themes.Muted, " "+action)
			default:
				others[j+1] = append(others[j+1], name)
			}
		}
		t.Lead(l, st.LinkToAccount(m.who))
	}
	if f.more {
		t.Add(widget.In(themes.Faint, fmt.Sprintf("%s and more: %d were asked about", themes.GlyphEllipsis, len(f.movers))))
	}
	for j, list := range others {
		if len(list) > 0 {
			t.Add(widget.In(themes.Muted, "and "+asked[j]+": ").And(themes.Text, strings.Join(list, ", ")))
		}
	}
}

// reason says in a few words what a permission rests on, or what became of it.
func (f *tokenFacts) reason(st *app.State, m mover) string {
	rule := string(m.check.Rule)
	switch e := m.check.Expires; {
	case m.none:
		return "has no grant"
	case e == nil:
		return rule
	case e.Axis == cw721.Never:
		return rule + ", never expires"
	case m.check.Passed:
		return rule + ", until " + f.absolute(st, *e)
	default:
		now, end, _ := e.Compare(st.Block())
		if e.Axis == cw721.AtHeight {
			return fmt.Sprintf("%s: height %s ≥ %s: expired", rule, chain.Thousands(now), chain.Thousands(end))
		}
		at, until := cw721.UntilTime(cw721.Time(now)), f.absolute(st, *e)
		if text := chain.Expiry(*e); text == until { // not of today, so the day is said of both
			return fmt.Sprintf("%s: time %s ≥ %s: expired", rule, chain.Expiry(at), until)
		}
		return fmt.Sprintf("%s: time %s ≥ %s: expired", rule, f.absolute(st, at), until)
	}
}

package ui

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// tokenDetail shows one token: its owner, its approvals, who may act on it, its
// metadata. It scrolls, because metadata can be long.
type tokenDetail struct {
	facts  *tokenFacts // nil while nothing was read
	scroll *widget.Scroll
	drawn  drawnDetail
}

// drawnDetail is what the lines in the scroll were made for.
type drawnDetail struct {
	facts *tokenFacts
	width int
	low   bool
	times TimeForm
	ended bool
	names int
}

// shown is the token of an id, if it is the one that was read.
func (t *tokenDetail) shown(id string) (chain.Token, bool) {
	if t.facts == nil || t.facts.token.ID != id {
		return chain.Token{}, false
	}
	return t.facts.token, true
}

// show takes what was read of a token, or nil. Another token than the one before
// is read from its top.
func (t *tokenDetail) show(facts *tokenFacts, other bool) {
	if other {
		t.scroll.Set(nil)
	}
	t.facts = facts
}

// head is the line above the detail, and lays out anew what has changed below.
func (t *tokenDetail) head(d *Desk, box widget.Box) string {
	if t.facts == nil {
		t.scroll.Set(nil)
		t.drawn = drawnDetail{}
		return ""
	}
	now := drawnDetail{t.facts, box.W, box.H < lowDetail, d.Times, d.HideEnded, len(d.Names)}
	if now != t.drawn {
		t.drawn = now
		t.scroll.Keep(t.facts.lines(d, box.W, now.low))
	}
	token := t.facts.token
	name := widget.In(themes.Title, token.ID)
	if token.ID == "" {
		name = widget.In(themes.Faint, "(the empty id)")
	}
	// Of an owner without a name a part will do where the id needs the room.
	const by = " owned by "
	room := box.W - widget.Width(name.String()) - len(by) - 2
	owner := widget.In(themes.Muted, by).And(themes.Strong, widget.Middle(d.Call(token.Owner), max(room, shortAddress))).And(themes.Text, " ")
	return widget.Ends(name.Render(d.Theme), owner.Render(d.Theme), box.W)
}

// lowDetail is the height below which a line is too dear to be left empty.
const lowDetail = 8

// lines is what the detail says, below the name.
func (f *tokenFacts) lines(d *Desk, w int, low bool) []widget.Line {
	var lines []widget.Line
	long := false
	if uri := f.token.TokenURI; uri != nil {
		short := widget.Middle(widget.Safe(*uri), max(w-5, 1))
		long = short != *uri
		lines = append(lines, widget.In(themes.Muted, "uri  ").And(themes.Text, short))
	}
	if !low {
		lines = append(lines, widget.Plain(""))
	}
	lines = append(lines, widget.In(themes.Header, "Approvals"))
	lines = append(lines, f.approvals(d, w)...)
	if !low {
		lines = append(lines, widget.Plain(""))
	}
	lines = append(lines, f.rights(d, w)...)
	lines = append(lines, metadata(f.token)...)
	if long {
		lines = append(lines, widget.Plain(""), widget.In(themes.Muted, "uri  ").And(themes.Text, *f.token.TokenURI))
	}
	return lines
}

// nameWidth is how wide the names of a list of accounts are written, so that
// what follows stands in a column.
func nameWidth(d *Desk, of ...cw721.Address) int {
	w := 6
	for _, a := range of {
		w = max(w, widget.Width(widget.Safe(d.Call(a))))
	}
	return min(w, addressWidth)
}

const (
	barWidth  = 12 // cells of a countdown, at most
	barLeast  = 4
	longShown = 50 // lines of a list in the detail, at most
)

// approvals lists who may move the token until when, each end in both forms,
// with a bar of what is left of it since it was given.
func (f *tokenFacts) approvals(d *Desk, w int) (lines []widget.Line) {
	var shown []grantFact
	hidden := 0
	for _, g := range f.grants {
		if g.Expires.Expired(d.Block()) && d.HideEnded {
			hidden++
			continue
		}
		shown = append(shown, g)
	}
	all := len(f.token.Approvals) - hidden
	if len(shown) > longShown {
		shown = shown[:longShown]
	}
	names, ends, rels := 6, 0, 0
	for _, g := range shown {
		names = max(names, min(nameWidth(d, g.Spender), w/4))
		ends = max(ends, widget.Width(f.absolute(d, g.Expires)))
		rels = max(rels, widget.Width(chain.EndsIn(g.Expires, d.Block())))
	}
	// Where both forms of an end do not fit, the one that was chosen for times stays.
	first, second := true, true
	if 2+names+1+ends+2+rels > w {
		first, second = d.Times != Relative, d.Times == Relative
	}
	bar := min(barWidth, w-2-names-1-ends-2-rels-2)
	for _, g := range shown {
		sign, role := liveness(g.Expires, d.Block())
		l := widget.In(role, sign+" ").And(themes.Text, widget.Fit(widget.Middle(widget.Safe(d.Call(g.Spender)), names), names)+" ")
		if first {
			l = l.And(themes.Muted, widget.Fit(f.absolute(d, g.Expires), ends)+"  ")
		}
		if second {
			l = l.And(role, widget.Fit(chain.EndsIn(g.Expires, d.Block()), rels))
		}
		if bar >= barLeast {
			l = append(l.And(themes.Text, "  "), countdown(bar, g.Expires, g.given, d.Block())...)
		}
		lines = append(lines, l)
	}
	switch {
	case all > len(shown):
		lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("%s %s more", themes.GlyphEllipsis, chain.Thousands(uint64(all-len(shown))))))
	case all == 0 && hidden > 0:
		lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("none that is live; %d ended (x shows)", hidden)))
	case all == 0:
		lines = append(lines, widget.In(themes.Faint, "none"))
	}
	return lines
}

// absolute writes an end as a point of the chain; of today only the time.
func (f *tokenFacts) absolute(d *Desk, e cw721.Expiration) string {
	if d.Times == Exact {
		return exact(e)
	}
	text := chain.End(e)
	if e.Axis == cw721.AtTime && d.Times == Relative {
		return d.ofToday(text)
	}
	return text
}

// liveness is the sign of a grant and the role it is written in.
func liveness(e cw721.Expiration, b cw721.Block) (string, themes.Role) {
	if e.Expired(b) {
		return themes.GlyphEnded, themes.Ended
	}
	return themes.GlyphLive, themes.Live
}

// countdown is a bar of what is left of a grant; nothing for one without an end.
func countdown(w int, e cw721.Expiration, given, b cw721.Block) widget.Line {
	now, end, ends := e.Compare(b)
	if !ends || w <= 0 {
		return nil
	}
	from := uint64(given.Height)
	if e.Axis == cw721.AtTime {
		from = uint64(given.Time)
	}
	return widget.Bar(w, end-min(end, now), end-min(end, from))
}

// rights lists who has a say, whether they may transfer and why; and who may do
// the rest: behind the name where there is room, below where there is none.
func (f *tokenFacts) rights(d *Desk, w int) []widget.Line {
	who := make([]cw721.Address, len(f.movers))
	for i, m := range f.movers {
		who[i] = m.who
	}
	names := min(nameWidth(d, who...), max(w/4, 6))
	texts := make([]string, len(f.movers))
	wide, rest := 0, 0
	for i, m := range f.movers {
		texts[i] = f.reason(d, m)
		wide = max(wide, widget.Width(texts[i]))
	}
	for _, name := range asked[1:] {
		rest += 4 + len(name)
	}
	beside := 2+names+2+wide+rest <= w
	head := widget.In(themes.Header, "Who may transfer it now?")
	if rest := "  and who may " + strings.Join(asked[1:], ", "); beside && widget.Width(head.String()+rest) <= w {
		head = head.And(themes.Muted, rest)
	}
	lines := []widget.Line{head}
	others := make([]string, len(asked))
	for i, m := range f.movers {
		sign, role := themes.GlyphNo, themes.Bad
		if m.may[0] {
			sign, role = themes.GlyphYes, themes.Good
		}
		l := widget.In(role, sign+" ").And(themes.Strong, widget.Fit(widget.Middle(widget.Safe(d.Call(m.who)), names), names)+"  ").And(themes.Muted, texts[i])
		if beside {
			l = l.And(themes.Muted, strings.Repeat(" ", wide-widget.Width(texts[i])))
		}
		for j, name := range asked[1:] {
			switch {
			case !m.may[j+1]:
			case beside:
				l = l.And(themes.Good, "  "+themes.GlyphYes).And(themes.Muted, " "+name)
			default:
				others[j+1] += ", " + d.Call(m.who)
			}
		}
		lines = append(lines, l)
	}
	if f.more {
		lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("%s and more: %d were asked about", themes.GlyphEllipsis, len(f.movers))))
	}
	for j, list := range others {
		if list != "" {
			lines = append(lines, widget.In(themes.Muted, "and "+asked[j]+": ").And(themes.Text, list[2:]))
		}
	}
	return lines
}

// reason says in a few words what a right rests on, or what became of it.
func (f *tokenFacts) reason(d *Desk, m mover) string {
	rule := string(m.check.Rule)
	switch e := m.check.Expires; {
	case m.none:
		return "has no right"
	case e == nil:
		return rule
	case e.Axis == cw721.Never:
		return rule + ", without end"
	case m.check.Passed:
		return rule + ", until " + f.absolute(d, *e)
	default:
		now, end, _ := e.Compare(d.Block())
		if e.Axis == cw721.AtHeight {
			return fmt.Sprintf("%s: height %s ≥ %s: over", rule, chain.Thousands(now), chain.Thousands(end))
		}
		at, until := cw721.UntilTime(cw721.Time(now)), f.absolute(d, *e)
		if text := chain.End(*e); text == until { // not of today, so the day is said of both
			return fmt.Sprintf("%s: time %s ≥ %s: over", rule, chain.End(at), until)
		}
		return fmt.Sprintf("%s: time %s ≥ %s: over", rule, f.absolute(d, at), until)
	}
}

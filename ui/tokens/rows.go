package tokens

import (
	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// tokenList is the list of tokens that is shown, captured for a command.
type tokenList struct {
	filter   tokenFilter
	byExpiry bool // in the order of expiry, and only tokens with approvals
	look     app.RowView
}

// seeks is the list without its words: the part that an index answers.
func (l tokenList) seeks() bool { return l.byExpiry || l.filter.byExpiry() }

// read reads a part of the list; words are left aside.
func (l tokenList) read(v *chain.View, s widget.Scan) ([]widget.Row, error) {
	rows := make([]widget.Row, 0, min(s.N, 1024))
	err := l.walk(v, s, func(t chain.Token, place string) bool {
		row := tokenRow(l.look, v, t)
		row.Place = place
		rows = append(rows, row)
		return len(rows) < s.N
	})
	return rows, err
}

// walk hands the tokens of a part of the list to a function, with their places,
// until it has enough.
func (l tokenList) walk(v *chain.View, s widget.Scan, yield func(chain.Token, string) bool) error {
	if l.seeks() {
		return l.walkEnds(v, s, yield)
	}
	for t, err := range v.Tokens(l.filter.owner, app.ListWalk(s)) {
		if err != nil {
			return err
		}
		if !yield(t, t.ID) {
			break
		}
	}
	return nil
}

// walkEnds goes through approvals. A token with several stands where the first
// of them does.
func (l tokenList) walkEnds(v *chain.View, s widget.Scan, yield func(chain.Token, string) bool) error {
	list := l.filter.list(l.look.HideExpired)
	w := app.ListWalk(s)
	tooFar := func(cw721.Expiration) bool { return false }
	if l.filter.within != nil {
		far := l.filter.within.before(v.Clock)
		tooFar = func(e cw721.Expiration) bool { return e.Axis == cw721.Never || app.Estimate(v.Clock, e) >= far }
		if s.Back && w.Place == nil { // begin at the limit and not at the end of all
			last := list.Place(cw721.Grant{Expires: cw721.UntilTime(cw721.Time(far))})
			w.Place = &last
		}
	}
	for e, err := range v.List(list, w) {
		switch {
		case err != nil:
			return err
		case tooFar(e.Expires) && !s.Back:
			return nil
		case tooFar(e.Expires), !l.filter.asksFor(e.Grant):
			continue
		}
		t, ok, err := v.Token(e.Token)
		if err != nil {
			return err
		}
		if ok && l.first(v, list, t, e.Grant) && !yield(t, list.Place(e.Grant)) {
			break
		}
	}
	return nil
}

// first tells whether a grant is the one of its token that stands first.
func (l tokenList) first(v *chain.View, list expiry.List, t chain.Token, g cw721.Grant) bool {
	for _, a := range t.Approvals {
		other := cw721.Grant{Kind: g.Kind, Token: t.ID, Owner: t.Owner, Spender: a.Spender, Expires: a.Expires}
		live := !list.Live || !a.Expires.Expired(v.Clock.Block())
		if live && l.filter.asksFor(other) && list.Before(other, g, v.Clock.Block(), v.Clock.At) {
			return false
		}
	}
	return true
}

// total tells how many rows the list has; negative when nobody counted.
func (l tokenList) total(v *chain.View) (int, error) {
	switch {
	case l.seeks():
		return -1, nil
	case l.filter.owner != "":
		return v.Holdings(l.filter.owner)
	}
	c, err := v.Collection()
	return int(c.Tokens), err
}

// page answers a request of the table.
func (l tokenList) page(v *chain.View, req widget.Request) (widget.Page, error) {
	p, err := widget.Load(req, func(s widget.Scan) ([]widget.Row, error) { return l.read(v, s) })
	if err != nil {
		return p, err
	}
	if p.Total, err = l.total(v); p.Start && p.End {
		p.Total = len(p.Rows)
	}
	return app.WithPosition(req, p), err
}

// spenderWidth bounds a name in front of an expiry, which matters more.
const spenderWidth = 10

// grantsShown is how many grants a row draws as signs where there is room.
const grantsShown = 20

func tokenRow(l app.RowView, v *chain.View, t chain.Token) widget.Row {
	block := v.Clock.Block()
	var signs, ends widget.Line
	var next, last *cw721.Approval
	live, ended := 0, 0
	for i, a := range t.Approvals {
		over := a.Expires.Expired(block)
		if over && l.HideExpired {
			continue
		}
		sign, role := app.Liveness(a.Expires, block)
		if over {
			ended++
		} else {
			live++
		}
		if live+ended <= grantsShown {
			signs = signs.And(role, sign)
		}
		switch {
		case over && (last == nil || app.Estimate(v.Clock, a.Expires) > app.Estimate(v.Clock, last.Expires)):
			last = &t.Approvals[i]
		case !over && (next == nil || app.ExpiresSooner(v.Clock, a.Expires, next.Expires)):
			next = &t.Approvals[i]
		}
	}
	switch {
	case next != nil:
		ends = widget.Plain(widget.Middle(l.DisplayName(next.Spender), spenderWidth) + " " + l.When(next.Expires, v.Clock))
	case last != nil:
		when := l.When(last.Expires, v.Clock)
		if now, end, _ := last.Expires.Compare(block); now == end && l.Times == app.Relative {
			when = "expired" // the detail says more, and has the room
		}
		ends = widget.In(themes.Expired, widget.Middle(l.DisplayName(last.Spender), spenderWidth)+" "+when)
	}
	few := append(tally(live, ended), ends...) // where the list is narrow
	if live+ended > grantsShown {
		signs = signs.And(themes.Muted, themes.GlyphEllipsis)
	}
	if len(signs) == 0 {
		signs = widget.In(themes.Faint, themes.GlyphDot)
	}
	return widget.Row{Key: t.ID, Cells: []widget.Line{widget.Plain(app.TokenName(t.ID)), widget.Plain(l.DisplayName(t.Owner)), signs, ends, few}}
}

// tally counts the grants of a row in as few cells as can be: "●", "●2○ ". One
// needs no number, and none shows nothing.
func tally(live, over int) (l widget.Line) {
	for _, x := range []struct {
		n    int
		role themes.Role
		sign string
	}{{live, themes.Live, themes.GlyphLive}, {over, themes.Expired, themes.GlyphExpired}} {
		if x.n > 0 {
			l = l.And(x.role, x.sign)
		}
		if x.n > 1 {
			l = l.And(themes.Muted, chain.Thousands(uint64(x.n)))
		}
	}
	if len(l) > 0 {
		l = l.And(themes.Text, " ")
	}
	return l
}

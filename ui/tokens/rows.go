package tokens

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
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
	// changed are the messages that were executed, undone or done again since the list
	// was read. What they changed is looked at when the rows held are read again.
	changed []history.ID
}

// inOrderOfExpiry reports whether the list is read from the index by expiry.
func (l tokenList) inOrderOfExpiry() bool { return l.byExpiry || l.filter.byExpiry() }

// sparse reports whether the filter leaves out most tokens of a list in the order of
// the ids.
func (l tokenList) sparse() bool { return l.filter.scans() && !l.inOrderOfExpiry() }

// walk yields the tokens of a part of the list, with a row for each that holds the
// words of the filter.
func (l tokenList) walk(v *chain.View, part widget.Scan, yield func(string, *widget.Row) bool) error {
	if l.inOrderOfExpiry() {
		return l.walkByExpiry(v, part, yield)
	}
	for t, err := range v.Tokens(l.filter.owner, app.ListWalk(part)) {
		if err != nil {
			return err
		}
		if !yield(t.ID, l.row(v, t)) {
			return nil
		}
	}
	return nil
}

// row returns the row of a token, nil if it lacks the words of the filter.
func (l tokenList) row(v *chain.View, t chain.Token) *widget.Row {
	if !l.filter.matches(t) {
		return nil
	}
	row := tokenRow(l.look, v, t)
	return &row
}

// walkByExpiry goes through approvals. A token with several stands where the first
// of them does.
func (l tokenList) walkByExpiry(v *chain.View, part widget.Scan, yield func(string, *widget.Row) bool) error {
	list := l.filter.list(l.look.HideExpired)
	walk := app.ListWalk(part)
	isTooFar := func(cw721.Expiration) bool { return false }
	if l.filter.within != nil {
		far := l.filter.within.before(v.Clock)
		isTooFar = func(e cw721.Expiration) bool { return e.Axis == cw721.Never || app.Estimate(v.Clock, e) >= far }
		if part.Back && walk.Place == nil { // begin at the limit and not at the end of all
			last := list.Place(cw721.Grant{Expires: cw721.UntilTime(cw721.Time(far))})
			walk.Place = &last
		}
	}
	for e, err := range v.List(list, walk) {
		if err != nil {
			return err
		}
		if isTooFar(e.Expires) && !part.Back {
			return nil
		}
		var row *widget.Row
		if !isTooFar(e.Expires) && l.filter.asksFor(e.Grant) {
			row, err = l.rowOfGrant(v, list, e.Grant)
		}
		if err != nil || !yield(list.Place(e.Grant), row) {
			return err
		}
	}
	return nil
}

// rowOfGrant returns the row of the token that a grant is over, nil if another grant
// over it comes first or the filter leaves it out.
func (l tokenList) rowOfGrant(v *chain.View, list expiry.List, g cw721.Grant) (*widget.Row, error) {
	t, ok, err := v.Token(g.Token)
	if err != nil || !ok || !l.isFirst(v, list, t, g) {
		return nil, err
	}
	return l.row(v, t), nil
}

// isFirst reports whether a grant is the one of its token that stands first.
func (l tokenList) isFirst(v *chain.View, list expiry.List, t chain.Token, g cw721.Grant) bool {
	for _, a := range t.Approvals {
		other := cw721.Grant{Kind: g.Kind, Token: t.ID, Owner: t.Owner, Spender: a.Spender, Expires: a.Expires}
		live := !list.Live || !a.Expires.Expired(v.Clock.Block())
		if live && l.filter.asksFor(other) && list.Before(other, g, v.Clock.Block(), v.Clock.At) {
			return false
		}
	}
	return true
}

// total returns how many rows the list has; negative if nobody counted.
func (l tokenList) total(v *chain.View) (int, error) {
	switch {
	case l.inOrderOfExpiry(), l.filter.scans():
		return -1, nil
	case l.filter.owner != "":
		return v.Holdings(l.filter.owner)
	}
	c, err := v.Collection()
	return int(c.Tokens), err
}

// page answers a request of the table.
func (l tokenList) page(v *chain.View, req widget.Request) (page widget.Page, err error) {
	if req.Seek == widget.Held {
		if req.Places, err = l.placesToRead(v, req); err != nil {
			return page, err
		}
	}
	page, err = widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
		return l.walk(v, part, yield)
	})
	if err != nil {
		return page, err
	}
	if page.Total, err = l.total(v); page.Whole() {
		page.Total = len(page.Rows)
	}
	return app.WithPosition(req, page), err
}

// placesToRead returns the places of a request, and in their order the tokens between
// them that were changed. A list that is sparse has the order of the ids.
func (l tokenList) placesToRead(v *chain.View, req widget.Request) ([]string, error) {
	ids := slices.Clone(req.Places)
	for _, node := range l.changed {
		changes, err := v.ChangesOf(node)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			id, _, _, isToken := cw721.TokenChange(c.Key, c.Old, c.New)
			isAbove := req.Above != nil && id < *req.Above
			isBelow := req.Below != nil && id > *req.Below
			if isToken && !isAbove && !isBelow {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
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

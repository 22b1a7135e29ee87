package tokens

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// tokenList is a copy of what the token screen shows in its list: filter, order and
// display options. A background read uses the copy while the screen goes on changing.
type tokenList struct {
	view          *chain.View // what is read; set when the reading begins
	filter        app.Filter
	sortsByExpiry bool        // sorted by expiry; lists only tokens with approvals
	rowView       app.RowView // how names and times are displayed
	readHead      history.ID  // the position in the history at which the table's rows were read
}

// list returns a copy of what the list shows.
func (s *Screen) list(state *app.State) tokenList {
	return tokenList{
		filter:        s.Filter.Filter,
		sortsByExpiry: s.sortsByExpiry,
		rowView:       state.RowView(),
		readHead:      s.Panes.ReadHead,
	}
}

// setColumns sets the columns for the width and the order of the list, and the text that
// an empty list shows, with the key that changes that.
func (s *Screen) setColumns() {
	listBox, _ := s.Panes.Split()
	s.Panes.Table.SetColumns(listedToken{}.columns(listBox.W)...)
	s.Panes.Table.SortTitle = tokenTitle
	if s.sortsByExpiry || s.Filter.Filter.IsByExpiry() {
		s.Panes.Table.SortTitle = expiryTitle
	}
	switch {
	case s.Filter.AppliedText != "":
		s.Panes.Table.EmptyText = "no token fits the filter: esc shows all"
	case s.sortsByExpiry:
		s.Panes.Table.EmptyText = "no approvals: s sorts by id again"
	default:
		s.Panes.Table.EmptyText = "no tokens yet: m mints one"
	}
}

// restart makes the table read the list anew, around the cursor, after a change of filter
// or order. If no index serves the filter, finding one row may take reading many tokens.
func (s *Screen) restart(state *app.State) {
	s.setColumns()
	s.Panes.Table.Restart()
	list := s.list(state)
	s.Panes.Table.HidesMostRows = list.filter.IsSearch() && !list.isByExpiry()
}

// isByExpiry reports whether the list is sorted by expiry, and so is read from the chain's
// index of grants. Otherwise it is sorted by id, and is read from the tokens.
func (l tokenList) isByExpiry() bool { return l.sortsByExpiry || l.filter.IsByExpiry() }

// readPage reads the rows that the table has requested, their position in the list, and the
// total number of rows, which is unknown if only walking the whole list would give it.
func (l tokenList) readPage(
	view *chain.View,
	facts app.Facts,
	req widget.Request,
) (page widget.Page, err error) {
	l.view = view
	l.rowView.Facts = facts
	switch req.Seek {
	case widget.SameRows: // the table refreshes the rows that it holds
		req.Places, err = l.idsToRefresh(req)
	case widget.RowsAround:
		req, err = l.locate(req)
	}
	if err != nil {
		return page, err
	}
	page, err = widget.Load(req, l.walk)
	if err != nil {
		return page, err
	}

	switch {
	case page.HoldsWholeList():
		page.Total = len(page.Rows)
	case l.isByExpiry(), l.filter.IsSearch():
	case l.filter.Owner != "":
		page.Total, err = l.view.Holdings(l.filter.Owner)
	default:
		page.Total = int(facts.Collection.TokenCount)
	}
	return page, err
}

// locate returns a request for the rows around a token as one for the place that the token
// has in the list now: its id, or the place of its first approval.
func (l tokenList) locate(req widget.Request) (widget.Request, error) {
	if !l.isByExpiry() {
		req.Place = req.Keys[0]
		return req, nil
	}
	isLocated, err := req.Locate(func(id string) (place string, isListed bool, err error) {
		token, exists, err := l.view.Token(id)
		if err != nil || !exists {
			return "", false, err
		}
		list := l.expiryList()
		approval, hasApproval := l.firstListed(list, token)
		if !hasApproval {
			return "", false, nil
		}
		isListed, err = l.matches(token)
		return list.Place(approval), isListed, err
	})

	// The id of a token that is not listed is no place in this order.
	if !isLocated && req.Place == req.Keys[0] {
		req.Seek = widget.First
	}
	return req, err
}

// idsToRefresh returns the ids of the tokens to read when the table refreshes the rows that
// it holds, sorted and without duplicates: those of the rows, and those between the ends of
// the table that have changed since the rows were read, because they may now match the
// filter. The table does this only for a list that is sorted by id, so an id is also a place
// in the list.
func (l tokenList) idsToRefresh(req widget.Request) ([]string, error) {
	changes, err := l.view.ChangesBetween(l.readHead, l.view.Head)
	if err != nil {
		return nil, err
	}
	ids := slices.Clone(req.Places)
	for _, change := range changes {
		id, _, _, isToken := cw721.TokenChange(change.Key, change.OldValue, change.NewValue)
		isAbove := req.NextAbove != nil && id < *req.NextAbove
		isBelow := req.NextBelow != nil && id > *req.NextBelow
		if isToken && !isAbove && !isBelow {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// rowWalk returns the walk over the list in a view.
func (l tokenList) rowWalk(view *chain.View) widget.Walk {
	l.view = view
	return l.walk
}

// walk calls yield with the place and the row of each token in a part of the list, until
// yield returns false. The row is nil for a token that does not match the filter. The
// table then counts the token as searched, but does not show it.
func (l tokenList) walk(part widget.ListPart, yield widget.YieldRow) error {
	if l.isByExpiry() {
		return l.walkByExpiry(part, yield)
	}
	for token, err := range l.view.Tokens(l.filter.Owner, app.ListWalk(part)) {
		if err != nil {
			return err
		}
		row, err := l.row(token)
		if err != nil {
			return err
		}
		if !yield(token.ID, row) {
			return nil
		}
	}
	return nil
}

// walkByExpiry is [tokenList.walk] for a list that is sorted by expiry. It goes from
// approval to approval, not from token to token. A token with several approvals has its
// row at the first of them, and the others yield nil. With a filter such as "expires<10",
// the walk ends at the first approval that expires too late.
func (l tokenList) walkByExpiry(part widget.ListPart, yield widget.YieldRow) error {
	list := l.expiryList()
	walk := app.ListWalk(part)

	// A walk backward from the end first skips all approvals that expire too late.
	if l.filter.HasLimit() && part.Backward && walk.Place == nil {
		limit := cw721.UntilTime(cw721.Time(l.filter.FirstTooLate(l.view.Clock)))
		walk.Place = new(list.Place(cw721.Grant{Expires: limit}))
	}
	for entry, err := range l.view.List(list, walk) {
		if err != nil {
			return err
		}
		if !part.Backward && l.filter.IsTooLate(l.view.Clock, entry.Expires) {
			return nil
		}
		row, err := l.rowOfGrant(list, entry.Grant)
		if err != nil {
			return err
		}
		if !yield(list.Place(entry.Grant), row) {
			return nil
		}
	}
	return nil
}

// expiryList returns the list of grants that a list in the order of expiry is read from.
func (l tokenList) expiryList() expiry.List {
	return l.filter.Narrow(expiry.List{OnlyLive: l.rowView.HideExpired})
}

// rowOfGrant returns the row of the token that an approval is for. It returns nil for an
// operator, if the row is at another approval of the token, or if the token does not match
// the filter.
func (l tokenList) rowOfGrant(list expiry.List, grant cw721.Grant) (*widget.Row, error) {
	if grant.Kind != cw721.GrantApproval || !l.lists(list, grant) {
		return nil, nil
	}
	token, exists, err := l.view.Token(grant.Token)
	if err != nil || !exists {
		return nil, err
	}
	if first, _ := l.firstListed(list, token); first != grant {
		return nil, nil
	}
	return l.row(token)
}

// firstListed returns the approval of a token that comes first in a list by expiry. The token
// has its row there. exists is false if the list has no approval of the token.
func (l tokenList) firstListed(list expiry.List, token chain.Token) (first cw721.Grant, exists bool) {
	clock := l.view.Clock
	for _, approval := range token.Approvals {
		grant := token.Grant(approval)
		if !l.lists(list, grant) {
			continue
		}
		if !exists || list.Before(grant, first, clock.Block(), clock.EstimateTimeAt) {
			first = grant
			exists = true
		}
	}
	return first, exists
}

// lists reports whether a list by expiry has an approval, and the filter has no condition on
// approvals that leaves it out.
func (l tokenList) lists(list expiry.List, approval cw721.Grant) bool {
	if list.OnlyLive && approval.Expires.HasExpired(l.view.Clock.Block()) {
		return false
	}
	return l.filter.MatchesAccounts(approval) && !l.filter.IsTooLate(l.view.Clock, approval.Expires)
}

// matches reports whether a token matches the filter. Each word of the filter must be in the
// token's id, URI or name, or in the names and addresses of its owner and spenders. If the
// filter names an account that can move tokens, such as "can:bob", the contract must allow
// that account to transfer the token.
func (l tokenList) matches(token chain.Token) (bool, error) {
	if len(l.filter.Words) > 0 {
		texts := []string{token.ID, l.rowView.DisplayName(token.Owner)}
		addresses := []cw721.Address{token.Owner}
		for _, approval := range token.Approvals {
			texts = append(texts, l.rowView.DisplayName(approval.Spender))
			addresses = append(addresses, approval.Spender)
		}
		if token.TokenURI != nil {
			texts = append(texts, *token.TokenURI)
		}
		if metadata := token.Extension.Metadata; metadata != nil && metadata.Name != nil {
			texts = append(texts, *metadata.Name)
		}
		if !l.filter.MatchesText(texts, addresses...) {
			return false, nil
		}
	}
	if l.filter.Mover == "" {
		return true, nil
	}
	transfer, _ := cw721.ActionNamed(mainAction)
	decision, err := l.view.Decide(l.filter.Mover, transfer.Message(token.ID, l.filter.Mover))
	if err != nil {
		return false, err
	}
	return decision.Allowed, nil
}

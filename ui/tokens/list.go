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
	filter        app.Filter
	sortsByExpiry bool        // sorted by expiry; lists only tokens with approvals
	rowView       app.RowView // how names and times are displayed
	columns       widget.ListColumns[listedToken]
	// readHead is the position in the history at which the table's rows were read.
	readHead history.ID
}

// list returns a copy of what the list shows, which a background read can use while the
// screen goes on changing.
func (s *Screen) list(state *app.State) tokenList {
	listBox, _ := s.Split()
	return tokenList{
		filter:        s.filterInput.Filter,
		sortsByExpiry: s.sortsByExpiry,
		rowView:       state.RowView(),
		columns:       listColumns(listBox.W),
		readHead:      s.ReadHead,
	}
}

// setColumns sets the columns for the width and the order of the list, and the text that
// an empty list shows.
func (s *Screen) setColumns() {
	listBox, _ := s.Split()
	s.Table.SetColumns(listColumns(listBox.W).OfTable()...)
	s.Table.SortTitle = tokenTitle
	if s.sortsByExpiry || s.filterInput.Filter.IsByExpiry() {
		s.Table.SortTitle = expiryTitle
	}
	s.Table.EmptyText = s.emptyText()
}

// restart makes the table read the list anew, around the cursor. It is called after a change
// of filter or order.
func (s *Screen) restart(state *app.State) {
	s.setColumns()
	s.Table.Restart()
	s.Table.HidesMostRows = s.list(state).isSparse()
}

// isInOrderOfExpiry reports whether the list is sorted by expiry, and so is read from the
// chain's index of grants. Otherwise it is sorted by id, and is read from the tokens.
func (l tokenList) isInOrderOfExpiry() bool { return l.sortsByExpiry || l.filter.IsByExpiry() }

// isSparse reports whether the list is sorted by id and has a filter that no index
// serves, so that finding one row may take reading many tokens.
func (l tokenList) isSparse() bool { return l.filter.IsSearch() && !l.isInOrderOfExpiry() }

// readPage reads the rows that the table has requested, their position in the list, and the
// total number of rows.
func (l tokenList) readPage(view *chain.View, req widget.Request) (page widget.Page, err error) {
	switch req.Seek {
	case widget.SameRows: // the table refreshes the rows that it holds
		req.Places, err = l.idsToRefresh(view, req)
	case widget.RowsAround:
		req, err = l.locate(view, req)
	}
	if err != nil {
		return page, err
	}
	page, err = widget.Load(req, l.rowWalk(view))
	if err != nil {
		return page, err
	}
	page.Total, err = l.countRows(view, page)
	return page, err
}

// locate returns a request for the rows around a token as one for the place that the token
// has in the list now: its id, or the place of its first approval.
func (l tokenList) locate(view *chain.View, req widget.Request) (widget.Request, error) {
	if !l.isInOrderOfExpiry() {
		req.Place = req.Keys[0]
		return req, nil
	}
	isLocated, err := req.Locate(func(id string) (place string, isListed bool, err error) {
		token, exists, err := view.Token(id)
		if err != nil || !exists {
			return "", false, err
		}
		list := l.expiryList()
		for _, approval := range token.Approvals {
			if list.OnlyLive && approval.Expires.HasExpired(view.Clock.Block()) {
				continue
			}
			row, err := l.rowOfGrant(view, list, token.Grant(approval))
			if err != nil || row != nil {
				return list.Place(token.Grant(approval)), row != nil, err
			}
		}
		return "", false, nil
	})

	// The id of a token that is not listed is no place in this order.
	if !isLocated && req.Place == req.Keys[0] {
		req.Seek = widget.First
	}
	return req, err
}

// idsToRefresh returns the ids of the tokens to read when the table refreshes the
// rows that it holds. They are sorted, without duplicates:
//   - the ids in req.Places, which are those of the rows;
//   - the ids of tokens that have changed since the rows were read, if they are not before
//     req.NextAbove or after req.NextBelow. Nil means no such limit.
//
// The table does this only for a list that is sorted by id, so an id is also a place in
// the list.
func (l tokenList) idsToRefresh(view *chain.View, req widget.Request) ([]string, error) {
	changes, err := view.ChangesBetween(l.readHead, view.Head)
	if err != nil {
		return nil, err
	}

	// A changed token may now match the filter, so it is read as well.
	ids := slices.Clone(req.Places)
	for _, change := range changes {
		id, _, _, isToken := cw721.TokenChange(change.Key, change.OldValue, change.NewValue)
		isAbove := req.NextAbove != nil && id < *req.NextAbove
		isBelow := req.NextBelow != nil && id > *req.NextBelow
		if !isToken || isAbove || isBelow {
			continue
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// countRows returns the number of rows in the list of a page, or -1 if only walking the whole
// list would give it.
func (l tokenList) countRows(view *chain.View, page widget.Page) (int, error) {
	switch {
	case page.HoldsWholeList():
		return len(page.Rows), nil
	case l.isInOrderOfExpiry(), l.filter.IsSearch():
		return -1, nil
	case l.filter.Owner != "":
		return view.Holdings(l.filter.Owner)
	}
	collection, err := view.Collection()
	return int(collection.TokenCount), err
}

// rowWalk returns the walk over the list in a view.
func (l tokenList) rowWalk(view *chain.View) widget.Walk {
	return func(part widget.ListPart, yield rowYield) error { return l.walk(view, part, yield) }
}

// rowYield gets the place and the row of a token, and returns false to end the walk.
type rowYield = func(string, *widget.Row) bool

// walk calls yield with the place and the row of each token in a part of the list, until
// yield returns false. The row is nil for a token that does not match the filter. The
// table then counts the token as searched, but does not show it.
func (l tokenList) walk(view *chain.View, part widget.ListPart, yield rowYield) error {
	if l.isInOrderOfExpiry() {
		return l.walkByExpiry(view, part, yield)
	}
	for token, err := range view.Tokens(l.filter.Owner, app.ListWalk(part)) {
		if err != nil {
			return err
		}
		row, err := l.row(view, token)
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
func (l tokenList) walkByExpiry(view *chain.View, part widget.ListPart, yield rowYield) error {
	list := l.expiryList()
	walk := app.ListWalk(part)

	// A walk backward from the end first skips all approvals that expire too late.
	if l.filter.HasLimit() && part.Backward && walk.Place == nil {
		limit := cw721.UntilTime(cw721.Time(l.filter.FirstTooLate(view.Clock)))
		walk.Place = new(list.Place(cw721.Grant{Expires: limit}))
	}
	for entry, err := range view.List(list, walk) {
		if err != nil {
			return err
		}

		// After a grant that expires too late, all others do so too.
		if !part.Backward && l.filter.IsTooLate(view.Clock, entry.Expires) {
			return nil
		}
		row, err := l.rowOfGrant(view, list, entry.Grant)
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

// rowOfGrant returns the row of the token that an approval is for. It returns nil if the row
// is at another approval of the token, if the approval or the token does not match the
// filter, or if the token does not exist.
func (l tokenList) rowOfGrant(
	view *chain.View,
	list expiry.List,
	grant cw721.Grant,
) (*widget.Row, error) {
	if l.filter.IsTooLate(view.Clock, grant.Expires) || !l.matchesGrant(grant) {
		return nil, nil
	}
	token, exists, err := view.Token(grant.Token)
	if err != nil || !exists || !l.isFirstListed(view, list, token, grant) {
		return nil, err
	}
	return l.row(view, token)
}

// matchesGrant reports whether a grant is an approval of one token (not an operator) by the
// filter's owner to its spender.
func (l tokenList) matchesGrant(grant cw721.Grant) bool {
	return grant.Kind == cw721.GrantApproval && l.filter.MatchesAccounts(grant)
}

// isFirstListed reports whether an approval comes before all other listed approvals of its
// token. The token has its row only at that approval.
func (l tokenList) isFirstListed(
	view *chain.View,
	list expiry.List,
	token chain.Token,
	grant cw721.Grant,
) bool {
	block := view.Clock.Block()
	for _, approval := range token.Approvals {
		otherGrant := token.Grant(approval)

		// Only the approvals that the list shows count.
		isHidden := list.OnlyLive && approval.Expires.HasExpired(block)
		if isHidden || !l.matchesGrant(otherGrant) {
			continue
		}
		if list.Before(otherGrant, grant, block, view.Clock.EstimateTimeAt) {
			return false
		}
	}
	return true
}

// matches reports whether a token matches the filter. Each word of the filter must be in a
// text of the token. If the filter names an account that can move tokens, such as
// "can:bob", the contract must allow that account to transfer the token.
func (l tokenList) matches(view *chain.View, token chain.Token) (bool, error) {
	if len(l.filter.Words) > 0 && !l.matchesText(token) {
		return false, nil
	}
	if l.filter.Mover == "" {
		return true, nil
	}

	// Ask the contract whether the account may transfer the token.
	transfer, _ := cw721.ActionNamed(mainAction)
	decision, err := view.Decide(l.filter.Mover, transfer.Message(token.ID, l.filter.Mover))
	if err != nil {
		return false, err
	}
	return decision.Allowed, nil
}

// matchesText reports whether a token has each word of the filter in its id, its URI, its
// name, or the names and addresses of its owner and spenders.
func (l tokenList) matchesText(token chain.Token) bool {
	// Collect everything that a word can be found in.
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
	return l.filter.MatchesText(texts, addresses...)
}

package grants

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// listFacts is what was read about a list besides its rows. The next reading uses again what is
// still current.
type listFacts struct {
	count        grantCount       // the number of grants in the list
	dangling     danglingGrants   // what the filter is:dangling found
	realExpiries app.RealExpiries // until when each grant on the screen really lets a token be moved
}

// grantsRead is the answer of a background read.
type grantsRead struct {
	page  widget.Page // the rows that the table has requested
	known listFacts
}

// grantReader reads rows and counts grants in the background. It has copies of what it
// needs from the screen, which can change meanwhile.
type grantReader struct {
	view          *chain.View // what is read; set when the reading begins
	grantKind     cw721.GrantKind
	rowView       app.RowView // how names and times are displayed
	list          expiry.List
	filter        app.Filter
	tokenOwner    cw721.Address // the owner of the token in the filter
	lockReason    error         // why nothing may be judged now; nil if it may
	grantsInTable []cw721.Grant // the grants whose real expiries are read
	known         listFacts     // at first what was read last
}

// newReader returns a copy of what a background read needs of the screen.
func (s *Screen) newReader(state *app.State) grantReader {
	list := expiry.List{Order: s.order.order, OnlyLive: state.HideExpired}
	list.OnlyOperators = s.grantKind == cw721.GrantOperator
	if list.Order == expiry.ByExpiry || list.Order == expiry.ByRisk {
		list = s.filter.Filter.Narrow(list)
	}
	return grantReader{
		grantKind:     s.grantKind,
		rowView:       state.RowView(),
		list:          list,
		filter:        s.filter.Filter,
		lockReason:    state.LockReason(),
		grantsInTable: s.grantsToSearch(),
		known:         s.known,
	}
}

// grantsToSearch returns the grants whose real expiries the screen shows: those of the rows
// that the table holds, those on the screen first, and those that are counted in the title.
func (s *Screen) grantsToSearch() (grants []cw721.Grant) {
	for _, row := range s.table.RowsFromTop() {
		grants = append(grants, entryOf(row).Grant)
	}
	return append(grants, s.known.count.first...)
}

// read returns the rows that the table has requested, the number of all rows, and the
// real expiries of the grants that the table holds.
func (r grantReader) read(req widget.Request) (answer grantsRead, err error) {
	if err := r.prepare(); err != nil {
		return answer, err
	}
	if req.Seek == widget.RowsAround {
		if _, err := req.Locate(r.placeOf); err != nil {
			return answer, err
		}
	}
	answer.page, err = widget.Load(req, r.walk)
	if err != nil {
		return answer, err
	}

	// The total stays unknown if the grants are not counted, or are too many.
	r.known.count, err = r.currentCount()
	if err != nil {
		return answer, err
	}
	switch {
	case answer.page.HoldsWholeList():
		answer.page.Total = len(answer.page.Rows)
	case r.isCounted() && r.known.count.number < maxGrantsCounted:
		answer.page.Total = r.known.count.number
	}

	// Read the real expiries of the grants on the screen. A request for the rows around the
	// cursor can bring new grants onto the screen.
	grants := r.grantsInTable
	if req.Seek == widget.RowsAround {
		for _, row := range answer.page.Rows {
			if grant := entryOf(row).Grant; !slices.Contains(r.grantsInTable, grant) {
				grants = append(grants, grant)
			}
		}
	}
	r.known.realExpiries, err = r.known.realExpiries.Read(r.view, grants)
	answer.known = r.known
	return answer, err
}

// prepare reads what the filter needs before the rows are matched: the owner of its token, and
// which grants dangle.
func (r *grantReader) prepare() error {
	token, _, err := r.view.Token(r.filter.Token)
	if err != nil {
		return err
	}
	r.tokenOwner = token.Owner
	if r.filter.IsDangling && (r.known.dangling.revision != r.view.Revision || r.lockReason != nil) {
		r.known.dangling, err = r.findDangling()
	}
	return err
}

// placeOf returns the place that the grant of a row has in the list now. That is another one
// after a new expiry, and in another order. isListed is false if the list has no such grant.
func (r grantReader) placeOf(key string) (place string, isListed bool, err error) {
	entry := expiry.Entry{Grant: app.GrantOfKey(key)}
	var grants []cw721.Approval
	if r.grantKind == cw721.GrantApproval {
		token, _, err := r.view.Token(entry.Token)
		if err != nil || token.Owner != entry.Owner {
			return "", false, err
		}
		grants = token.Approvals
	} else {
		walk := cw721.Walk{Place: new(string(entry.Spender)), Inclusive: true}
		grants, _, err = app.ReadAtMost(cw721.OperatorsOf(r.view.Storage(), entry.Owner, walk), 1)
		if err != nil {
			return "", false, err
		}
	}
	for _, grant := range grants {
		entry.Expires = grant.Expires
		isHidden := r.list.OnlyLive && grant.Expires.HasExpired(r.view.Clock.Block())
		if grant.Spender == entry.Spender && !isHidden && r.matches(entry) {
			return r.list.Place(entry.Grant), true, nil
		}
	}
	return "", false, nil
}

// walk calls yield with the place and the row of each grant in a part of the list, until
// yield returns false. The row is nil, and is not shown, for a grant that does not match
// the filter or is of another kind, such as an offer in the list of approvals.
func (r grantReader) walk(part widget.ListPart, yield widget.YieldRow) error {
	for entry, err := range r.view.List(r.list, app.ListWalk(part)) {
		if err != nil {
			return err
		}
		row, err := r.row(entry)
		if err != nil {
			return err
		}
		if !yield(r.list.Place(entry.Grant), row) {
			return nil
		}
	}
	return nil
}

// matches reports whether a grant is of the reader's kind and matches the filter. The words
// of the filter are searched for in the token's id and in the names and addresses of owner
// and spender.
func (r grantReader) matches(entry expiry.Entry) bool {
	if entry.Kind != r.grantKind || !r.filter.MatchesAccounts(entry.Grant) {
		return false
	}
	if r.filter.IsDangling && len(r.known.dangling.findings[entry.Grant]) == 0 {
		return false
	}

	// An operator acts on every token of its owner.
	coversToken := entry.Token == r.filter.Token
	if r.grantKind == cw721.GrantOperator {
		coversToken = entry.Owner == r.tokenOwner
	}
	if r.filter.Token != "" && !coversToken {
		return false
	}
	if r.filter.IsTooLate(r.view.Clock, entry.Expires) {
		return false
	}

	// A filter such as expires<10 is about what will expire, not about what has expired.
	if r.filter.HasLimit() && entry.Expires.HasExpired(r.view.Clock.Block()) {
		return false
	}
	texts := []string{
		entry.Token,
		r.rowView.DisplayName(entry.Owner),
		r.rowView.DisplayName(entry.Spender),
		r.rowView.When(entry.Expires, r.view.Clock), // such as "never expires"
	}
	return r.filter.MatchesText(texts, entry.Owner, entry.Spender)
}

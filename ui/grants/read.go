package grants

import (
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// maxEntries is how many grants a screen remembers. When it has more, it forgets those
// that are not selected.
const maxEntries = 4096

// grantsRead is the answer of a background read.
type grantsRead struct {
	page         widget.Page      // the rows that the table has requested
	entries      []expiry.Entry   // the grants of these rows, in any order
	count        grantCount       // the number of grants in the whole list
	dangling     danglingGrants   // what the filter is:dangling found
	realExpiries app.RealExpiries // until when each grant really lets a token be moved
}

// grantReader reads rows and counts grants in the background. It has copies of what it
// needs from the screen, which can change meanwhile.
type grantReader struct {
	screenKind
	rowView       app.RowView // how names and times are displayed
	list          expiry.List
	filter        app.Filter
	count         grantCount       // the last count, reused while it is current
	dangling      danglingGrants   // what was found last, reused while it is current
	lockReason    error            // why nothing may be judged now; nil if it may
	tokenOwner    cw721.Address    // the owner of the token in the filter
	realExpiries  app.RealExpiries // the last real expiries, reused while they are current
	grantsInTable []cw721.Grant    // the grants whose real expiries are read
}

// grantKey returns a text that identifies a grant among those of its kind. It consists of
// owner, spender and token, separated by NUL bytes, which no address contains.
func grantKey(grant cw721.Grant) string {
	return string(grant.Owner) + "\x00" + string(grant.Spender) + "\x00" + grant.Token
}

// newReader returns a copy of what a background read needs of the screen.
func (s *Screen) newReader(state *app.State) grantReader {
	list := s.order.list
	list.OnlyLive = state.HideExpired
	if list.Order == expiry.ByExpiry || list.Order == expiry.ByRisk {
		list = s.filter.Filter.Narrow(list)
	}
	return grantReader{
		rowView:       state.RowView(),
		list:          list,
		filter:        s.filter.Filter,
		screenKind:    s.screenKind,
		count:         s.count,
		dangling:      s.dangling,
		lockReason:    state.LockReason(),
		realExpiries:  s.realExpiries,
		grantsInTable: s.grantsToSearch(),
	}
}

// NextRead returns the next background read for the screen, or nil if nothing is missing on
// it. The rows are read first, and then the real expiries of their grants. A real expiry
// is the time until which a grant lets a token be moved if the owner does nothing.
func (s *Screen) NextRead(state *app.State) app.Read {
	req, needsRows := s.table.NextRequest()
	if !needsRows {
		return s.realExpiries.NextRead(state, s.grantsToSearch())
	}
	reader := s.newReader(state)
	if req.Seek == widget.RowsAround {
		// Without its grant, the list shows what comes after it, maybe in another order.
		if entry, isRead := s.entries[req.Keys[0]]; isRead {
			req.Place = reader.list.Place(entry.Grant)
		}
	}
	return func(view *chain.View, facts app.Facts) (tea.Msg, error) {
		reader.rowView.Facts = facts
		return reader.read(view, req)
	}
}

// read returns the rows that the table has requested, the number of all rows, and the
// real expiries of the grants that the table holds.
func (r grantReader) read(view *chain.View, req widget.Request) (answer grantsRead, err error) {
	if err := r.prepare(view); err != nil {
		return answer, err
	}
	answer.dangling = r.dangling
	readPart := func(part widget.ListPart, yield rowYield) error {
		return r.walk(view, part, &answer.entries, yield)
	}
	if req.Seek == widget.RowsAround {
		_, err = req.Locate(func(key string) (string, bool, error) { return r.placeOf(view, key) })
		if err != nil {
			return answer, err
		}
	}
	answer.page, err = widget.Load(req, readPart)
	if err != nil {
		return answer, err
	}

	// The total stays unknown if the grants are not counted, or are too many.
	answer.count, err = r.currentCount(view)
	if err != nil {
		return answer, err
	}
	switch {
	case answer.page.HoldsWholeList():
		answer.page.Total = len(answer.page.Rows)
	case r.isCounted() && answer.count.number < maxGrantsCounted:
		answer.page.Total = answer.count.number
	}

	// Read the real expiries of the grants on the screen. A request for the rows around the
	// cursor can bring new grants onto the screen.
	grants := r.grantsInTable
	for _, entry := range answer.entries {
		isNew := !slices.Contains(r.grantsInTable, entry.Grant)
		if req.Seek == widget.RowsAround && isNew {
			grants = append(grants, entry.Grant)
		}
	}
	answer.realExpiries, err = r.realExpiries.Read(view, grants)
	return answer, err
}

// prepare reads what the filter needs before the rows are matched: the owner of its token, and
// which grants dangle.
func (r *grantReader) prepare(view *chain.View) error {
	token, _, err := view.Token(r.filter.Token)
	if err != nil {
		return err
	}
	r.tokenOwner = token.Owner
	if r.filter.IsDangling && (r.dangling.revision != view.Revision || r.lockReason != nil) {
		r.dangling, err = r.findDangling(view)
	}
	return err
}

// placeOf returns the place that the grant of a row has in the list now. That is another one
// after a new expiry, and in another order. isListed is false if the list has no such grant.
func (r grantReader) placeOf(view *chain.View, key string) (place string, isListed bool, err error) {
	parts := strings.SplitN(key, "\x00", 3)
	owner := cw721.Address(parts[0])
	spender := parts[1]
	entry := expiry.Entry{Grant: cw721.Grant{Kind: r.grantKind, Owner: owner, Token: parts[2]}}

	// Read the grant as it is now.
	var grants []cw721.Approval
	if r.grantKind == cw721.GrantApproval {
		token, _, err := view.Token(entry.Token)
		if err != nil || token.Owner != owner {
			return "", false, err
		}
		grants = token.Approvals
	} else {
		walk := cw721.Walk{Place: &spender, Inclusive: true}
		grants, _, err = app.ReadAtMost(cw721.OperatorsOf(view.Storage(), owner, walk), 1)
		if err != nil {
			return "", false, err
		}
	}
	for _, grant := range grants {
		isHidden := r.list.OnlyLive && grant.Expires.HasExpired(view.Clock.Block())
		entry.Spender = grant.Spender
		entry.Expires = grant.Expires
		if string(grant.Spender) == spender && !isHidden && r.matches(view, entry) {
			return r.list.Place(entry.Grant), true, nil
		}
	}
	return "", false, nil
}

// rowYield gets the place and the row of a grant, and returns false to end the walk.
type rowYield = func(string, *widget.Row) bool

// walk calls yield with the place and the row of each grant in a part of the list, until
// yield returns false. The row is nil, and is not shown, for a grant that does not match
// the filter or is of another kind, such as an offer in the list of approvals. walk appends
// the grants that have rows to entries.
func (r grantReader) walk(
	view *chain.View,
	part widget.ListPart,
	entries *[]expiry.Entry,
	yield rowYield,
) error {
	for entry, err := range view.List(r.list, app.ListWalk(part)) {
		if err != nil {
			return err
		}
		row, err := r.row(view, entry)
		if err != nil {
			return err
		}
		if row != nil {
			*entries = append(*entries, entry)
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
func (r grantReader) matches(view *chain.View, entry expiry.Entry) bool {
	if entry.Kind != r.grantKind || !r.filter.MatchesAccounts(entry.Grant) {
		return false
	}
	if r.filter.IsDangling && len(r.dangling.findings[entry.Grant]) == 0 {
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
	if r.filter.IsTooLate(view.Clock, entry.Expires) {
		return false
	}

	// A filter such as expires<10 is about what will expire, not about what has expired.
	if r.filter.HasLimit() && entry.Expires.HasExpired(view.Clock.Block()) {
		return false
	}
	texts := []string{
		entry.Token,
		r.rowView.DisplayName(entry.Owner),
		r.rowView.DisplayName(entry.Spender),
		r.rowView.When(entry.Expires, view.Clock), // such as "never expires"
	}
	return r.filter.MatchesText(texts, entry.Owner, entry.Spender)
}

// row returns the row of a grant, or nil if the grant does not match; see
// [grantReader.matches]. Expired grants have a colour of their own.
func (r grantReader) row(view *chain.View, entry expiry.Entry) (*widget.Row, error) {
	if !r.matches(view, entry) {
		return nil, nil
	}
	cells, err := r.cells(r.rowView, view, entry)
	if err != nil {
		return nil, err
	}
	row := &widget.Row{Key: grantKey(entry.Grant), Cells: cells}
	if entry.Expires.HasExpired(view.Clock.Block()) {
		row.Role = themes.Expired
	}
	return row, nil
}

// applyRead puts what was read on the screen, and remembers the grants of the rows. If
// there are too many, it first forgets those that are not selected.
func (s *Screen) applyRead(answer grantsRead) {
	if len(s.entries) > maxEntries {
		maps.DeleteFunc(s.entries, func(key string, _ expiry.Entry) bool {
			return !s.table.IsMarked(key)
		})
	}
	s.remember(answer.entries)
	s.count = answer.count
	s.dangling = answer.dangling
	if s.filter.Filter.IsDangling {
		s.table.EmptyText = "none of those that were looked at dangles: tab looks at the " + s.otherName
	}
	s.realExpiries = answer.realExpiries
	s.table.Set(answer.page)
}

// grantCount is the number of grants in a list. The chain does not store this number, so
// the grants are counted by reading the list.
type grantCount struct {
	list         expiry.List // the list that was counted
	revision     uint64      // the revision of the chain at that time
	number       int         // at most maxGrantsCounted; 0 if the list is not counted
	endlessCount int         // how many of the counted grants never expire
	// first has the first maxSearched grants. Of these it is counted how many are renewable.
	first []cw721.Grant
}

// maxSearched is how many grants of a list are searched for those that are renewable, which
// takes a search for each of them. It does not depend on the size of the window, and so
// neither does the count.
const maxSearched = 50

// maxGrantsCounted is the number at which counting stops, so that the user does not wait
// for it. A list with so many grants or more is shown as "5,000+".
const maxGrantsCounted = 5000

// isCounted reports whether the grants of the list are counted. If the chain has no index
// for the filter, they are not, because finding the grants that match takes too long.
func (r grantReader) isCounted() bool {
	isSearched := r.filter.IsSearch() || r.filter.HasLimit()
	hasAccounts := r.filter.Owner != "" || r.filter.Spender != ""
	isNarrowed := r.list.Owner == r.filter.Owner && r.list.Spender == r.filter.Spender
	return !isSearched && (!hasAccounts || isNarrowed)
}

// currentCount returns the number of grants in the list, at most maxGrantsCounted. It counts
// again only if the list or the chain has changed since the last count. For a list that is
// not counted it returns an empty count; see [grantReader.isCounted].
func (r grantReader) currentCount(view *chain.View) (grantCount, error) {
	if r.count.revision == view.Revision && r.count.list == r.list {
		return r.count, nil
	}
	if !r.isCounted() {
		return grantCount{}, nil
	}

	// Count until the limit.
	newCount := grantCount{list: r.list, revision: view.Revision}
	for entry, err := range view.List(r.list, expiry.Walk{}) {
		if err != nil {
			return newCount, err
		}
		if entry.Kind != r.grantKind {
			continue
		}
		newCount.number++
		if newCount.number <= maxSearched {
			newCount.first = append(newCount.first, entry.Grant)
		}
		if entry.Expires.Axis == cw721.Never {
			newCount.endlessCount++
		}
		if newCount.number == maxGrantsCounted {
			break
		}
	}
	return newCount, nil
}

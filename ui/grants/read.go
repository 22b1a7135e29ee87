package grants

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// maxEntries is how many grants a screen remembers before it forgets those that are not
// selected.
const maxEntries = 4096

// grantsRead is what a background read found: rows that the table requested, their
// grants, and the number of all.
type grantsRead struct {
	page     widget.Page
	entries  []expiry.Entry // the grants of the page, in any order
	count    grantCount
	realEnds app.RealExpiries // of the grants that the table holds
}

// grantReader is a copy of what a background read needs of the screen, so that the screen
// can change meanwhile.
type grantReader struct {
	grantKind
	rowView app.RowView
	list    expiry.List
	filter  app.Filter
	// count and realEnds are the results of the last read, reused while they are current.
	count    grantCount
	realEnds app.RealExpiries
	// heldGrants are the grants of the rows that the table holds.
	heldGrants []cw721.Grant
}

// grantKey returns a text that identifies a grant among those of its kind: owner, spender
// and token, separated by NUL bytes, which no address contains.
func grantKey(g cw721.Grant) string {
	return string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// reader returns a copy of what a background read needs of the screen.
func (s *Screen) reader(st *app.State) grantReader {
	reader := grantReader{
		rowView:    st.RowView(),
		list:       s.view.list,
		filter:     s.filter.Filter,
		grantKind:  s.grantKind,
		count:      s.count,
		realEnds:   s.realEnds,
		heldGrants: s.heldGrants(),
	}
	reader.list.Live = st.HideExpired
	isByExpiry := reader.list.Order == expiry.ByExpiry || reader.list.Order == expiry.ByRisk
	if isByExpiry {
		reader.list = reader.filter.Narrow(reader.list)
	}
	return reader
}

// Needs returns the background read of the rows that the table lacks. If it lacks none,
// Needs returns the read of the real expiries of the grants that the table holds: until when
// each lets a token be moved if the owner does nothing. It returns nil if those are known,
// too.
func (s *Screen) Needs(st *app.State) app.Read {
	req, lacksRows := s.table.Want()
	if !lacksRows {
		return s.realEnds.Needs(st, s.heldGrants())
	}
	reader := s.reader(st)
	return func(v *chain.View, facts app.Facts) (tea.Msg, error) {
		reader.rowView.Facts = facts
		return reader.read(v, req)
	}
}

// read returns the rows that the table has requested, the number of all rows, and the
// real expiries of the grants that the table holds.
func (r grantReader) read(v *chain.View, req widget.Request) (answer grantsRead, err error) {
	answer.page, err = widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
		return r.walk(v, part, &answer.entries, yield)
	})
	if err != nil {
		return answer, err
	}

	// The total is shown if the list could be counted.
	answer.count, err = r.currentCount(v)
	if err != nil {
		return answer, err
	}
	if answer.count.number < maxGrantsCounted {
		answer.page.Total = answer.count.number
	}
	if !r.isCounted() {
		answer.page.Total = -1
	}
	if answer.page.HoldsList() {
		answer.page.Total = len(answer.page.Rows)
	}
	answer.page = app.WithPosition(req, answer.page)

	// Read the real expiries of the rows that are or come into view.
	grants := r.heldGrants
	for _, e := range answer.entries {
		isNew := !slices.Contains(r.heldGrants, e.Grant)
		if req.Seek == widget.Around && isNew { // its row comes onto the screen with this page
			grants = append(grants, e.Grant)
		}
	}
	answer.realEnds, err = r.realEnds.Read(v, grants)
	return answer, err
}

// walk calls yield with the place and the row of each grant in a part of the list, until
// yield returns false. It appends the grants that have rows to entries. A grant that does not
// match the filter or is of another kind, such as an offer in the list of approvals, has a
// nil row, which is not shown.
func (r grantReader) walk(v *chain.View, part widget.Scan, entries *[]expiry.Entry, yield func(string, *widget.Row) bool) error {
	for e, err := range v.List(r.list, app.ListWalk(part)) {
		if err != nil {
			return err
		}

		// Other grants count as searched, but have no row.
		var row *widget.Row
		if r.matches(v, e) {
			row, err = r.row(v, e)
			*entries = append(*entries, e)
		}
		if err != nil || !yield(r.list.Place(e.Grant), row) {
			return err
		}
	}
	return nil
}

// matches reports whether a grant is of the reader's kind and matches the filter. The words
// of the filter are searched for in its token and accounts, by name and by address. A filter
// with a limit, such as expires<10, is about what will expire, so it leaves out expired grants.
func (r grantReader) matches(v *chain.View, e expiry.Entry) bool {
	if e.Kind != r.kind || !r.filter.MatchesAccounts(e.Grant) || r.filter.IsTooLate(v.Clock, e.Expires) {
		return false
	}
	if r.filter.HasLimit() && e.Expires.Expired(v.Clock.Block()) {
		return false
	}
	return r.filter.MatchesText([]string{e.Token, r.rowView.DisplayName(e.Owner), r.rowView.DisplayName(e.Spender)}, e.Owner, e.Spender)
}

// row returns the row of a grant. The row of an expired one has its own colour.
func (r grantReader) row(v *chain.View, e expiry.Entry) (*widget.Row, error) {
	cells, err := r.cells(r.rowView, v, e)
	if err != nil {
		return nil, err
	}
	row := &widget.Row{Key: grantKey(e.Grant), Cells: cells}
	if e.Expires.Expired(v.Clock.Block()) {
		row.Role = themes.Expired
	}
	return row, nil
}

// applyRead puts what was read on the screen, and remembers the grants of the rows. If
// there are too many, it first forgets those that are not selected.
func (s *Screen) applyRead(answer grantsRead) {
	if len(s.entries) > maxEntries {
		maps.DeleteFunc(s.entries, func(key string, _ expiry.Entry) bool { return !s.table.IsMarked(key) })
	}
	s.remember(answer.entries)
	s.count = answer.count
	s.realEnds = answer.realEnds
	s.table.Set(answer.page)
}

// grantCount is the number of grants in a list at a revision of the chain. No index has
// it, so the list is walked.
type grantCount struct {
	list     expiry.List
	revision uint64
	number   int // at most maxGrantsCounted; 0 if the list is not counted
	endless  int // how many of them never expire
}

// maxGrantsCounted is the number at which counting stops, so that nobody waits for it. A
// list with so many grants or more is shown as "5,000+".
const maxGrantsCounted = 5000

// isCounted reports whether the grants of the list are counted. Those that a filter searches
// for are not, since counting them would read the whole list.
func (r grantReader) isCounted() bool {
	isSearched := r.filter.IsSearch() || r.filter.HasLimit()
	hasAccounts := r.filter.Owner != "" || r.filter.Spender != ""
	isNarrowed := r.list.Owner == r.filter.Owner && r.list.Spender == r.filter.Spender
	return !isSearched && (!hasAccounts || isNarrowed)
}

// currentCount returns the number of grants in the list. It counts again only if the list or
// the revision has changed since the last count, and stops at maxGrantsCounted. It returns
// no count for a list that isCounted excludes.
func (r grantReader) currentCount(v *chain.View) (grantCount, error) {
	if r.count.revision == v.Revision && r.count.list == r.list {
		return r.count, nil
	}
	counted := grantCount{list: r.list, revision: v.Revision}
	if !r.isCounted() {
		return grantCount{}, nil
	}

	// Count until the limit.
	for e, err := range v.List(r.list, expiry.Walk{}) {
		if err != nil {
			return counted, err
		}
		if e.Kind != r.kind {
			continue
		}
		counted.number++
		if e.Expires.Axis == cw721.Never {
			counted.endless++
		}
		if counted.number == maxGrantsCounted {
			break
		}
	}
	return counted, nil
}

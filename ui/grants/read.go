package grants

import (
	"maps"

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
	realEnds app.RealExpiries // of the grants on the screen
}

// grantReader is a copy of what a background read needs of the screen, so that the screen
// can change meanwhile.
type grantReader struct {
	rowView app.RowView
	list    expiry.List
	kind    cw721.GrantKind
	cells   func(app.RowView, *chain.View, expiry.Entry) ([]widget.Line, error)
	// count and realEnds are the results of the last read, reused while they are current.
	count    grantCount
	realEnds app.RealExpiries
	// grantsInView are the grants of the rows on the screen.
	grantsInView []cw721.Grant
	// knownEntries are the grants whose rows were read before, by their keys.
	knownEntries map[string]expiry.Entry
}

// grantKey returns a text that identifies a grant among those of its kind: owner, spender
// and token, separated by NUL bytes, which no address contains.
func grantKey(g cw721.Grant) string {
	return string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// Needs returns the background read of the rows that the table lacks. If it lacks none,
// Needs returns the read of the real expiries of the grants on the screen: until when each
// lets a token be moved if the owner does nothing. It returns nil if those are known, too.
func (s *Screen) Needs(st *app.State) app.Read {
	req, lacksRows := s.table.Want()
	if !lacksRows {
		return s.realEnds.Needs(st, s.grantsInView())
	}

	reader := grantReader{
		rowView:      st.RowView(),
		list:         s.view.list,
		kind:         s.kind,
		cells:        s.cells,
		count:        s.count,
		realEnds:     s.realEnds,
		grantsInView: s.grantsInView(),
		knownEntries: maps.Clone(s.entries),
	}
	reader.list.Live = st.HideExpired
	return func(v *chain.View, facts app.Facts) (tea.Msg, error) {
		reader.rowView.Facts = facts
		return reader.read(v, req)
	}
}

// read returns the rows that the table has requested, the number of all rows, and the
// real expiries of the grants on the screen.
func (r grantReader) read(v *chain.View, req widget.Request) (answer grantsRead, err error) {
	answer.page, err = widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
		return r.walk(v, part, &answer.entries, yield)
	})
	if err != nil {
		return answer, err
	}

	answer.count, err = r.count.update(v, r.list, r.kind)
	if err != nil {
		return answer, err
	}
	if answer.count.number < maxGrantsCounted {
		answer.page.Total = answer.count.number
	}
	answer.page = app.WithPosition(req, answer.page)

	grants := r.grantsInView
	for _, e := range answer.entries {
		isNew := r.knownEntries[grantKey(e.Grant)] != e
		if req.Seek == widget.Around && isNew { // its row comes onto the screen with this page
			grants = append(grants, e.Grant)
		}
	}
	answer.realEnds, err = r.realEnds.Read(v, grants)
	return answer, err
}

// walk calls yield with the place and the row of each grant in a part of the list, until
// yield returns false. It appends the grants that have rows to entries. A grant of another
// kind, such as an offer in the list of approvals, has a nil row, which is not shown.
func (r grantReader) walk(v *chain.View, part widget.Scan, entries *[]expiry.Entry, yield func(string, *widget.Row) bool) error {
	for e, err := range v.List(r.list, app.ListWalk(part)) {
		if err != nil {
			return err
		}
		var row *widget.Row
		if e.Kind == r.kind {
			row, err = r.row(v, e)
			*entries = append(*entries, e)
		}
		if err != nil || !yield(r.list.Place(e.Grant), row) {
			return err
		}
	}
	return nil
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
	if s.entries == nil {
		s.entries = map[string]expiry.Entry{}
	}
	if len(s.entries) > maxEntries {
		maps.DeleteFunc(s.entries, func(key string, _ expiry.Entry) bool { return !s.table.IsMarked(key) })
	}
	for _, e := range answer.entries {
		s.entries[grantKey(e.Grant)] = e
	}
	s.count = answer.count
	s.realEnds = answer.realEnds
	s.table.Set(answer.page)
}

// grantCount is the number of grants in a list at a revision of the chain. No index has
// it, so the list is walked.
type grantCount struct {
	list     expiry.List
	revision uint64
	number   int // at most maxGrantsCounted
}

// maxGrantsCounted is the number at which counting stops, so that nobody waits for it. A
// list with so many grants or more is shown as "5,000+".
const maxGrantsCounted = 5000

// update returns the number of grants of a kind in a list. It counts only if the list or
// the revision has changed since c was counted.
func (c grantCount) update(v *chain.View, list expiry.List, kind cw721.GrantKind) (grantCount, error) {
	if c.revision == v.Revision && c.list == list {
		return c, nil
	}
	counted := grantCount{list: list, revision: v.Revision}
	for e, err := range v.List(list, expiry.Walk{}) {
		if err != nil {
			return counted, err
		}
		if e.Kind == kind {
			counted.number++
		}
		if counted.number == maxGrantsCounted {
			break
		}
	}
	return counted, nil
}

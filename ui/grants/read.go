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

// maxEntries bounds the grants that are remembered. Selected ones are always.
const maxEntries = 4096

// grantsRead is the answer to a request of the table.
type grantsRead struct {
	page     widget.Page
	entries  []expiry.Entry // of the page, in any order
	count    grantCount
	realEnds app.RealExpiries
}

// grantReader holds what a reading needs of the screen, for a command.
type grantReader struct {
	look  app.RowView
	list  expiry.List
	kind  cw721.GrantKind
	cells func(app.RowView, *chain.View, expiry.Entry) ([]widget.Line, error)
	// count and realEnds are as they were read last.
	count    grantCount
	realEnds app.RealExpiries
	inView   []cw721.Grant
	known    map[string]expiry.Entry
}

// grantKey identifies a grant among those of its kind. Addresses hold no NUL.
func grantKey(g cw721.Grant) string {
	return string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// Needs returns the Read of the rows that the table lacks, or of the real expiries
// of those on the screen; nil if nothing is lacking.
func (s *Screen) Needs(st *app.State) app.Read {
	req, wanted := s.table.Want()
	if !wanted {
		return s.realEnds.Needs(st, s.grantsInView())
	}

	reader := grantReader{
		look:     st.RowView(),
		list:     s.view.list,
		kind:     s.kind,
		cells:    s.cells,
		count:    s.count,
		realEnds: s.realEnds,
		inView:   s.grantsInView(),
		known:    maps.Clone(s.entries),
	}
	reader.list.Live = st.HideExpired
	return func(v *chain.View, facts app.Facts) (tea.Msg, error) {
		reader.look.Facts = facts
		return reader.read(v, req)
	}
}

// read answers a request with rows, their count, and the real expiries of those on
// the screen.
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
	if answer.count.n < maxGrantsCounted {
		answer.page.Total = answer.count.n
	}
	answer.page = app.WithPosition(req, answer.page)

	grants := r.inView
	for _, e := range answer.entries {
		isNew := r.known[grantKey(e.Grant)] != e
		if req.Seek == widget.Around && isNew { // it shows at once whether it is outlived
			grants = append(grants, e.Grant)
		}
	}
	answer.realEnds, err = r.realEnds.Read(v, grants)
	return answer, err
}

// walk yields the grants of a part of the list, and appends those that have rows to
// entries. Grants of other kinds have no rows.
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

// row returns the row of a grant.
func (r grantReader) row(v *chain.View, e expiry.Entry) (*widget.Row, error) {
	cells, err := r.cells(r.look, v, e)
	if err != nil {
		return nil, err
	}
	row := &widget.Row{Key: grantKey(e.Grant), Cells: cells}
	if e.Expires.Expired(v.Clock.Block()) {
		row.Role = themes.Expired
	}
	return row, nil
}

// applyRead shows what was read.
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

// grantCount is the number of grants in a list at a revision. No index has it, so
// the list is walked, up to a length at which nobody notices the time.
type grantCount struct {
	list     expiry.List
	revision uint64
	n        int // at most maxGrantsCounted
}

// maxGrantsCounted bounds the walk that counts grants.
const maxGrantsCounted = 5000

// update returns the count of a list in a view. It counts only if the list or the
// revision has changed.
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
			counted.n++
		}
		if counted.n == maxGrantsCounted {
			break
		}
	}
	return counted, nil
}

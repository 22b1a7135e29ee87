package widget

import "slices"

// keepScreens is how many screens of rows a table holds at most.
const keepScreens = 8

// chunk is the number of rows to ask for: two screens, so that one is ready
// when the other is scrolled away.
func (t *Table) chunk() int { return max(20, 2*t.height()) }

// Want gives the next request, if there is one to make now. Each is given once;
// run it in a command and hand the answer to [Table.Set] or [Table.Fail].
func (t *Table) Want() (Request, bool) {
	if t.asked || t.failed != "" && t.req == nil {
		return Request{}, false
	}
	if t.req == nil {
		t.req = t.more()
	}
	if t.req == nil {
		return Request{}, false
	}
	t.seq++
	t.req.Seq, t.req.N = t.seq, t.chunk()
	t.asked, t.failed = true, ""
	return *t.req, true
}

// more asks for rows before the cursor comes to the end of those that are held.
func (t *Table) more() *Request {
	n, margin := len(t.rows), t.height()
	switch {
	case t.below != nil && (t.cursor+margin >= n || t.top+margin >= n):
		return &Request{Seek: After, Place: *t.below}
	case t.above != nil && t.cursor < margin:
		return &Request{Seek: Before, Place: *t.above}
	}
	return nil
}

// Set takes the answer to the latest request. Answers to older ones change
// nothing.
func (t *Table) Set(p Page) {
	if !t.asked || p.Seq != t.req.Seq {
		return
	}
	req := *t.req
	t.req, t.asked = nil, false
	t.countSearched(req, p)
	if p.Total >= 0 {
		t.total, t.least = p.Total, p.Least
	}
	switch req.Seek {
	case After:
		t.rows, t.below = append(t.rows, p.Rows...), p.Below
		t.dropHead()
	case Before:
		t.prepend(p)
	default:
		t.replace(req, p)
	}
	t.number()
	t.measure(p.Rows)
	d := t.owed
	t.owed = 0
	t.move(d)
}

// countSearched notes how far the search for rows has come.
func (t *Table) countSearched(req Request, p Page) {
	switch req.Seek {
	case Held:
		t.cut = t.cut || p.Cut
	case After, Before:
		t.cut = p.Cut
		t.searched += p.Searched
	default:
		t.cut = p.Cut
		t.searched = p.Searched
	}
}

// mostWide is how wide a cell can make its column.
const mostWide = 40

// measure takes the widths of new rows. They only grow, so that columns stay where
// they are while the list is scrolled.
func (t *Table) measure(rows []Row) {
	for _, r := range rows {
		for i, l := range r.Cells {
			if i == len(t.wide) {
				t.wide = append(t.wide, 0)
			}
			t.wide[i] = max(t.wide[i], min(l.width(mostWide), mostWide))
		}
	}
	t.lay()
}

// Fail takes the place of the answer that is awaited when reading failed. The
// text is shown in place of missing rows; Reload tries again.
func (t *Table) Fail(text string) {
	if t.asked {
		t.req, t.asked = nil, false
	}
	t.failed, t.owed = text, 0
}

// prepend puts rows in front without moving anything on the screen.
func (t *Table) prepend(p Page) {
	n := len(p.Rows)
	if len(t.rows) == 0 {
		t.cursor = -1 // on the last row
	}
	t.rows, t.above = slices.Concat(p.Rows, t.rows), p.Above
	t.cursor, t.top = max(0, t.cursor+n), t.top+n
	if t.index >= 0 {
		t.index = max(0, t.index-n)
	}
	if limit := t.limit(); len(t.rows) > limit && t.top+2*t.height() < limit {
		t.rows = t.rows[:limit]
		t.below = new(t.rows[limit-1].place())
	}
}

// dropHead lets go of rows far above the cursor.
func (t *Table) dropHead() {
	over := min(len(t.rows)-t.limit(), t.top-2*t.height())
	if over <= 0 {
		return
	}
	t.rows = slices.Clone(t.rows[over:])
	t.above = new(t.rows[0].place())
	t.cursor, t.top = t.cursor-over, t.top-over
	if t.index >= 0 {
		t.index += over
	}
}

func (t *Table) limit() int { return keepScreens * t.chunk() / 2 }

// replace puts new rows in the place of all rows. The cursor goes to the row
// that was wanted and stays on its line of the screen.
func (t *Table) replace(req Request, p Page) {
	line, before := t.cursor-t.top, t.index+t.cursor
	known := t.index >= 0
	t.rows, t.above, t.below = p.Rows, p.Above, p.Below
	t.index, t.about = p.Index, false
	switch req.Seek {
	case First:
		t.cursor, t.top = 0, 0
		return
	case Last:
		t.cursor = max(0, len(t.rows)-1)
		t.top = t.cursor
		return
	}
	t.cursor = max(0, p.rowFor(req.Key))
	t.top = max(0, t.cursor-line)
	if t.above == nil && line == 0 && t.cursor < t.height() {
		t.top = 0 // rows that came before the first are in view too
	}
	if known && p.Index < 0 {
		t.index, t.about = max(0, before-t.cursor), true
	}
}

// number works out how many rows stand before the ones held, where that is
// certain.
func (t *Table) number() {
	switch {
	case t.above == nil:
		t.index, t.about = 0, false
		if t.below == nil {
			t.total = len(t.rows)
		}
	case t.below == nil && t.total >= len(t.rows):
		t.index, t.about = t.total-len(t.rows), false
	}
}

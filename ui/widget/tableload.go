package widget

import "slices"

// maxScreens is how many screens of rows a table holds at most.
const maxScreens = 8

// rowsPerRequest returns how many rows the table requests at a time: two screens, so that
// one is ready when the other has scrolled out of view, and at least 20.
func (t *Table) rowsPerRequest() int { return max(20, 2*t.height()) }

// maxRows returns how many rows the table holds at most. A request brings two screens.
func (t *Table) maxRows() int { return maxScreens * t.rowsPerRequest() / 2 }

// ask makes req the next request, in place of any other.
func (t *Table) ask(req Request) {
	t.request = &req
	t.isAsked = false
}

// Restart drops all rows and marks, and requests the first rows, for example after
// the filter or the order has changed.
func (t *Table) Restart() {
	t.rows = nil
	t.above = nil
	t.below = nil
	t.cursor = 0
	t.top = 0
	t.owedSteps = 0
	t.index = -1
	t.total = -1
	t.totalIsLeast = false
	t.ClearMarks()
	t.ask(Request{Seek: First})
}

// Reload requests the rows around the cursor again, because the list may have changed.
// The old rows stay until the answer comes. A jump of the cursor that waits for its
// answer goes on.
func (t *Table) Reload() {
	isForMore := t.request != nil && (t.request.Seek == After || t.request.Seek == Before)
	if t.request != nil && !isForMore {
		t.isAsked = false // the request is made again, for the list as it is now
		return
	}

	// Ask for the rows around the cursor, or from the start.
	row, hasRow := t.Cursor()
	staysFirst := t.NewestFirst && t.above == nil && t.cursor == 0
	switch {
	case t.Sparse && (hasRow || !t.NewestFirst):
		t.reloadHeld(row.Key, staysFirst)
	case !hasRow || staysFirst:
		t.ask(Request{Seek: First})
	default:
		index := -1 // unknown
		if t.index >= 0 {
			index = t.index + t.cursor
		}
		t.ask(Request{Seek: Around, Place: row.place(), Key: row.Key, Index: index})
	}
}

// reloadHeld requests the rows that the table holds. The answer puts the cursor on the
// row of a key, or on the first row with staysFirst.
func (t *Table) reloadHeld(key string, staysFirst bool) {
	req := Request{
		Seek:  HeldRows,
		Key:   key,
		Index: t.cursor,
		Above: t.above,
		Below: t.below,
		Newer: t.NewestFirst && t.above == nil,
	}
	if staysFirst {
		req.Key = ""
	}

	// Only these places are read, so a filter need not search again.
	for _, row := range t.rows {
		req.Places = append(req.Places, row.place())
	}
	t.ask(req)
}

// Goto requests the rows around a place. The answer puts the cursor on the row of a key, or on
// the first row from that place on.
func (t *Table) Goto(place, key string) {
	t.owedSteps = 0
	t.ask(Request{Seek: Around, Place: place, Key: key, Index: -1})
}

// GotoNearby reloads the rows around the cursor. The answer puts the cursor on the row
// of a key if that row is among them.
func (t *Table) GotoNearby(key string) {
	t.Reload()
	if t.request.Seek == Around || t.request.Seek == HeldRows {
		t.request.Key = key
	}
}

// Want returns the request to answer now, if there is one. It returns each request
// once. Read the answer in a command, and give it to [Table.Set] or [Table.Fail].
func (t *Table) Want() (Request, bool) {
	waitsForReload := t.failure != "" && t.request == nil
	if t.isAsked || waitsForReload {
		return Request{}, false
	}
	if t.request == nil {
		t.request = t.requestForMore()
	}
	if t.request == nil {
		return Request{}, false
	}

	// Number the request, so that a late answer to an older one is recognised.
	t.lastSeq++
	t.request.Seq = t.lastSeq
	t.request.Count = t.rowsPerRequest()
	t.isAsked = true
	t.failure = ""
	return *t.request, true
}

// requestForMore returns a request for more rows if the list goes on and less than a
// screen of rows is left on that side of the cursor; nil otherwise.
func (t *Table) requestForMore() *Request {
	screen := t.height()
	isNearEnd := t.cursor+screen >= len(t.rows) || t.top+screen >= len(t.rows)
	switch {
	case t.below != nil && isNearEnd:
		return &Request{Seek: After, Place: *t.below}
	case t.above != nil && t.cursor < screen:
		return &Request{Seek: Before, Place: *t.above}
	}
	return nil
}

// Set shows the answer to the latest request. It ignores answers to older requests.
func (t *Table) Set(p Page) {
	if !t.isAsked || p.Seq != t.request.Seq {
		return
	}
	req := *t.request
	t.request = nil
	t.isAsked = false

	// Take over what the page says of the list.
	t.countSearched(req, p)
	if p.Total >= 0 {
		t.total = p.Total
		t.totalIsLeast = p.TotalIsLeast
	}
	switch req.Seek {
	case After:
		t.appendRows(p)
	case Before:
		t.prependRows(p)
	default:
		t.replaceRows(req, p)
	}

	// Then bring the cursor and the columns up to date.
	t.updateIndex()
	t.measureCells(p.Rows)

	owed := t.owedSteps
	t.owedSteps = 0
	t.move(owed)
}

// Fail ends the latest request because its answer could not be read. The table shows
// the text where rows are missing, and requests nothing until Reload.
func (t *Table) Fail(text string) {
	if t.isAsked {
		t.request = nil
		t.isAsked = false
	}
	t.failure = text
	t.owedSteps = 0
}

// countSearched adds up how many elements were searched for the rows, and notes
// whether the search was cut short.
func (t *Table) countSearched(req Request, p Page) {
	switch req.Seek {
	case HeldRows:
		t.wasCut = t.wasCut || p.WasCut
	case After, Before:
		t.wasCut = p.WasCut
		t.searched += p.Searched
	default:
		t.wasCut = p.WasCut
		t.searched = p.Searched
	}
}

// appendRows adds rows at the end, and drops rows far above those in view.
func (t *Table) appendRows(p Page) {
	t.rows = append(t.rows, p.Rows...)
	t.below = p.Below

	// Drop rows far above the view, so that the table does not grow.
	excess := len(t.rows) - t.maxRows()
	excess = min(excess, t.top-2*t.height())
	if excess <= 0 {
		return
	}
	t.rows = slices.Clone(t.rows[excess:])
	t.above = new(t.rows[0].place())
	t.cursor -= excess
	t.top -= excess
	if t.index >= 0 {
		t.index += excess
	}
}

// prependRows adds rows in front, and drops rows far below those in view. The rows in
// view stay where they are. If the table held no rows, the cursor goes to the last.
func (t *Table) prependRows(p Page) {
	added := len(p.Rows)
	if len(t.rows) == 0 {
		t.cursor = -1 // so that adding the new rows makes it the last of them
	}
	t.rows = slices.Concat(p.Rows, t.rows)
	t.above = p.Above
	t.cursor = max(0, t.cursor+added)
	t.top += added
	if t.index >= 0 {
		t.index = max(0, t.index-added)
	}

	// Drop rows far below the view.
	limit := t.maxRows()
	if len(t.rows) > limit && t.top+2*t.height() < limit {
		t.rows = t.rows[:limit]
		t.below = new(t.rows[limit-1].place())
	}
}

// replaceRows replaces all rows by those of a page. The cursor goes to the row that the
// request named, and stays on its line of the screen if possible.
func (t *Table) replaceRows(req Request, p Page) {
	lineOfCursor := t.cursor - t.top
	knewIndex := t.index >= 0
	oldPosition := t.index + t.cursor // of the cursor in the whole list
	t.rows = p.Rows
	t.above = p.Above
	t.below = p.Below
	t.index = p.Index
	t.indexIsOld = false

	// Put the cursor where the request wanted it.
	switch req.Seek {
	case First:
		t.cursor = 0
		t.top = 0
	case Last:
		t.cursor = max(0, len(t.rows)-1)
		t.top = t.cursor
	default:
		t.cursor = p.rowFor(req.Key)
		t.keepLine(lineOfCursor)
		if knewIndex && p.Index < 0 { // the cursor is about where it was in the list
			t.index = max(0, oldPosition-t.cursor)
			t.indexIsOld = true
		}
	}
}

// keepLine scrolls so that the cursor is on a line of the table, counted from 0. A cursor
// on the first line goes down if there are new rows above it, so that they come into view.
func (t *Table) keepLine(line int) {
	t.top = max(0, t.cursor-line)
	hasListStart := t.above == nil
	if hasListStart && line == 0 && t.cursor < t.height() {
		t.top = 0
	}
}

// updateIndex sets the index, which is the number of rows in the list before those that
// the table holds. It is known if the table holds the first row of the list, or the last
// one of a list whose total is known. If the table holds all rows, it sets the total.
func (t *Table) updateIndex() {
	switch {
	case t.above == nil:
		t.index = 0
		t.indexIsOld = false
		if t.below == nil {
			t.total = len(t.rows)
		}
	case t.below == nil && t.total >= len(t.rows):
		t.index = t.total - len(t.rows)
		t.indexIsOld = false
	}
}

// maxMeasuredWidth is how many cells of a text count for the width of its column. Longer
// texts are cut if the column has no more room. The address of a contract counts in full.
const maxMeasuredWidth = 66

// measureCells takes the widths of new rows into account. Columns never get narrower,
// so that they stay where they are while the list scrolls.
func (t *Table) measureCells(rows []Row) {
	for _, row := range rows {
		for i, cell := range row.Cells {
			if i == len(t.cellWidths) {
				t.cellWidths = append(t.cellWidths, 0)
			}
			width := min(cell.widthUpTo(maxMeasuredWidth), maxMeasuredWidth)
			t.cellWidths[i] = max(t.cellWidths[i], width)
		}
	}
	t.layOut()
}

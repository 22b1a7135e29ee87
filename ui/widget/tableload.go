package widget

import "slices"

// maxScreens is how many screens of rows a table holds at most.
const maxScreens = 8

// rowsPerRequest returns how many rows the table requests at a time: two screens, so that
// one is ready when the other has scrolled out of view, and at least 20.
func (t *Table) rowsPerRequest() int { return max(20, 2*t.height()) }

// maxRows returns how many rows the table holds at most.
func (t *Table) maxRows() int { return maxScreens * t.rowsPerRequest() / 2 }

// setRequest makes a request the next one, in place of any other. The answer to a request
// that was under way is then ignored.
func (t *Table) setRequest(request Request) {
	t.request = &request
	t.isUnderWay = false
}

// Restart drops the user's marks, and requests the rows around the cursor, because the list
// has another filter or order. The old rows stay until the answer comes. If the cursor is
// about to go to another row, Restart repeats the request for that row instead.
func (t *Table) Restart() {
	t.pendingSteps = 0
	t.rowsBefore = unknown
	t.total = unknown
	t.hasMoreThanTotal = false
	t.ClearMarks()
	if t.awaitsCursor() && t.request.Seek != SameRows {
		t.isUnderWay = false
		return
	}
	t.requestAroundCursor()
}

// requestAroundCursor requests the rows around the cursor. In a list that has lost all its
// rows, it requests those around the last row that had the cursor.
func (t *Table) requestAroundCursor() {
	row, hasRow := t.Cursor()
	switch {
	case !hasRow && t.lostRow == nil:
		t.setRequest(Request{Seek: First})
		return
	case !hasRow, t.holdsCursor:
		row = *t.lostRow
	}
	t.setRequest(Request{Seek: RowsAround, Place: row.place(), Keys: t.keysFrom(row), OwnerData: row.OwnerData})
}

// HoldCursor lets the cursor return to the row that has it now whenever that is listed again,
// until the user moves it or HoldCursor(false) is called. A filter can leave the row out while
// it is half typed.
func (t *Table) HoldCursor(holds bool) {
	row, hasRow := t.Cursor()
	t.holdsCursor = holds && hasRow
	if t.holdsCursor {
		t.lostRow = &row
	}
}

// keysFrom returns the key of the row that is to have the cursor, and those of the row that has
// it and the rows after it; see [Request.Keys].
func (t *Table) keysFrom(row Row) []string {
	keys := []string{row.Key}
	for _, behind := range t.rows[min(t.cursor, len(t.rows)):] {
		keys = append(keys, behind.Key)
	}
	return keys
}

// Reload requests the rows around the cursor again, because the list may have changed.
// The old rows stay until the answer comes. A request for another part of the list is repeated
// instead.
func (t *Table) Reload() {
	row, hasRow := t.Cursor()
	switch {
	case t.awaitsCursor():
		t.isUnderWay = false // the request is made again, for the list as it is now
		return
	case !t.HidesMostRows, !hasRow && t.NewestFirst:
		t.requestAroundCursor()
		return
	}

	// A filter would have to search long for other rows than those that the table holds.
	req := Request{
		Seek:       SameRows,
		Keys:       t.keysFrom(row),
		NextAbove:  t.nextAbove,
		NextBelow:  t.nextBelow,
		WantsNewer: t.NewestFirst && t.nextAbove == nil,
	}
	for _, row := range t.rows {
		req.Places = append(req.Places, row.place())
	}
	t.setRequest(req)
}

// Goto requests the rows around a [Row.Place]. The answer puts the cursor on the row of key, or
// else on the first row at or behind the place. An empty key is the first row.
func (t *Table) Goto(place, key string) {
	t.pendingSteps = 0
	t.setRequest(Request{Seek: RowsAround, Place: place, Keys: []string{key}})
	if key == "" {
		t.setRequest(Request{Seek: First})
	}
}

// NextRequest returns the request that the owner must answer now, if there is one, once. The
// owner reads the answer in a command, and gives it to [Table.Set], or its error to
// [Table.Fail].
func (t *Table) NextRequest() (Request, bool) {
	if t.isUnderWay {
		return Request{}, false
	}

	// After a failure the table requests nothing by itself, so as not to fail again and
	// again.
	if t.request == nil && t.failureText == "" {
		t.request = t.requestForMore()
	}
	if t.request == nil {
		return Request{}, false
	}

	// Number the request, so that a late answer to an older one is recognised.
	t.lastRequestNumber++
	t.request.Number = t.lastRequestNumber
	t.request.Count = t.rowsPerRequest()
	t.isUnderWay = true
	t.failureText = ""
	return *t.request, true
}

// requestForMore returns a request for more rows below or above those that the table holds. It
// returns nil while a screen of rows is held there, and at the ends of the list.
func (t *Table) requestForMore() *Request {
	screenHeight := t.height()
	isNearEnd := t.cursor+screenHeight >= len(t.rows) || t.top+screenHeight >= len(t.rows)
	switch {
	case t.nextBelow != nil && isNearEnd:
		return &Request{Seek: After, Place: *t.nextBelow}
	case t.nextAbove != nil && t.cursor < screenHeight:
		return &Request{Seek: Before, Place: *t.nextAbove}
	}
	return nil
}

// maxMeasuredWidth is the largest width, in cells, that a text can ask for its column. A
// longer text is cut unless there is room to spare. The address of a contract fits.
const maxMeasuredWidth = 66

// Set shows the answer to the latest request. It ignores answers to older requests.
func (t *Table) Set(page Page) {
	if !t.isUnderWay || page.RequestNumber != t.request.Number {
		return
	}
	req := *t.request
	t.request = nil
	t.isUnderWay = false

	// Reading the held rows again is no search.
	if req.Seek != SameRows {
		t.searchStoppedEarly = false
	}
	t.searchStoppedEarly = t.searchStoppedEarly || page.StoppedEarly

	// Add the rows, and take over the number of rows in the list if the page knows it.
	if page.Total >= 0 {
		t.total = page.Total
		t.hasMoreThanTotal = page.HasMoreThanTotal
	}
	switch req.Seek {
	case After:
		t.searchedCount += page.Searched
		t.appendRows(page)
	case Before:
		t.searchedCount += page.Searched
		t.prependRows(page)
	case SameRows:
		t.replaceRows(req, page)
	default:
		t.searchedCount = page.Searched
		t.replaceRows(req, page)
	}
	t.updateRowsBefore()

	// Columns never get narrower, so that they stay where they are while the list scrolls.
	for _, row := range page.Rows {
		for i, cell := range row.Cells {
			if i == len(t.cellWidths) {
				t.cellWidths = append(t.cellWidths, 0)
			}
			width := min(cell.widthUpTo(maxMeasuredWidth), maxMeasuredWidth)
			t.cellWidths[i] = max(t.cellWidths[i], width)
		}
	}
	t.layOut()

	// Make the steps of the cursor that waited for these rows.
	steps := t.pendingSteps
	t.pendingSteps = 0
	t.moveCursor(steps)
}

// Fail ends the latest request because its answer could not be read. The table shows the text,
// and requests nothing until Reload.
func (t *Table) Fail(text string) {
	if t.isUnderWay {
		t.request = nil
		t.isUnderWay = false
	}
	t.failureText = text
	t.pendingSteps = 0
}

// appendRows adds rows at the end, and drops rows far above those in view.
func (t *Table) appendRows(page Page) {
	t.rows = append(t.rows, page.Rows...)
	t.nextBelow = page.NextBelow

	// Drop the first rows so that the table does not grow, but keep two screens above the
	// view.
	excess := len(t.rows) - t.maxRows()
	farAboveView := t.top - 2*t.height()
	dropCount := min(excess, farAboveView)
	if dropCount <= 0 {
		return
	}
	t.rows = slices.Clone(t.rows[dropCount:]) // the dropped ones are freed
	t.nextAbove = new(t.rows[0].place())

	// The indexes count from the first row that the table holds.
	t.cursor -= dropCount
	t.top -= dropCount
	if t.rowsBefore >= 0 {
		t.rowsBefore += dropCount
	}
}

// prependRows adds rows in front, and drops rows far below those in view. The rows in
// view stay where they are. If the table held no rows, the cursor goes to the last.
func (t *Table) prependRows(page Page) {
	addedCount := len(page.Rows)
	if len(t.rows) == 0 {
		t.cursor = page.CursorIndex
	} else {
		t.cursor += addedCount
	}
	t.rows = slices.Concat(page.Rows, t.rows)
	t.nextAbove = page.NextAbove
	t.top += addedCount
	if t.rowsBefore >= 0 {
		t.rowsBefore = max(0, t.rowsBefore-addedCount)
	}

	// Drop the last rows, unless they are within a screen below the view.
	maxRows := t.maxRows()
	if len(t.rows) > maxRows && t.top+2*t.height() < maxRows {
		t.rows = t.rows[:maxRows]
		t.nextBelow = new(t.rows[maxRows-1].place())
	}
}

// replaceRows replaces all rows by those of a page. A cursor that does not go to an end of the
// list stays on the same line of the screen if possible.
func (t *Table) replaceRows(req Request, page Page) {
	if row, hasRow := t.Cursor(); hasRow && !t.holdsCursor {
		t.lostRow = &row
		t.lineOfCursor = t.cursor - t.top
	}
	knewRowsBefore := t.rowsBefore >= 0
	oldListIndex := t.rowsBefore + t.cursor // the cursor's index in the whole list
	t.rows = page.Rows
	t.nextAbove = page.NextAbove
	t.nextBelow = page.NextBelow
	t.rowsBefore = page.RowsBefore
	t.rowsBeforeIsOld = false
	t.cursor = page.CursorIndex
	switch req.Seek {
	case First, Last:
		t.top = t.cursor
	default:
		// At the start of the list a cursor on line 0 moves down, so that new rows above it come
		// into view.
		t.top = max(0, t.cursor-t.lineOfCursor)
		if t.nextAbove == nil && t.lineOfCursor == 0 && t.cursor < t.height() {
			t.top = 0
		}
		if knewRowsBefore && page.RowsBefore < 0 {
			// The list may have changed only a little, so the cursor is about where it was.
			t.rowsBefore = max(0, oldListIndex-t.cursor)
			t.rowsBeforeIsOld = true
		}
	}
}

// updateRowsBefore sets t.rowsBefore if the table holds the first row of the list, or the last
// row of a list whose total is known. If the table holds all rows, it also sets the total.
func (t *Table) updateRowsBefore() {
	switch {
	case t.nextAbove == nil:
		t.rowsBefore = 0
		t.rowsBeforeIsOld = false
		if t.nextBelow == nil {
			t.total = len(t.rows)
		}
	case t.nextBelow == nil && t.total >= len(t.rows):
		t.rowsBefore = t.total - len(t.rows)
		t.rowsBeforeIsOld = false
	}
}

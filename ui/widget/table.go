package widget

import (
	"cmp"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// Row is one line of a table.
type Row struct {
	// Key identifies the row. The cursor and the mark of the user follow the key when the
	// row moves in the list.
	Key string
	// Place is the key by which the list is sorted. A store can read on from there. Empty
	// means that the list is sorted by Key.
	Place     string
	Cells     []Line      // in the order of the columns; see [Cells]
	Role      themes.Role // the style of the whole row; Text leaves the styles to the cells
	OwnerData any         // what the owner of the table keeps with the row
	drawn     drawnRow
}

// drawnRow is how a row was drawn last, and what that depends on besides the cells of the row
// and the layout of the columns. When those change, [Table.InView] and [Table.layOut] drop it.
type drawnRow struct {
	theme  *themes.Theme
	role   themes.Role
	gutter string // the signs in front of the row
	text   string
}

// place returns the key by which the list is sorted: Place, or Key if Place is empty.
func (r Row) place() string { return cmp.Or(r.Place, r.Key) }

// Table shows a window of a list: it holds a few screens of rows around the cursor and asks
// its owner for more ([Table.NextRequest]). A list of a million rows takes as much memory as
// one of twenty. This file has keys, clicks and marks; tableload.go requests and takes rows,
// and tableview.go draws them in the columns of columns.go.
//
// The zero Table is not ready; use [NewTable].
type Table struct {
	Keys         ListKeys
	EmptyText    string          // the text that is shown if the list has no rows
	IsBlurred    bool            // another pane has the focus
	FlashingKeys map[string]bool // keys of rows that are highlighted for a moment
	SortTitle    string          // the title of the column by which the list is sorted; "" for none
	SortsDown    bool            // the highest value of that column comes first
	NewestFirst  bool            // new rows come first
	// HidesMostRows means that a filter leaves out most of the list. Reload then reads
	// only the rows that the table holds, because searching for others takes long.
	HidesMostRows bool

	columns       []Column
	box           Box
	clickedKey    string         // the key of the row that was clicked; see TakeClick
	hiddenTitles  []string       // titles of columns that the user hid
	columnLayouts []columnLayout // the columns shown in box
	cellWidths    []int          // the width of the widest cell of each column so far

	rows []Row // the part of the list that the table holds
	// nextAbove and nextBelow are the places from which the list goes on before and after
	// rows. Nil is an end of the list.
	nextAbove        *string
	nextBelow        *string
	rowsBefore       int  // number of rows in the list before rows[0]; negative if unknown
	rowsBeforeIsOld  bool // rows may have come or gone there since rowsBefore was set
	total            int  // number of rows in the list; negative if unknown
	hasMoreThanTotal bool // the list may have more rows than total
	cursor           int  // index into rows
	top              int  // index into rows of the first row in view
	pendingSteps     int  // steps of the cursor to make when more rows have come
	lostRow          *Row // the row under the cursor before all rows were replaced, or a filter was typed; nil at first
	lineOfCursor     int  // the line of that row, counted from the first row in view
	holdsCursor      bool // see HoldCursor

	lastRequestNumber  int      // the number of the latest request
	request            *Request // the request that is due or under way; nil if there is none
	isUnderWay         bool     // request is under way: NextRequest returned it, and no answer came
	failureText        string   // why the last request failed; empty if it did not
	searchStoppedEarly bool     // the last search stopped before it had found enough rows
	searchedCount      int      // how many elements of the list were read to find rows
	markedRows         []Row    // the rows that the user marked, as they were then, in the order of marking
}

// unknown is the value of a number of rows that was not read.
const unknown = -1

// NewTable makes an empty table that asks for its first rows.
func NewTable(columns ...Column) *Table {
	return &Table{
		Keys:       newListKeys(),
		EmptyText:  "nothing here",
		columns:    columns,
		total:      unknown,
		rowsBefore: unknown,
		request:    &Request{Seek: First},
	}
}

// SetColumns replaces the columns. If the cells of the rows don't match, reload the table.
func (t *Table) SetColumns(columns ...Column) {
	t.columns = columns
	t.layOut()
}

// Hidden returns the titles of the columns that the user hid.
func (t *Table) Hidden() []string { return t.hiddenTitles }

// HideColumns hides the columns of these titles and shows all others.
func (t *Table) HideColumns(titles []string) {
	t.hiddenTitles = titles
	t.layOut()
}

// Hideable returns the titles of the columns that can be hidden, which are all but the first.
func (t *Table) Hideable() (titles []string) {
	for _, column := range t.columns {
		if column.Title != "" && !slices.Contains(titles, column.Title) {
			titles = append(titles, column.Title)
		}
	}
	return titles[min(1, len(titles)):]
}

// layOut decides which columns are shown and how wide they are, and has all rows drawn anew.
// It must be called when the box, the columns or the widths of the cells have changed.
func (t *Table) layOut() {
	for i := range t.rows {
		t.rows[i].drawn = drawnRow{}
	}
	columns := slices.Clone(t.columns)
	for i, column := range columns {
		columns[i].Hide = column.Hide || slices.Contains(t.hiddenTitles, column.Title)
	}
	t.columnLayouts = layOutColumns(columns, t.box.W, t.cellWidths)
}

// Resize gives the table its box. It must be called before the first View.
func (t *Table) Resize(box Box) {
	t.box = box
	t.layOut()
	t.scrollToCursor()
}

// Cursor returns the row under the cursor, if the table holds rows.
func (t *Table) Cursor() (row Row, hasRow bool) {
	if t.cursor >= len(t.rows) {
		return Row{}, false
	}
	return t.rows[t.cursor], true
}

// InView returns the rows on the screen. Their cells may be changed before they are drawn.
func (t *Table) InView() []Row {
	first := min(t.top, len(t.rows))
	end := min(t.top+t.height(), len(t.rows))
	rows := t.rows[first:end]
	for i := range rows {
		rows[i].drawn = drawnRow{}
	}
	return rows
}

// RowsFromTop returns all rows that the table holds, from the first row on the screen on. Those
// above the screen come last.
func (t *Table) RowsFromTop() []Row {
	first := min(t.top, len(t.rows))
	return slices.Concat(t.rows[first:], t.rows[:first])
}

// Loading reports whether the table waits for an answer, or is about to ask.
func (t *Table) Loading() bool { return t.request != nil }

// IsSearching reports whether the table goes on searching for rows, because a filter keeps so
// few that the last page was not full.
func (t *Table) IsSearching() bool {
	return t.searchStoppedEarly && t.asksForMore()
}

// asksForMore reports whether rows beyond those that the table holds are requested.
func (t *Table) asksForMore() bool {
	return t.request != nil && (t.request.Seek == After || t.request.Seek == Before)
}

// Lines returns the height, in lines, at which all rows that the table holds are in view.
func (t *Table) Lines() int { return 1 + max(1, len(t.rows)) }

// Len returns the number of rows that the table holds, not of rows in the list.
func (t *Table) Len() int { return len(t.rows) }

// height returns the number of lines for rows.
func (t *Table) height() int { return max(1, t.box.H-1) }

// Update handles a key that moves the cursor or marks a row, and the wheel, but no click; see
// [Table.Click]. It reports whether the message was for the table. The owner calls
// [Table.NextRequest] afterwards.
func (t *Table) Update(msg tea.Msg) bool {
	steps := t.Keys.stepOf(msg, t.height())
	keyMsg, isKey := msg.(tea.KeyMsg)
	switch {
	case steps == -stepsToEnd:
		t.goToEnd(First, t.nextAbove, 0)
	case steps == stepsToEnd:
		t.goToEnd(Last, t.nextBelow, len(t.rows)-1)
	case steps != 0:
		t.moveCursor(steps)
	case isKey && key.Matches(keyMsg, t.Keys.Mark):
		if row, hasRow := t.Cursor(); hasRow {
			t.Mark(row, !t.IsMarked(row.Key))
			t.moveCursor(1) // so that the next press marks the next row
		}
	case isKey && key.Matches(keyMsg, t.Keys.MarkOn):
		step := 1
		if keyMsg.Type == tea.KeyShiftUp {
			step = -1
		}
		for _, step := range []int{step, 0} { // the row under the cursor, and the next one
			if row, hasRow := t.Cursor(); hasRow {
				t.Mark(row, true)
				t.moveCursor(step)
			}
		}
	default:
		return false
	}
	return true
}

// goToEnd moves the cursor to the First or Last row of the list. next is t.nextAbove or
// t.nextBelow, and endIndex the index of the first or last row that the table holds. If the list
// goes on behind that row, the cursor moves when the rows at its end have come.
func (t *Table) goToEnd(end Seek, next *string, endIndex int) {
	t.pendingSteps = 0
	if next != nil || len(t.rows) == 0 || t.awaitsCursor() {
		t.setRequest(Request{Seek: end})
		return
	}
	t.cursor = endIndex
	t.scrollToCursor()
}

// awaitsCursor reports whether the answer to the current request says which row gets the
// cursor.
func (t *Table) awaitsCursor() bool { return t.request != nil && !t.asksForMore() }

// moveCursor moves the cursor down by a number of steps, or up by a negative one. Steps beyond
// the rows that the table holds are made when more have come, so that no key is lost. If the
// answer to a request puts the cursor on another row, the steps begin there.
func (t *Table) moveCursor(steps int) {
	row, hasRow := t.Cursor()
	isJump := t.awaitsCursor() && (!hasRow || len(t.request.Keys) == 0 || t.request.Keys[0] != row.Key)
	switch {
	case isJump:
		t.pendingSteps += steps
		return
	case !hasRow:
		return
	}
	t.holdsCursor = t.holdsCursor && steps == 0

	// Move as far as the table has rows, and keep the remaining steps if the list goes
	// on.
	target := t.cursor + t.pendingSteps + steps
	t.cursor = clamp(target, 0, len(t.rows)-1)
	t.pendingSteps = 0
	if target < 0 && t.nextAbove != nil || target >= len(t.rows) && t.nextBelow != nil {
		t.pendingSteps = target - t.cursor
	}
	t.scrollToCursor()
	t.requestMovedCursor()
}

// requestMovedCursor makes the current request one for the rows around the cursor, if its
// answer would put the cursor on another row than the one to which the user has moved it.
func (t *Table) requestMovedCursor() {
	if !t.awaitsCursor() {
		return
	}
	row := t.rows[t.cursor]
	if t.request.Seek != SameRows {
		t.request.Seek = RowsAround
		t.request.Place = row.place()
		t.request.OwnerData = row.OwnerData
	}
	t.request.Keys = t.keysFrom(row)
	t.isUnderWay = false
}

// scrollToCursor brings the cursor into view and leaves no line empty.
func (t *Table) scrollToCursor() {
	t.top = firstInView(t.top, t.cursor, t.height(), len(t.rows))
}

// Click puts the cursor on the row at line y of the table's box, and reports whether
// there is one.
func (t *Table) Click(y int) bool {
	// Line 0 holds the titles.
	index := t.top + y - 1
	if y < 1 || y >= t.box.H || index >= len(t.rows) {
		return false
	}
	t.cursor = index
	t.clickedKey = t.rows[index].Key
	t.holdsCursor = false
	t.pendingSteps = 0
	t.requestMovedCursor()
	return true
}

// TakeClick returns the key of the row that was clicked since the last TakeClick, or "".
func (t *Table) TakeClick() (key string) {
	key, t.clickedKey = t.clickedKey, ""
	return key
}

// TitleAt returns the title of the column at a cell of a line of the table, or "" between the
// columns and beside them.
func (t *Table) TitleAt(cell int) string {
	start := gutterWidth
	for _, layout := range t.columnLayouts {
		if cell >= start && cell < start+layout.width {
			return t.columns[layout.index].Title
		}
		start += layout.width + gapWidth
	}
	return ""
}

// Mark marks a row as selected by the user, or unmarks it if isMarked is false. Marks stay on
// rows that scroll out of view.
func (t *Table) Mark(row Row, isMarked bool) {
	switch {
	case !isMarked:
		t.markedRows = slices.DeleteFunc(t.markedRows, func(marked Row) bool { return marked.Key == row.Key })
	case !t.IsMarked(row.Key):
		t.markedRows = append(t.markedRows, row)
	}
}

// MarkedRows returns the marked rows, as they were when they were marked, in the order of
// marking.
func (t *Table) MarkedRows() []Row { return t.markedRows }

// MarkedKeys returns the keys of the marked rows in the order of marking.
func (t *Table) MarkedKeys() (keys []string) {
	for _, row := range t.markedRows {
		keys = append(keys, row.Key)
	}
	return keys
}

// IsMarked reports whether the user has marked the row of a key.
func (t *Table) IsMarked(key string) bool {
	return slices.ContainsFunc(t.markedRows, func(marked Row) bool { return marked.Key == key })
}

// ClearMarks unmarks all rows.
func (t *Table) ClearMarks() { t.markedRows = nil }

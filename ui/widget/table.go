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
	// Key is what the row is about. The cursor and the marks follow it.
	Key string
	// Place is where the row stands in the order that is shown: what a store
	// seeks to. Empty means that rows are ordered by Key.
	Place string
	Cells []Line
	// Role, when it is not Text, draws the whole row in one style, as for a grant
	// that has expired.
	Role themes.Role
	// About is what the owner of the table keeps with the row, to tell more of it
	// than the cells do. The table never looks at it.
	About any
}

func (r Row) place() string { return cmp.Or(r.Place, r.Key) }

// Table shows a window of a list and pages it lazily: it holds a few screens of
// rows around the cursor and asks its owner for more ([Table.Want]). A million
// rows cost what twenty cost.
//
// The zero Table is not ready; use [NewTable].
type Table struct {
	Keys  ListKeys
	Empty string          // what to say when the list has no rows
	Blur  bool            // another pane has the focus
	Flash map[string]bool // the keys of rows that stand out for a moment
	Grows bool            // new rows come first: a cursor on the first row stays on the first
	// Sparse means that a filter leaves out most of a list. Reload then reads the rows
	// that are held, and those of [Table.Place], and does not search the list anew.
	Sparse bool

	cols   []Column
	box    Box
	hidden []string // titles of columns that the person hid
	layout []cell   // widths of the columns shown in box
	wide   []int    // of the cells of each column, as far as rows came

	rows  []Row
	index int // number of rows before rows[0], negative when unknown
	about bool
	total int  // negative when unknown
	least bool // there may be more than total
	// above and below are the places from which the list goes on before and after
	// rows; nil where it does not go on.
	above, below *string
	cursor       int // in rows
	top          int // first visible row, in rows
	owed         int // steps of the cursor that wait for rows

	seq      int
	req      *Request // what is wanted; nil while nothing is
	asked    bool     // it was given out, and is not answered yet
	failed   string
	cut      bool // the last page came short because its search was
	searched int  // elements of the list that were looked at since it was shown anew

	marked []string // keys, in the order of selection
}

// NewTable makes an empty table that wants its first rows.
func NewTable(cols ...Column) *Table {
	return &Table{
		Keys: newListKeys(), Empty: "nothing here", cols: cols, total: -1, index: -1,
		req: &Request{Seek: First},
	}
}

// SetColumns replaces the columns, as when the sort changes. Rows that are shown
// must have cells in the new order: reload after it.
func (t *Table) SetColumns(cols ...Column) {
	t.cols = cols
	t.lay()
}

// Hidden are the titles of the columns that a person hid.
func (t *Table) Hidden() []string { return t.hidden }

// HideColumns hides the columns of these titles and shows all others.
func (t *Table) HideColumns(titles []string) {
	t.hidden = titles
	t.lay()
}

// Hideable are the titles of the columns that can be hidden: all but the first
// that has one.
func (t *Table) Hideable() (titles []string) {
	for _, c := range t.cols {
		if c.Title != "" && !slices.Contains(titles, c.Title) {
			titles = append(titles, c.Title)
		}
	}
	return titles[min(1, len(titles)):]
}

// lay shares the width of the box out to the columns that are not hidden.
func (t *Table) lay() {
	cols := slices.Clone(t.cols)
	for i := range cols {
		cols[i].Hide = cols[i].Hide || slices.Contains(t.hidden, cols[i].Title)
	}
	t.layout = layout(cols, t.box.W, t.wide)
}

// Resize gives the table its box. It must be called before the first View.
func (t *Table) Resize(b Box) {
	t.box = b
	t.lay()
	t.show()
}

// Restart forgets all rows and starts at the first: for another filter or order.
// Marks are forgotten too.
func (t *Table) Restart() {
	t.rows, t.above, t.below = nil, nil, nil
	t.cursor, t.top, t.owed = 0, 0, 0
	t.total, t.least, t.index = -1, false, -1
	t.ClearMarks()
	t.jump(Request{Seek: First})
}

// Reload asks for the rows around the cursor again, because the list may have
// changed. What is shown stays until the answer comes. A jump that is under way
// goes on.
func (t *Table) Reload() {
	if t.req != nil && t.req.Seek != After && t.req.Seek != Before {
		t.asked = false
		return
	}
	r, ok := t.Cursor()
	atFirst := !ok || t.Grows && t.above == nil && t.cursor == 0
	if t.Sparse && (ok || !t.Grows) {
		t.reloadHeld(r.Key, atFirst)
		return
	}
	if atFirst {
		t.jump(Request{Seek: First})
		return
	}
	at := -1
	if t.index >= 0 {
		at = t.index + t.cursor
	}
	t.jump(Request{Seek: Around, Place: r.place(), Key: r.Key, Index: at})
}

// reloadHeld asks for the rows that are held again, and puts the cursor on the row of
// a key, or on the first row.
func (t *Table) reloadHeld(key string, first bool) {
	req := Request{Seek: Held, Key: key, Index: t.cursor, Above: t.above, Below: t.below}
	for _, r := range t.rows {
		req.Places = append(req.Places, r.place())
	}
	if t.Grows && t.above == nil {
		req.Newer = true
	}
	if first {
		req.Key = ""
	}
	t.jump(req)
}

// Goto asks for the rows around a place and puts the cursor on the row there,
// or on the one after it.
func (t *Table) Goto(place, key string) {
	t.owed = 0
	t.jump(Request{Seek: Around, Place: place, Key: key, Index: -1})
}

// GotoNearby reloads the rows around the cursor and puts it on the row of a key, if
// that is among them.
func (t *Table) GotoNearby(key string) {
	t.Reload()
	if t.req.Seek == Around || t.req.Seek == Held {
		t.req.Key = key
	}
}

func (t *Table) jump(r Request) { t.req, t.asked = &r, false }

// Cursor gives the row under the cursor.
func (t *Table) Cursor() (Row, bool) {
	if t.cursor >= len(t.rows) {
		return Row{}, false
	}
	return t.rows[t.cursor], true
}

// InView gives the rows that are on the screen, to be read and to have their cells
// changed.
func (t *Table) InView() []Row {
	return t.rows[min(t.top, len(t.rows)):min(t.top+t.height(), len(t.rows))]
}

// Loading says that an answer is awaited.
func (t *Table) Loading() bool { return t.req != nil }

// Searching reports whether the table still looks for rows that a filter keeps, after
// a page that came short. Nobody needs to wait for it.
func (t *Table) Searching() bool {
	return t.cut && t.req != nil && (t.req.Seek == After || t.req.Seek == Before)
}

// Lines is how high the table is with all rows that it holds, at least one.
func (t *Table) Lines() int { return 1 + max(1, len(t.rows)) }

// Len is the number of rows held, not of rows in the list.
func (t *Table) Len() int { return len(t.rows) }

// Update moves the cursor or marks a row, and says whether the message was for
// the table. The mouse wheel moves too; where a click lands is the owner's to
// know ([Table.Click]). Ask for [Table.Want] after it.
func (t *Table) Update(msg tea.Msg) bool {
	d, ok := t.Keys.step(msg, t.height())
	k, pressed := msg.(tea.KeyMsg)
	switch {
	case ok:
		t.move(d)
	case !pressed:
		return false
	case key.Matches(k, t.Keys.Top):
		t.toEnd(t.above == nil, 0, First)
	case key.Matches(k, t.Keys.Bottom):
		t.toEnd(t.below == nil, len(t.rows)-1, Last)
	case key.Matches(k, t.Keys.Mark):
		if r, ok := t.Cursor(); ok {
			t.Mark(r.Key, !t.IsMarked(r.Key))
			t.move(1)
		}
	default:
		return false
	}
	return true
}

// toEnd goes to the first or last row of the list, at once when it is held.
func (t *Table) toEnd(held bool, row int, seek Seek) {
	t.owed = 0
	if held && len(t.rows) > 0 && !t.leaving() {
		t.cursor = row
		t.show()
		return
	}
	t.jump(Request{Seek: seek})
}

// leaving says that the cursor is about to jump elsewhere.
func (t *Table) leaving() bool {
	return t.req != nil && (t.req.Seek == First || t.req.Seek == Last)
}

// move steps the cursor. Steps beyond the rows held are owed: they are made when
// the rows have come, so that no key is lost however fast it repeats.
func (t *Table) move(d int) {
	if t.leaving() {
		t.owed += d
		return
	}
	if len(t.rows) == 0 {
		return
	}
	to := t.cursor + t.owed + d
	t.cursor = clamp(to, 0, len(t.rows)-1)
	t.owed = 0
	if to < 0 && t.above != nil || to >= len(t.rows) && t.below != nil {
		t.owed = to - t.cursor
	}
	t.show()
}

// show scrolls so that the cursor is in view and no line is wasted.
func (t *Table) show() {
	t.top = window(t.top, t.cursor, t.height(), len(t.rows))
}

// height is the number of lines for rows.
func (t *Table) height() int { return max(1, t.box.H-1) }

// Click puts the cursor on the row at line y of the table's box and says
// whether there is one.
func (t *Table) Click(y int) bool {
	row := t.top + y - 1
	if y < 1 || y >= t.box.H || row >= len(t.rows) {
		return false
	}
	t.cursor, t.owed = row, 0
	return true
}

// ColumnAt gives the column at cell x of the table's box, -1 where there is none.
func (t *Table) ColumnAt(x int) int {
	for at, i := gutter, 0; i < len(t.layout); i++ {
		if s := t.layout[i]; x >= at && x < at+s.w {
			return s.col
		}
		at += t.layout[i].w + gap
	}
	return -1
}

// Mark selects a row by its key, or takes it out of the selection. Marks stay
// when their rows are out of view.
func (t *Table) Mark(key string, on bool) {
	switch {
	case !on:
		t.marked = slices.DeleteFunc(t.marked, func(k string) bool { return k == key })
	case !t.IsMarked(key):
		t.marked = append(t.marked, key)
	}
}

// Marked gives the keys of the selected rows in the order of selection.
func (t *Table) Marked() []string { return slices.Clone(t.marked) }

// IsMarked says whether a row is selected.
func (t *Table) IsMarked(key string) bool { return slices.Contains(t.marked, key) }

// ClearMarks selects nothing.
func (t *Table) ClearMarks() { t.marked = nil }

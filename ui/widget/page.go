package widget

import "slices"

// A Table never requests a row by its number, because a store would have to read the whole
// list to count rows, while it finds a key quickly. So the table requests the rows before or
// after a place that it knows, and its owner reads them in a command:
//
//	if req, ok := t.NextRequest(); ok {
//		cmd = func() tea.Msg {
//			page, err := widget.Load(req, walk) // walk seeks in the store
//			return pageMsg{page, err}
//		}
//	}
//	…
//	case pageMsg: t.Set(msg.page)
//
// A filter leaves out elements of the list. If it leaves out many, a page holds fewer
// rows than requested, and the table requests the rows behind it until its window is
// full.

// Seek says where in the list the rows of a [Request] are.
type Seek int

// The rows that a request can ask for.
const (
	First      Seek = iota // the first rows of the list
	Last                   // the last rows
	After                  // rows after Place, without the row at Place
	Before                 // rows before Place, without the row at Place
	RowsAround             // rows on both sides of Place, with the row at Place
	SameRows               // the rows at Places again, because they may have changed
)

// Request describes the rows that a table needs next.
type Request struct {
	Number int // the number of the request, which its answer carries too
	Seek   Seek
	Place  string // with After, Before and RowsAround, a place in the list; see [Row.Place]
	// Keys, with RowsAround and SameRows, are the keys of the rows that can get the cursor:
	// the row that has it, and those after it. The first of them that is still in the list
	// gets it.
	Keys      []string
	OwnerData any // with RowsAround, that of the row of the first key if the table knows it
	Count     int // the number of rows; with RowsAround, the number on each side

	// The following are of SameRows. NextAbove and NextBelow are the places from which the
	// list goes on before and after Places. Nil is an end of the list.
	Places     []string // the places of all rows that the table holds, in the order of the list
	NextAbove  *string
	NextBelow  *string
	WantsNewer bool // also the rows before Places, new ones where the newest come first
}

// Page is the answer to a [Request].
type Page struct {
	RequestNumber int   // the number of the request
	Rows          []Row // in the order of the list

	// The places from which the list goes on before and after Rows. Nil is an end of the list.
	NextAbove *string
	NextBelow *string

	CursorIndex      int  // the index of the row that gets the cursor; 0 without rows
	RowsBefore       int  // the number of rows in the list before Rows; negative is unknown
	Total            int  // the number of rows in the list; negative is unknown
	HasMoreThanTotal bool // the list has more rows than Total
	Searched         int  // the number of elements of the list that were read
	StoppedEarly     bool // the search stopped at maxElementsSearched, before the end of the list
}

// HoldsWholeList reports whether the page holds all rows of the list.
func (p Page) HoldsWholeList() bool { return p.NextAbove == nil && p.NextBelow == nil }

// ListPart is a part of a list: the elements after From, or the whole list if From is nil.
type ListPart struct {
	From      *string
	Inclusive bool // the element at From belongs to the part
	Backward  bool // the part goes from From towards the start of the list
}

// A Walk calls yield for each element of a part of a list, in the order of the part.
type Walk func(part ListPart, yield YieldRow) error

// YieldRow gets the place of an element and its row, which is nil if a filter leaves the
// element out. It returns false to end the walk.
type YieldRow = func(place string, row *Row) bool

// maxElementsSearched is how many elements of a list are read at most for one page in one
// direction, so that the user never waits long for an answer to a key.
const maxElementsSearched = 2000

// Load answers a request with rows that walk reads from the list. It reads one row more
// than it returns, to find out whether the list goes on. Total and RowsBefore stay unknown.
func Load(req Request, walk Walk) (Page, error) {
	page := Page{RequestNumber: req.Number, RowsBefore: unknown, Total: unknown}
	var err error
	switch req.Seek {
	case First, After:
		part := ListPart{}
		if req.Seek == After {
			part.From = &req.Place
		}
		page.Rows, page.NextBelow, err = page.readPart(walk, part, req.Count, maxElementsSearched)
	case Last:
		err = page.readBefore(nil, req, walk)
	case Before:
		err = page.readBefore(&req.Place, req, walk)
	case RowsAround:
		err = page.readRowsAround(req, walk)
	case SameRows:
		err = page.readHeldRows(req, walk)
	}
	return page, err
}

// Locate makes a request for the rows around the cursor one for the place that the row of
// the cursor has in the list as it is now, or else the first of the other keys that placeOf
// finds. If it finds none, the place of the request stays, and isLocated is false.
func (r *Request) Locate(
	placeOf func(key string) (place string, isListed bool, err error),
) (isLocated bool, err error) {
	for i, key := range r.Keys {
		place, isListed, err := placeOf(key)
		if err != nil {
			return false, err
		}
		if isListed {
			r.Place = place
			r.Keys = r.Keys[i:]
			return true, nil
		}
	}
	return false, nil
}

// readBefore reads the requested rows before a place, or the last rows if place is nil.
func (p *Page) readBefore(place *string, req Request, walk Walk) (err error) {
	part := ListPart{From: place, Backward: true}
	p.Rows, p.NextAbove, err = p.readPart(walk, part, req.Count, maxElementsSearched)
	p.CursorIndex = max(0, len(p.Rows)-1)
	return err
}

// LoadAll reads all rows of a list, at most maxRows of them, from at most maxElements elements,
// with those that a filter leaves out. isComplete is false if it stopped before the end.
func LoadAll(walk Walk, maxRows, maxElements int) (rows []Row, isComplete bool, err error) {
	var page Page
	rows, next, err := page.readPart(walk, ListPart{}, maxRows, maxElements)
	return rows, next == nil, err
}

// readPart returns up to maxRows rows of a part of a list, in the order of the list. It
// reads at most maxElements elements, and notes their number, and whether it stopped there.
// next is the place from which the list goes on. It is nil if the part has no more elements.
func (p *Page) readPart(
	walk Walk,
	part ListPart,
	maxRows, maxElements int,
) (rows []Row, next *string, err error) {
	var lastPlace string
	searchedCount := 0
	err = walk(part, func(place string, row *Row) (continues bool) {
		// An element that is not taken any more shows that the list goes on.
		if row != nil && len(rows) == maxRows || searchedCount == maxElements {
			next = &lastPlace
			return false
		}
		searchedCount++
		lastPlace = place
		if row != nil {
			row.Place = place
			rows = append(rows, *row)
		}
		return true
	})
	if err != nil {
		return nil, nil, err
	}

	p.Searched += searchedCount
	p.StoppedEarly = p.StoppedEarly || next != nil && searchedCount == maxElements
	if part.Backward {
		slices.Reverse(rows)
	}
	return rows, next, nil
}

// readRowsAround reads the rows on both sides of the requested place. The row of the first
// requested key gets the cursor, or else the row at the place, or the first one behind it, or
// the last one.
func (p *Page) readRowsAround(req Request, walk Walk) (err error) {
	part := ListPart{From: &req.Place, Backward: true}
	before, nextAbove, err := p.readPart(walk, part, req.Count, maxElementsSearched/2)
	if err != nil {
		return err
	}
	part = ListPart{From: &req.Place, Inclusive: true}
	after, nextBelow, err := p.readPart(walk, part, req.Count, maxElementsSearched-p.Searched)
	if err != nil {
		return err
	}

	// The row at the place is the first of those after.
	p.Rows = slices.Concat(before, after)
	p.NextAbove, p.NextBelow = nextAbove, nextBelow
	p.CursorIndex = len(before)
	p.putCursor(req.Keys[:min(1, len(req.Keys))])
	return nil
}

// readHeldRows reads again the rows that the table holds: those at the requested places,
// without those that are gone. If requested, it also reads the rows before them.
func (p *Page) readHeldRows(req Request, walk Walk) error {
	p.NextAbove = req.NextAbove
	p.NextBelow = req.NextBelow
	if req.WantsNewer {
		if err := p.readBefore(&req.Places[0], req, walk); err != nil {
			return err
		}
	}

	// Read each held row again. If it is gone, the walk begins with the next element,
	// whose place is another.
	for _, heldPlace := range req.Places {
		part := ListPart{From: &heldPlace, Inclusive: true}
		err := walk(part, func(place string, row *Row) (continues bool) {
			if place == heldPlace && row != nil {
				row.Place = place
				p.Rows = append(p.Rows, *row)
			}
			return false // one element is enough
		})
		if err != nil {
			return err
		}
	}
	p.CursorIndex = len(p.Rows)
	p.putCursor(req.Keys)
	return nil
}

// Cursor returns the key of the row that gets the cursor when the table shows the page as
// the answer to req. currentKey is the key under the cursor now, if hasCursor. hasRow is false
// if the table will have no row.
func (p Page) Cursor(req Request, currentKey string, hasCursor bool) (key string, hasRow bool) {
	switch {
	case hasCursor && (req.Seek == After || req.Seek == Before): // they add to the held rows
		return currentKey, true
	case len(p.Rows) == 0:
		return "", false
	}
	return p.Rows[p.CursorIndex].Key, true
}

// putCursor gives the cursor to the row of the first of keys that the page has. If it has
// none, the cursor goes to the row at CursorIndex, or to the last one before it.
func (p *Page) putCursor(keys []string) {
	indexes := make(map[string]int, len(p.Rows))
	for i, row := range p.Rows {
		indexes[row.Key] = i
	}
	for _, key := range keys {
		if index, isRead := indexes[key]; isRead {
			p.CursorIndex = index
			return
		}
	}
	p.CursorIndex = clamp(p.CursorIndex, 0, max(0, len(p.Rows)-1))
}

// WholePage answers any request with all rows of a short list. Their order does not
// matter. If no row of the request's keys is left, the last row gets the cursor.
func WholePage(req Request, rows []Row) Page {
	page := Page{RequestNumber: req.Number, Rows: rows, Total: len(rows)}
	if req.Seek != First {
		page.CursorIndex = len(rows)
	}
	page.putCursor(req.Keys)
	return page
}

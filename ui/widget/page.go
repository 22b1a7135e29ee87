package widget

import "slices"

// A Table holds a window of a list that may be endless. It never requests a row by
// its number: a store finds a place in an order by seeking, but has to scan a list to
// count rows. So the table requests the rows next to a place that it knows, and its
// owner reads them in a command:
//
//	if req, ok := t.Want(); ok {
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
	First    Seek = iota // the first rows of the list
	Last                 // the last rows
	After                // rows after Place, without it
	Before               // rows before Place, without it
	Around               // rows on both sides of Place, with it
	HeldRows             // the rows at Places again
)

// Request describes the rows that a table needs next.
type Request struct {
	Seq   int // the number of the request, which its answer carries too
	Seek  Seek
	Place string // a place in the order of the list; see [Row.Place]
	Key   string // with Around and HeldRows, the row for the cursor
	Index int    // with Around, the number of rows before that row; negative is unknown
	Count int    // the number of rows; with Around, the number on each side

	// Places, with HeldRows, are the places of the rows that the table holds, in the
	// order of the list. Above and Below are the ends of the window, as in a [Page].
	Places       []string
	Above, Below *string
	// Newer, with HeldRows, requests the rows before the first of Places too.
	Newer bool
}

// Page is the answer to a [Request].
type Page struct {
	Seq  int
	Rows []Row // in the order of the list
	// Above and Below are the places from which the list goes on before and after
	// Rows; nil where it does not go on.
	Above, Below *string
	CursorIndex  int  // with Around and HeldRows, the row for the cursor if that of Key is gone
	Index        int  // the number of rows in the list before Rows; negative is unknown
	Total        int  // the number of rows in the list; negative is unknown
	TotalIsLeast bool // the list has more than Total rows, which are not counted
	Searched     int  // the number of elements of the list that were read
	WasCut       bool // the search ended at its budget, before it had enough rows
}

// HoldsList reports whether the page holds all rows of the list.
func (p Page) HoldsList() bool { return p.Above == nil && p.Below == nil }

// Scan is a part of a list: the elements after From, or the whole list if From is nil.
type Scan struct {
	From      *string
	Inclusive bool // the element at From belongs to the part
	Backward  bool // the part goes from From towards the start of the list
}

// A Walk calls yield for each element of a part of a list, in the order of the part,
// with the element's place. row is nil for an element that a filter leaves out. The
// walk ends when yield returns false.
type Walk func(part Scan, yield func(place string, row *Row) bool) error

// searchBudget bounds the elements of a list that are read for one page in one
// direction, so that no key has to wait long.
const searchBudget = 2000

// Load answers a request. It reads one row more than it returns, to find out whether
// the list goes on. It leaves Total unknown, and Index unless the request is for the
// first rows. It fails if the walk fails.
func Load(req Request, walk Walk) (Page, error) {
	p := Page{Seq: req.Seq, Index: -1, Total: -1}
	from := &req.Place
	if req.Seek == First || req.Seek == Last {
		from = nil
	}
	var err error
	switch req.Seek {
	case First, After:
		p.Rows, p.Below, err = p.readPart(walk, Scan{From: from}, req.Count, searchBudget)
	case Last, Before:
		p.Rows, p.Above, err = p.readPart(walk, Scan{From: from, Backward: true}, req.Count, searchBudget)
	case Around:
		err = p.readAround(req, walk)
	case HeldRows:
		err = p.readHeld(req, walk)
	}
	if req.Seek == First {
		p.Index = 0
	}
	return p, err
}

// LoadAll reads all rows of a list. complete is false if it stopped before the end, because
// the list has more than maxRows rows or more than maxElements elements, those that the
// filter leaves out included.
func LoadAll(walk Walk, maxRows, maxElements int) (rows []Row, complete bool, err error) {
	var p Page
	rows, next, err := p.readPart(walk, Scan{}, maxRows, maxElements)
	return rows, next == nil, err
}

// readPart returns up to limit rows of a part, in the order of the list, and the place
// from which the list goes on, or nil at its end. It reads at most budget elements, and
// counts them in p.
func (p *Page) readPart(walk Walk, part Scan, limit, budget int) (rows []Row, next *string, err error) {
	var last string
	searched := 0
	err = walk(part, func(place string, row *Row) bool {
		// One row more than wanted shows that the list goes on.
		hasEnough := row != nil && len(rows) == limit
		if hasEnough || searched == budget {
			next = &last
			return false
		}
		searched++
		last = place
		if row != nil {
			row.Place = place
			rows = append(rows, *row)
		}
		return true
	})
	p.Searched += searched
	if next != nil && searched == budget {
		p.WasCut = true
	}
	if part.Backward {
		slices.Reverse(rows)
	}
	return rows, next, err
}

// readAround reads the rows on both sides of the requested place. The row at that place,
// or the first one behind it, gets the cursor.
func (p *Page) readAround(req Request, walk Walk) error {
	before, above, err := p.readPart(walk, Scan{From: &req.Place, Backward: true}, req.Count, searchBudget)
	if err != nil {
		return err
	}
	after, below, err := p.readPart(walk, Scan{From: &req.Place, Inclusive: true}, req.Count, searchBudget)
	if err != nil {
		return err
	}

	// The row at the place is the first of those after.
	p.Rows = append(before, after...)
	p.CursorIndex = len(before)
	p.Above = above
	p.Below = below
	return nil
}

// readHeld reads the rows at the requested places again, without those that are gone,
// and if requested the rows before them.
func (p *Page) readHeld(req Request, walk Walk) (err error) {
	p.Above = req.Above
	p.Below = req.Below
	p.CursorIndex = req.Index
	if req.Newer {
		p.Rows, p.Above, err = p.readPart(walk, Scan{From: &req.Places[0], Backward: true}, req.Count, searchBudget)
		if err != nil {
			return err
		}
	}

	// Read each held row again, unless it is gone.
	for _, heldPlace := range req.Places {
		err := walk(Scan{From: &heldPlace, Inclusive: true}, func(place string, row *Row) bool {
			if place == heldPlace && row != nil {
				row.Place = place
				p.Rows = append(p.Rows, *row)
			}
			return false
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// LoadKeys answers a request of a list of n elements that are ordered by a known list of
// keys. find returns the index of a key, or the index that an absent key would have.
// read returns the key at an index and its row, which is nil if a filter leaves it out. If
// read fails, so does LoadKeys.
func LoadKeys(req Request, n int, find func(key string) (index int, isPresent bool), read func(index int) (key string, row *Row, err error)) (Page, error) {
	return Load(req, func(part Scan, yield func(string, *Row) bool) error {
		step := 1
		if part.Backward {
			step = -1
		}
		for i := firstIndex(part, n, find); i >= 0 && i < n; i += step {
			key, row, err := read(i)
			if err != nil || !yield(key, row) {
				return err
			}
		}
		return nil
	})
}

// firstIndex returns the index at which a part of a list with n rows begins. It is
// outside the list for an empty part.
func firstIndex(part Scan, n int, find func(key string) (index int, isPresent bool)) int {
	switch {
	case part.From == nil && part.Backward:
		return n - 1
	case part.From == nil:
		return 0
	}

	// The place can be that of a key that is gone.
	i, isPresent := find(*part.From)
	isExcluded := isPresent && !part.Inclusive
	switch {
	case part.Backward && (isExcluded || !isPresent):
		return i - 1
	case isExcluded:
		return i + 1
	}
	return i
}

// Cursor returns the key of the row that the cursor will be on once the table shows
// the page. before is the key under the cursor now, if hasCursor. ok is false if there
// will be no row.
func (p Page) Cursor(req Request, before string, hasCursor bool) (key string, ok bool) {
	isMore := req.Seek == After || req.Seek == Before
	switch {
	case isMore && hasCursor:
		return before, true
	case len(p.Rows) == 0:
		return "", false
	}

	// The cursor goes to an end of the new rows, or stays on its row.
	switch req.Seek {
	case Before, Last:
		return p.Rows[len(p.Rows)-1].Key, true
	case Around, HeldRows:
		return p.Rows[p.rowFor(req.Key)].Key, true
	}
	return p.Rows[0].Key, true
}

// rowFor returns the index of the row of a key. If the row is gone, it returns the
// index nearest to [Page.CursorIndex], which is 0 for a page without rows.
func (p Page) rowFor(key string) int {
	hasKey := func(r Row) bool { return r.Key == key }
	if i := slices.IndexFunc(p.Rows, hasKey); i >= 0 {
		return i
	}
	return clamp(p.CursorIndex, 0, max(0, len(p.Rows)-1))
}

// WholePage answers any request with all rows of a short list, in any order.
func WholePage(req Request, rows []Row) Page {
	return Page{Seq: req.Seq, Rows: rows, CursorIndex: req.Index, Total: len(rows)}
}

package widget

import "slices"

// A Table holds a window of a list that may be endless. It never asks for a row
// by its number: a store finds a place in an order by seeking, and a count of
// what stands before would be a scan. So the table asks to read on from a place
// that it knows, and its owner answers from a command:
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
// A filter leaves elements of the list out. Where it leaves out many, a page comes
// back short, and the table asks to go on behind it until its window is full.

// Seek says where a [Request] wants rows from.
type Seek int

const (
	First    Seek = iota // the first rows of the list
	Last                 // the last rows
	After                // rows after Place, without it
	Before               // rows before Place, without it
	Around               // rows on both sides of Place, with it
	HeldRows             // the rows at Places again
)

// Request is what a table wants to know next.
type Request struct {
	Seq   int    // the answer carries it back; answers to older requests are dropped
	Seek  Seek   // where from
	Place string // where the row stands in the order, see [Row.Place]
	Key   string // with Around and HeldRows, the row that should be under the cursor
	Index int    // with Around, how many rows stood before that row; negative is unknown
	N     int    // how many rows; with Around, how many on each side

	// Places, with HeldRows, are those of the rows that the table holds, in the order of
	// the list. Above and Below are the ends of the window, as in a [Page].
	Places       []string
	Above, Below *string
	// Newer, with HeldRows, asks for the rows before the first of Places too.
	Newer bool
}

// Page is the answer to a [Request]. The rows are in the order of the list,
// also when they were read backwards.
type Page struct {
	Seq  int
	Rows []Row
	// Above and Below are the places from which the list goes on before and after
	// Rows; nil where it does not go on.
	Above, Below *string
	At           int  // with Around and HeldRows, the row for the cursor if that of Key is gone
	Index        int  // how many rows of the list stand before Rows; negative is unknown
	Total        int  // how many rows the list has; negative is unknown
	Least        bool // it has more than Total, which are not counted
	Searched     int  // how many elements of the list were looked at
	Cut          bool // the search stopped at its budget, not because it had enough rows
}

// Whole reports whether the page holds all rows of the list.
func (p Page) Whole() bool { return p.Above == nil && p.Below == nil }

// Scan is a part of a list: what follows From, or the whole list if From is nil.
// From itself belongs to the part only when Inclusive. Back goes towards the start
// of the list.
type Scan struct {
	From            *string
	Inclusive, Back bool
}

// A Walk yields the elements of a part of a list in order, each with its place. row
// is nil for an element that a filter leaves out. The walk ends when yield returns
// false.
type Walk func(part Scan, yield func(place string, row *Row) bool) error

// searchBudget is how many elements of a list are looked at for one page in one
// direction, so that a key that comes meanwhile does not wait.
const searchBudget = 2000

// Load answers a request. It looks at one row more than it returns, to know whether
// the list goes on. Index and Total of the page are left unknown; set what is known.
func Load(req Request, walk Walk) (Page, error) {
	p := Page{Seq: req.Seq, Index: -1, Total: -1}
	var err error
	switch req.Seek {
	case First:
		p.Index = 0
		p.Rows, p.Below, err = p.readPart(walk, Scan{}, req.N)
	case Last:
		p.Rows, p.Above, err = p.readPart(walk, Scan{Back: true}, req.N)
	case After:
		p.Rows, p.Below, err = p.readPart(walk, Scan{From: &req.Place}, req.N)
	case Before:
		p.Rows, p.Above, err = p.readPart(walk, Scan{From: &req.Place, Back: true}, req.N)
	case Around:
		err = p.readAround(req, walk)
	case HeldRows:
		err = p.readHeld(req, walk)
	}
	return p, err
}

// readPart returns up to wanted rows of a part in the order of the list, and the place from
// which the list goes on, nil if it does not.
func (p *Page) readPart(walk Walk, part Scan, wanted int) (rows []Row, rest *string, err error) {
	var last string
	looked := 0
	err = walk(part, func(place string, row *Row) bool {
		if looked == searchBudget || row != nil && len(rows) == wanted {
			rest = &last
			return false
		}
		looked++
		last = place
		if row != nil {
			row.Place = place
			rows = append(rows, *row)
		}
		return true
	})
	p.Searched += looked
	p.Cut = p.Cut || rest != nil && looked == searchBudget
	if part.Back {
		slices.Reverse(rows)
	}
	return rows, rest, err
}

// readAround reads rows on both sides of a place.
func (p *Page) readAround(req Request, walk Walk) (err error) {
	p.Rows, p.Above, err = p.readPart(walk, Scan{From: &req.Place, Back: true}, req.N)
	if err != nil {
		return err
	}
	p.At = len(p.Rows)
	after, below, err := p.readPart(walk, Scan{From: &req.Place, Inclusive: true}, req.N)
	p.Rows, p.Below = append(p.Rows, after...), below
	return err
}

// readHeld reads the rows at the places of a request as they are now, without those
// that have gone.
func (p *Page) readHeld(req Request, walk Walk) (err error) {
	p.Above, p.Below, p.At = req.Above, req.Below, req.Index
	if req.Newer {
		p.Rows, p.Above, err = p.readPart(walk, Scan{From: &req.Places[0], Back: true}, req.N)
	}
	for _, place := range req.Places {
		if err != nil {
			return err
		}
		err = walk(Scan{From: &place, Inclusive: true}, func(at string, row *Row) bool {
			if at == place && row != nil {
				row.Place = at
				p.Rows = append(p.Rows, *row)
			}
			return false
		})
	}
	return err
}

// LoadKeys answers a request of a list whose n keys are known: find tells where a key
// stands, or would stand, and row makes the row of a place.
func LoadKeys(req Request, n int, find func(key string) (at int, held bool), row func(at int) (Row, error)) (Page, error) {
	page, err := Load(req, func(part Scan, yield func(string, *Row) bool) error {
		i, step := 0, 1
		if part.Back {
			i, step = n-1, -1
		}
		if part.From != nil {
			var held bool
			if i, held = find(*part.From); held && !part.Inclusive || part.Back && !held {
				i += step
			}
		}
		for ; i >= 0 && i < n; i += step {
			r, err := row(i)
			if err != nil || !yield(r.Key, &r) {
				return err
			}
		}
		return nil
	})
	if page.Total = n; len(page.Rows) > 0 {
		page.Index, _ = find(page.Rows[0].Key)
	}
	return page, err
}

// Cursor gives the key of the row that will be under the cursor once the page is
// set; before is the one that is there now, had tells whether there is one.
func (p Page) Cursor(req Request, before string, had bool) (key string, some bool) {
	at := 0
	switch req.Seek {
	case After, Before:
		if had {
			return before, true
		}
		if req.Seek == Before {
			at = len(p.Rows) - 1
		}
	case Last:
		at = len(p.Rows) - 1
	case Around, HeldRows:
		at = p.rowFor(req.Key)
	}
	if at < 0 || len(p.Rows) == 0 {
		return "", false
	}
	return p.Rows[at].Key, true
}

// rowFor returns the index of the row of a key, or else of the row nearest to where it
// was; -1 where there are no rows.
func (p Page) rowFor(key string) int {
	if i := slices.IndexFunc(p.Rows, func(r Row) bool { return r.Key == key }); i >= 0 {
		return i
	}
	return min(p.At, len(p.Rows)-1)
}

// WholePage answers any request with the whole of a short list, whatever its order.
func WholePage(req Request, rows []Row) Page {
	return Page{Seq: req.Seq, Rows: rows, At: req.Index, Total: len(rows)}
}

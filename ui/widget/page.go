package widget

import "slices"

// A Table holds a window of a list that may be endless. It never asks for a row
// by its number: a store finds a place in an order by seeking, and a count of
// what stands before would be a scan. So the table asks to read on from a place
// that it knows, and its owner answers from a command:
//
//	if req, ok := t.Want(); ok {
//		cmd = func() tea.Msg {
//			page, err := widget.Load(req, read) // read seeks in the store
//			return pageMsg{page, err}
//		}
//	}
//	…
//	case pageMsg: t.Set(msg.page)

// Seek says where a [Request] wants rows from.
type Seek int

const (
	First  Seek = iota // the first rows of the list
	Last               // the last rows
	After              // rows after Place, without it
	Before             // rows before Place, without it
	Around             // rows on both sides of Place, with it
)

// Request is what a table wants to know next.
type Request struct {
	Seq   int    // the answer carries it back; answers to older requests are dropped
	Seek  Seek   // where from
	Place string // where the row stands in the order, see [Row.Place]
	Key   string // with Around, the row that should be under the cursor
	Index int    // with Around, how many rows stood before that row; negative is unknown
	N     int    // how many rows; with Around, how many on each side
}

// Page is the answer to a [Request]. The rows are in the order of the list,
// also when they were read backwards.
type Page struct {
	Seq   int
	Rows  []Row
	Start bool // nothing stands before Rows
	End   bool // nothing stands after Rows
	At    int  // with Around, how many of Rows stand before Place
	Index int  // how many rows of the list stand before Rows; negative is unknown
	Total int  // how many rows the list has; negative is unknown
	Least bool // it has more than Total, which are not counted
}

// Scan is a part of the order that [Load] wants read: up to N rows from From, which
// counts only when it is Bound, and belongs to the rows only when Inclusive.
// Back reads towards the start of the list and gives the nearest row first.
type Scan struct {
	Bound, Inclusive, Back bool
	From                   string
	N                      int
}

// Load answers a request from anything that can seek. It reads one row more
// than it wants, to know whether the list goes on. Index and Total of the page
// are left unknown; set what is known.
func Load(req Request, read func(Scan) ([]Row, error)) (Page, error) {
	p := Page{Seq: req.Seq, Index: -1, Total: -1}
	from := func(s Scan) (rows []Row, end bool, err error) {
		s.N = req.N + 1
		rows, err = read(s)
		end = len(rows) <= req.N
		rows = rows[:min(len(rows), req.N)]
		if s.Back {
			slices.Reverse(rows)
		}
		return rows, end, err
	}
	var err error
	switch req.Seek {
	case First:
		p.Start, p.Index = true, 0
		p.Rows, p.End, err = from(Scan{})
	case Last:
		p.End = true
		p.Rows, p.Start, err = from(Scan{Back: true})
	case After:
		p.Rows, p.End, err = from(Scan{Bound: true, From: req.Place})
	case Before:
		p.Rows, p.Start, err = from(Scan{Bound: true, From: req.Place, Back: true})
	case Around:
		var after []Row
		if p.Rows, p.Start, err = from(Scan{Bound: true, From: req.Place, Back: true}); err != nil {
			break
		}
		p.At = len(p.Rows)
		after, p.End, err = from(Scan{Bound: true, From: req.Place, Inclusive: true})
		p.Rows = append(p.Rows, after...)
	}
	return p, err
}

// LoadKeys answers a request of a list whose n keys are known: find tells where a key
// stands, or would stand, and row makes the row of a place; ok is false where it is
// gone.
func LoadKeys(req Request, n int, find func(key string) (at int, held bool), row func(at int) (r Row, ok bool, err error)) (Page, error) {
	page, err := Load(req, func(s Scan) (rows []Row, err error) {
		i, step := 0, 1
		if s.Back {
			i, step = n-1, -1
		}
		if s.Bound {
			var held bool
			if i, held = find(s.From); held && !s.Inclusive || s.Back && !held {
				i += step
			}
		}
		for ; i >= 0 && i < n && len(rows) < s.N; i += step {
			r, ok, err := row(i)
			if err != nil {
				return nil, err
			}
			if ok {
				rows = append(rows, r)
			}
		}
		return rows, nil
	})
	if page.Total = n; len(page.Rows) > 0 {
		page.Index, _ = find(page.Rows[0].Key)
	}
	return page, err
}

// Cursor gives the key of the row that will be under the cursor once the page is
// set; before is the one that is there now.
func (p Page) Cursor(req Request, before string) (key string, some bool) {
	at := 0
	switch req.Seek {
	case After, Before:
		return before, true
	case Last:
		at = len(p.Rows) - 1
	case Around:
		at = min(p.At, len(p.Rows)-1)
		if i := slices.IndexFunc(p.Rows, func(r Row) bool { return r.Key == req.Key }); i >= 0 {
			at = i
		}
	}
	if at < 0 || len(p.Rows) == 0 {
		return "", false
	}
	return p.Rows[at].Key, true
}

// All answers any request with the whole of a short list, whatever its order.
func All(req Request, rows []Row) Page {
	return Page{Seq: req.Seq, Rows: rows, Start: true, End: true, At: req.Index, Total: len(rows)}
}

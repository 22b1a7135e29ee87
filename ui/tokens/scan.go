package tokens

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// tokenScan looks at tokens one by one for the words of a filter, a batch at a
// time, and keeps the ids that it found in the order of the list.
type tokenScan struct {
	list   tokenList
	ids    []string
	place  *string // where the next batch begins; nil at the start
	looked uint64
	done   bool
	full   bool // more were found than are kept
	left   bool // a person had enough
	// since is the revision up to which what was found is kept in step with the
	// messages that were executed.
	since uint64
}

const (
	// batchSize is how many tokens one command looks at, so that a key that
	// comes meanwhile does not wait.
	batchSize = 2000
	// scanKeeps bounds what is kept of what was found.
	scanKeeps = 50_000
)

// scanBatch is what a scan found among the next tokens.
type scanBatch struct {
	scan     *tokenScan
	revision uint64
	ids      []string
	place    *string
	looked   uint64
	done     bool
}

// next gives what reads the next batch.
func (s *tokenScan) next() func(*chain.View) (scanBatch, error) {
	list, place := s.list, s.place
	return func(v *chain.View) (scanBatch, error) {
		out := scanBatch{scan: s, revision: v.Revision, place: place, done: true}
		from := widget.Scan{N: batchSize}
		if place != nil {
			from.Bound, from.From = true, *place
		}
		err := list.walk(v, from, func(t chain.Token, at string) bool {
			out.looked, out.place = out.looked+1, &at
			if list.filter.matches(t) {
				out.ids = append(out.ids, t.ID)
			}
			out.done = out.looked < batchSize
			return out.done
		})
		return out, err
	}
}

// take adds a batch to what was found. One that was read before a message that
// the scan is in step with is read again.
func (s *tokenScan) take(b scanBatch) {
	if b.revision < s.since {
		return
	}
	s.ids = append(s.ids, b.ids...)
	s.place, s.looked, s.done = b.place, s.looked+b.looked, b.done
	if len(s.ids) > scanKeeps {
		s.ids, s.full, s.done = s.ids[:scanKeeps], true, true
	}
}

// follow keeps what was found in step with a message that was executed, without
// looking at anything else. It works where the list is in the order of ids.
func (s *tokenScan) follow(r chain.Receipt) {
	s.since = max(s.since, r.Revision)
	for _, c := range r.Changes {
		id, _, after, ok := cw721.TokenChange(c.Key, c.Old, c.New)
		if !ok {
			continue
		}
		at, held := slices.BinarySearch(s.ids, id)
		fits := after != nil && s.list.filter.matches(chain.Token{ID: id, Token: *after}) &&
			(s.list.filter.owner == "" || after.Owner == s.list.filter.owner)
		behind := s.done || s.place != nil && id <= *s.place // the rest is still to be looked at
		ids := slices.Clone(s.ids)                           // commands hold the old ones
		switch {
		case held && !fits:
			s.ids = slices.Delete(ids, at, at+1)
		case !held && fits && behind:
			s.ids = slices.Insert(ids, at, id)
		}
	}
}

// found is what a command needs to answer a request of the table.
type found struct {
	ids      []string
	from     int // of the first of ids in the list
	at       int // of the wanted row, among ids
	end      bool
	complete bool // ids is all there is to give now
}

// serve finds the ids that answer a request; complete is false while the scan
// may still find what was asked for.
func (s *tokenScan) serve(req widget.Request) found {
	n, at := len(s.ids), 0
	lo, hi := 0, 0
	where := func(id string) (int, bool) {
		if i := slices.Index(s.ids, id); i >= 0 {
			return i, true
		}
		i, _ := slices.BinarySearch(s.ids, id)
		return i, false
	}
	switch req.Seek {
	case widget.First:
		hi = req.N
	case widget.Last:
		lo, hi = n-req.N, n
	case widget.After:
		i, held := where(req.Place)
		if lo = i; held {
			lo++
		}
		hi = lo + req.N
	case widget.Before:
		hi, _ = where(req.Place)
		lo = hi - req.N
	case widget.Around:
		at, _ = where(req.Key)
		lo, hi = at-req.N, at+req.N
	}
	lo, hi = min(max(lo, 0), n), min(max(hi, 0), n)
	f := found{ids: s.ids[lo:hi], from: lo, at: max(at-lo, 0), end: hi == n && s.done, complete: true}
	if !s.done {
		f.complete = req.Seek != widget.Last && (len(f.ids) > 0 || req.Seek == widget.Before)
	}
	return f
}

// page reads the rows of what was found.
func (f found) page(v *chain.View, req widget.Request, look app.RowView) (widget.Page, error) {
	p := widget.Page{Seq: req.Seq, Start: f.from == 0, End: f.end, At: f.at, Index: f.from, Total: -1}
	for i, id := range f.ids {
		t, ok, err := v.Token(id)
		if err != nil {
			return p, err
		}
		if !ok { // it is gone since it was found
			if i < f.at {
				p.At--
			}
			continue
		}
		p.Rows = append(p.Rows, tokenRow(look, v, t))
	}
	return p, nil
}

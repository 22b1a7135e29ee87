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
	list    tokenList
	ids     []string
	place   *string // where the next batch begins; nil at the start
	scanned uint64
	done    bool
	full    bool // more were found than are kept
	left    bool // a person had enough
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
	scanned  uint64
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
			out.scanned, out.place = out.scanned+1, &at
			if list.filter.matches(t) {
				out.ids = append(out.ids, t.ID)
			}
			out.done = out.scanned < batchSize
			return out.done
		})
		return out, err
	}
}

// add adds a batch to what was found. One that was read before a message that
// the scan is in step with is read again.
func (s *tokenScan) add(b scanBatch) {
	if b.revision < s.since {
		return
	}
	s.ids = append(s.ids, b.ids...)
	s.place, s.scanned, s.done = b.place, s.scanned+b.scanned, b.done
	if len(s.ids) > scanKeeps {
		s.ids, s.full, s.done = s.ids[:scanKeeps], true, true
	}
}

// applyReceipt keeps what was found in step with a message that was executed, without
// looking at anything else. It works where the list is in the order of ids.
func (s *tokenScan) applyReceipt(r chain.Receipt) {
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

// where finds the place of an id among those that were found, or where it would stand
// in the order of ids.
func where(ids []string, id string) (at int, held bool) {
	if at = slices.Index(ids, id); at >= 0 {
		return at, true
	}
	at, _ = slices.BinarySearch(ids, id)
	return at, false
}

// ready tells that a request can be answered: the scan will not find before what it
// has found already.
func (s *tokenScan) ready(req widget.Request) bool {
	at := 0
	switch {
	case s.done, req.Seek == widget.Before:
		return true
	case req.Seek == widget.Last:
		return false
	case req.Seek == widget.After:
		var held bool
		if at, held = where(s.ids, req.Place); held {
			at++
		}
	}
	return at < len(s.ids)
}

// page gives what reads the rows of what was found by now that answer a request.
func (s *tokenScan) page() func(*chain.View, widget.Request, app.RowView) (widget.Page, error) {
	ids, done := s.ids, s.done
	return func(v *chain.View, req widget.Request, look app.RowView) (widget.Page, error) {
		page, err := widget.LoadKeys(req, len(ids), func(id string) (int, bool) { return where(ids, id) }, func(i int) (widget.Row, bool, error) {
			t, ok, err := v.Token(ids[i])
			return tokenRow(look, v, t), ok, err // it may be gone since it was found
		})
		page.Total, page.End = -1, page.End && done
		return page, err
	}
}

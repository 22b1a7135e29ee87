package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
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
	seq    int
}

const (
	// scanBatch is how many tokens one command looks at, so that a key that
	// comes meanwhile does not wait.
	scanBatch = 2000
	// scanKeeps bounds what is kept of what was found.
	scanKeeps = 50_000
)

// tokenScanMsg brings a batch.
type tokenScanMsg struct {
	seq    int
	ids    []string
	place  *string
	looked uint64
	done   bool
	err    error
}

// next gives the command that looks at the next batch.
func (s *tokenScan) next(engine Engine) tea.Cmd {
	list, place, seq := s.list, s.place, s.seq
	return func() tea.Msg {
		msg := tokenScanMsg{seq: seq, place: place}
		msg.err = engine.View(func(v *chain.View) error {
			from := widget.Scan{N: scanBatch}
			if place != nil {
				from.Bound, from.From = true, *place
			}
			msg.done = true
			return list.walk(v, from, func(t chain.Token, at string) bool {
				msg.looked, msg.place = msg.looked+1, &at
				if list.filter.matches(t) {
					msg.ids = append(msg.ids, t.ID)
				}
				msg.done = msg.looked < scanBatch
				return msg.done
			})
		})
		return msg
	}
}

// take adds a batch to what was found.
func (s *tokenScan) take(msg tokenScanMsg) {
	s.ids = append(s.ids, msg.ids...)
	s.place, s.looked, s.done = msg.place, s.looked+msg.looked, msg.done
	if len(s.ids) > scanKeeps {
		s.ids, s.full, s.done = s.ids[:scanKeeps], true, true
	}
}

// follow keeps what was found in step with a message that was executed, without
// looking at anything else. It works where the list is in the order of ids.
func (s *tokenScan) follow(r chain.Receipt) {
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
	total    int
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
	f := found{ids: s.ids[lo:hi], from: lo, at: max(at-lo, 0), end: hi == n && s.done, total: n, complete: true}
	if !s.done {
		f.complete = req.Seek != widget.Last && (len(f.ids) > 0 || req.Seek == widget.Before)
	}
	return f
}

// page reads the rows of what was found.
func (f found) page(v *chain.View, req widget.Request, look rowLook) (widget.Page, error) {
	p := widget.Page{Seq: req.Seq, Start: f.from == 0, End: f.end, At: f.at, Index: f.from, Total: f.total}
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
		p.Rows = append(p.Rows, look.row(v, t))
	}
	return p, nil
}

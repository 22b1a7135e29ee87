package expiry

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Order is an order in which grants can be paged.
type Order int

// The orders that have an index.
const (
	// ByExpiry has what expires soonest first, then what never does, then what has
	// expired, the latest first.
	ByExpiry Order = iota
	ByToken        // approvals by their tokens' ids; the index is left aside
	ByOwner        // by the address of who gave them, then as stored
	BySpender
)

// List is a list of grants that can be read from any place, in both directions.
type List struct {
	Index
	Order Order
	// Live leaves out what has expired.
	Live bool
}

// Walk says which part of a list to read, by [List.Place].
type Walk = kv.Walk

// Place is where a grant stands in the list, to read on from. It stays good
// when the clock moves.
func (l List) Place(g cw721.Grant) string {
	stored := identity(appendEnd(nil, g.Expires), g)
	switch l.Order {
	case ByToken:
		return string(append(append(appendID(nil, shorten(g.Token)), endOfID...), stored...))
	case ByOwner:
		return string(append(kv.AppendPart(nil, g.Owner), stored...))
	case BySpender:
		return string(append(kv.AppendPart(nil, g.Spender), stored...))
	}
	return string(stored)
}

// Before tells whether a stands before b, seen in block now.
func (l List) Before(a, b cw721.Grant, now cw721.Block, at Estimate) bool {
	if l.Order != ByExpiry {
		return l.Place(a) < l.Place(b)
	}
	if p, q := partOf(a.Expires, now), partOf(b.Expires, now); p != q {
		return p < q
	} else if p == over {
		a, b = b, a
	}
	moment := func(e cw721.Expiration) uint64 {
		if e.Axis == cw721.AtHeight {
			return uint64(at(cw721.Height(e.Value)))
		}
		return e.Value
	}
	if s, t := moment(a.Expires), moment(b.Expires); s != t {
		return s < t
	}
	return l.Place(a) < l.Place(b)
}

// List reads a part of a list.
func (x Reader) List(l List, w Walk) iter.Seq2[Entry, error] {
	if l.Order == ByExpiry {
		return x.byEnd(l, w)
	}
	letter := map[Order]byte{ByToken: byToken, ByOwner: l.letter(byOwner), BySpender: l.letter(bySpender)}[l.Order]
	entries := walk(x.r, w.RangeUnder(kv.PrefixRange([]byte{letter}), []byte{letter}))
	if !l.Live {
		return entries
	}
	return func(yield func(Entry, error) bool) {
		for e, err := range entries {
			if err == nil && e.Expires.Expired(x.now) {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// The parts of the order by expiry, in that order.
const (
	upcoming = iota
	endless
	over
)

func (x Reader) byEnd(l List, w Walk) iter.Seq2[Entry, error] {
	parts := []int{upcoming, endless, over}
	if l.Live {
		parts = parts[:2]
	}
	if w.Reverse {
		slices.Reverse(parts)
	}
	start, ok := -1, false
	var place cw721.Expiration
	if w.Place != nil {
		if place, ok = endOf(*w.Place); ok {
			start = partOf(place, x.now)
		}
	}
	return func(yield func(Entry, error) bool) {
		for _, part := range parts {
			in := Walk{Reverse: w.Reverse}
			switch {
			case part == start:
				in = w
			case start >= 0 && (part < start) != w.Reverse:
				continue
			}
			for e, err := range x.part(l, part, place, in) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

func partOf(e cw721.Expiration, now cw721.Block) int {
	switch {
	case e.Axis == cw721.Never:
		return endless
	case e.Expired(now):
		return over
	}
	return upcoming
}

func endOf(place string) (cw721.Expiration, bool) {
	if len(place) < endSize {
		return cw721.Expiration{}, false
	}
	return cw721.Expiration{Axis: axisOf(place[0]), Value: binary.BigEndian.Uint64([]byte(place[1:endSize]))}, true
}

// part reads one part. The two axes are read side by side; a place on one of
// them stands between two values of the other.
func (x Reader) part(l List, part int, place cw721.Expiration, w Walk) iter.Seq2[Entry, error] {
	prefix := l.prefix()
	down := w.Reverse != (part == over) // what has expired comes latest first
	one := func(axis cw721.Axis, low, high uint64) iter.Seq2[Entry, error] {
		if w.Place != nil && place.Axis != axis {
			next, ok := after(axis, place, x.at)
			switch {
			case down && ok && next == 0, !down && !ok:
				return nothing
			case down && ok:
				high = min(high, next-1)
			case !down:
				low = max(low, next)
			}
			if low > high {
				return nothing
			}
		}
		rng := span(prefix, axis, low, high)
		in := Walk{Reverse: down}
		if w.Place != nil && place.Axis == axis {
			in = Walk{Place: w.Place, Inclusive: w.Inclusive, Reverse: down}
		}
		return walk(x.r, in.RangeUnder(rng, prefix))
	}
	switch part {
	case endless:
		return one(cw721.Never, 0, forever)
	case over:
		return merge(one(cw721.AtHeight, 0, uint64(x.now.Height)), one(cw721.AtTime, 0, uint64(x.now.Time)), x.at, down)
	}
	heights, times := nothing, nothing
	if uint64(x.now.Height) < forever {
		heights = one(cw721.AtHeight, uint64(x.now.Height)+1, forever)
	}
	if uint64(x.now.Time) < forever {
		times = one(cw721.AtTime, uint64(x.now.Time)+1, forever)
	}
	return merge(heights, times, x.at, down)
}

var nothing iter.Seq2[Entry, error] = func(func(Entry, error) bool) {}

// after gives the first value of an axis behind a place on the other one; ok is
// false for none. Of a height and a time that come at once, the height stands
// first.
func after(axis cw721.Axis, place cw721.Expiration, at Estimate) (value uint64, ok bool) {
	if axis == cw721.AtTime {
		return uint64(at(cw721.Height(place.Value))), true
	}
	// The estimate grows with the height, so the first height that comes after
	// the time is found by halving.
	later := func(h uint64) bool { return uint64(at(cw721.Height(h))) > place.Value }
	low, high := uint64(0), forever
	for low < high {
		if half := low + (high-low)/2; later(half) {
			high = half
		} else {
			low = half + 1
		}
	}
	return low, later(low)
}

// merge joins both axes in the order of their expiry.
func merge(heights, times iter.Seq2[Entry, error], at Estimate, down bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		nextHeight, stopHeights := iter.Pull2(heights)
		defer stopHeights()
		nextTime, stopTimes := iter.Pull2(times)
		defer stopTimes()
		h, herr, hok := nextHeight()
		t, terr, tok := nextTime()
		for hok || tok {
			if herr != nil || terr != nil {
				yield(Entry{}, cmp.Or(herr, terr))
				return
			}
			takeHeight := hok
			if hok && tok {
				takeHeight = (uint64(at(cw721.Height(h.Expires.Value))) <= t.Expires.Value) != down
			}
			if takeHeight {
				if !yield(h, nil) {
					return
				}
				h, herr, hok = nextHeight()
			} else {
				if !yield(t, nil) {
					return
				}
				t, terr, tok = nextTime()
			}
		}
	}
}

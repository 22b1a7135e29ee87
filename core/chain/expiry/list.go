package expiry

import (
	"cmp"
	"iter"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Order is an order in which grants can be paged.
type Order int

// The orders that have an index.
const (
	ByExpiry  Order = iota // what expires soonest, then what never does, then what has expired, the latest first
	ByToken                // approvals alone, by their tokens' ids; the list's Index has no effect
	ByOwner                // by address, and then by expiry as stored: heights, times, never
	BySpender              // by address, and then as ByOwner
)

// List is a list of grants that can be read from any place, in both directions.
type List struct {
	Index
	Order Order
	Live  bool // without what has expired
}

// Walk selects the part of a list to read. Its places are those of [List.Place].
type Walk = kv.Walk

// Place returns where a grant is in the list, to read on from. It stays valid when the
// clock moves.
func (l List) Place(g cw721.Grant) string {
	var place []byte
	switch l.Order {
	case ByToken:
		place = appendToken(nil, g.Token)
	case ByOwner:
		place = kv.AppendPart(nil, g.Owner)
	case BySpender:
		place = kv.AppendPart(nil, g.Spender)
	}
	return string(appendIdentity(appendEnd(place, g.Expires), g))
}

// placeEnd returns the expiration in a place of a list in the order of expiry; ok is
// false without a place, and for a text that is none.
func placeEnd(w Walk) (end cw721.Expiration, ok bool) {
	if w.Place == nil || len(*w.Place) < endSize {
		return end, false
	}
	return decodeEnd([]byte(*w.Place)), true
}

// Before reports whether grant a comes before grant b, seen in block now.
func (l List) Before(a, b cw721.Grant, now cw721.Block, timeAt Estimate) bool {
	if l.Order != ByExpiry {
		return l.Place(a) < l.Place(b)
	}
	sectionA := sectionOf(a.Expires, now)
	sectionB := sectionOf(b.Expires, now)
	if sectionA != sectionB {
		return sectionA < sectionB
	}
	if sectionA == sectionPast {
		a, b = b, a // the latest first
	}
	timeA := timeAt.timeOf(a.Expires)
	timeB := timeAt.timeOf(b.Expires)
	if timeA != timeB {
		return timeA < timeB
	}
	return l.Place(a) < l.Place(b)
}

// timeOf returns the time at which a grant expires, estimated for a height.
func (timeAt Estimate) timeOf(e cw721.Expiration) uint64 {
	if e.Axis == cw721.AtHeight {
		return uint64(timeAt(cw721.Height(e.Value)))
	}
	return e.Value
}

// List visits a part of a list.
func (x Reader) List(l List, w Walk) iter.Seq2[Entry, error] {
	var index byte
	switch l.Order {
	case ByExpiry:
		return x.listByExpiry(l, w)
	case ByToken:
		index = byToken
	case ByOwner:
		index = l.letter(byOwner)
	case BySpender:
		index = l.letter(bySpender)
	}
	prefix := []byte{index}
	entries := walk(x.r, w.RangeUnder(kv.PrefixRange(prefix), prefix))
	if l.Live {
		return x.withoutExpired(entries)
	}
	return entries
}

// withoutExpired visits those entries that have not expired.
func (x Reader) withoutExpired(entries iter.Seq2[Entry, error]) iter.Seq2[Entry, error] {
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

// section is a part of a list in the order of expiry.
type section int

// The sections in their order.
const (
	sectionUpcoming section = iota // what will expire, soonest first
	sectionEndless                 // what never expires
	sectionPast                    // what has expired, the latest first
)

// sectionOf returns the section of a grant in block now.
func sectionOf(e cw721.Expiration, now cw721.Block) section {
	switch {
	case e.Axis == cw721.Never:
		return sectionEndless
	case e.Expired(now):
		return sectionPast
	}
	return sectionUpcoming
}

// listByExpiry visits a part of a list in the order of expiry, section by section.
func (x Reader) listByExpiry(l List, w Walk) iter.Seq2[Entry, error] {
	sections := []section{sectionUpcoming, sectionEndless, sectionPast}
	if l.Live {
		sections = sections[:2]
	}
	if w.Reverse {
		slices.Reverse(sections)
	}
	end, hasPlace := placeEnd(w)
	start := sectionOf(end, x.now)
	if hasPlace {
		sections = slices.DeleteFunc(sections, func(s section) bool {
			return s != start && (s < start) != w.Reverse
		})
	}
	return func(yield func(Entry, error) bool) {
		for _, s := range sections {
			part := Walk{Reverse: w.Reverse}
			if hasPlace && s == start {
				part = w
			}
			for e, err := range x.readSection(l.Index, s, part) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// readSection visits a part of a section of an index in the order of expiry.
func (x Reader) readSection(i Index, s section, w Walk) iter.Seq2[Entry, error] {
	if s == sectionEndless {
		return x.readAxis(i, cw721.Never, 0, maxEnd, w)
	}
	if s == sectionPast {
		w.Reverse = !w.Reverse // the latest comes first
		heights := x.readAxis(i, cw721.AtHeight, 0, uint64(x.now.Height), w)
		times := x.readAxis(i, cw721.AtTime, 0, uint64(x.now.Time), w)
		return x.merge(heights, times, w.Reverse)
	}
	heights := x.readAxisAfter(i, cw721.AtHeight, uint64(x.now.Height), w)
	times := x.readAxisAfter(i, cw721.AtTime, uint64(x.now.Time), w)
	return x.merge(heights, times, w.Reverse)
}

// readAxisAfter visits what expires on an axis after a value.
func (x Reader) readAxisAfter(i Index, axis cw721.Axis, value uint64, w Walk) iter.Seq2[Entry, error] {
	if value == maxEnd {
		return nothing
	}
	return x.readAxis(i, axis, value+1, maxEnd, w)
}

// readAxis visits what expires on an axis from one value to another, both included. A
// place of the walk may be on the other axis: it is between two values of this one.
func (x Reader) readAxis(i Index, axis cw721.Axis, low, high uint64, w Walk) iter.Seq2[Entry, error] {
	end, hasPlace := placeEnd(w)
	if hasPlace && end.Axis != axis {
		w.Place = nil
		next, exists := x.firstAfter(axis, end)
		switch {
		case !w.Reverse && !exists, w.Reverse && exists && next == 0:
			return nothing
		case !w.Reverse:
			low = max(low, next)
		case exists:
			high = min(high, next-1)
		}
		if low > high {
			return nothing
		}
	}
	prefix := i.prefix()
	return walk(x.r, w.RangeUnder(axisRange(prefix, axis, low, high), prefix))
}

// nothing visits no entry.
var nothing iter.Seq2[Entry, error] = func(func(Entry, error) bool) {}

// firstAfter returns the first value of an axis that comes after an end on the other;
// exists is false if there is none. A height comes before a time at which it is expected.
func (x Reader) firstAfter(axis cw721.Axis, end cw721.Expiration) (value uint64, exists bool) {
	if axis == cw721.AtTime {
		return x.timeAt.timeOf(end), true
	}
	isAfter := func(h uint64) bool { return uint64(x.timeAt(cw721.Height(h))) > end.Value }
	low := uint64(0)
	high := maxEnd
	for low < high { // isAfter is false for all lower heights and true for high
		middle := low + (high-low)/2
		if isAfter(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, isAfter(low)
}

// merge joins entries of both axes in the order of their expiry. With reverse, they come
// latest first, and so does the result.
func (x Reader) merge(heightEntries, timeEntries iter.Seq2[Entry, error], reverse bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		heights := newStream(heightEntries)
		defer heights.stop()
		times := newStream(timeEntries)
		defer times.stop()
		for heights.hasEntry || times.hasEntry {
			if err := cmp.Or(heights.err, times.err); err != nil {
				yield(Entry{}, err)
				return
			}
			next := times
			switch {
			case !times.hasEntry:
				next = heights
			case heights.hasEntry:
				heightIsFirst := x.timeAt.timeOf(heights.entry.Expires) <= times.entry.Expires.Value
				if heightIsFirst != reverse {
					next = heights
				}
			}
			if !yield(next.entry, nil) {
				return
			}
			next.advance()
		}
	}
}

// stream holds the entry that comes next in a sequence.
type stream struct {
	next func() (Entry, error, bool)
	stop func()

	entry    Entry
	err      error
	hasEntry bool // entry or err is set
}

// newStream returns the stream of a sequence, which the caller must stop.
func newStream(entries iter.Seq2[Entry, error]) *stream {
	s := &stream{}
	s.next, s.stop = iter.Pull2(entries)
	s.advance()
	return s
}

func (s *stream) advance() { s.entry, s.err, s.hasEntry = s.next() }

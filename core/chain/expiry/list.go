package expiry

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Order is an order in which a [List] has its grants.
type Order int

// The orders that have an index.
const (
	// ByExpiry begins with the grants that will expire, the soonest first. Then come those
	// that never expire, then those that have expired, the latest first.
	ByExpiry Order = iota
	// ByToken lists only approvals, by their tokens' ids. The list's Index has no effect.
	ByToken
	// ByOwner lists grants by the owner's address. Those of one owner are in the order of
	// the index: first those with a height, then those with a time, then those that never
	// expire.
	ByOwner
	// BySpender lists grants by the spender's address, those of one spender as ByOwner.
	BySpender
	// ByRisk begins with the grants that never expire. Then come those that will expire, the
	// latest first, then those that have expired, as in ByExpiry.
	ByRisk
)

// List describes a list of grants, such as all grants to bob by their expiry. It can be
// read from any grant on, in both directions.
type List struct {
	Index
	Order Order
	Live  bool // leave out the grants that have expired
}

// Walk selects the part of a list to read, such as the part after a grant whose place
// [List.Place] returned.
type Walk = kv.Walk

// Place returns the place of a grant in the list, for a [Walk] that continues after it. The
// place is the grant's key in the index without the letter of the index. It stays valid
// when the clock moves, because it does not say whether the grant has expired.
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

// placeEnd returns the expiration of the grant at the place of w, in a list by expiry. ok
// is false if w has no place, or one that is too short to be a result of [List.Place].
func placeEnd(w Walk) (end cw721.Expiration, ok bool) {
	if w.Place == nil || len(*w.Place) < endSize {
		return end, false
	}
	return decodeEnd([]byte(*w.Place)), true
}

// Before reports whether the list has grant a before grant b, if the current block is now.
func (l List) Before(a, b cw721.Grant, now cw721.Block, timeAt Estimate) bool {
	if l.Order != ByExpiry && l.Order != ByRisk {
		return l.Place(a) < l.Place(b)
	}

	// The list has sections: what will expire, what has expired, what never expires.
	sectionA := sectionOf(a.Expires, now)
	sectionB := sectionOf(b.Expires, now)
	if sectionA != sectionB {
		sections := l.Order.sections()
		return slices.Index(sections, sectionA) < slices.Index(sections, sectionB)
	}

	// Within a section the time decides. A height counts at the time at which it is
	// expected.
	if l.Order.isLatestFirst(sectionA) {
		a, b = b, a
	}
	timeA := timeAt.timeOf(a.Expires)
	timeB := timeAt.timeOf(b.Expires)
	if timeA != timeB {
		return timeA < timeB
	}
	return l.Place(a) < l.Place(b)
}

// timeOf returns the time at which a grant expires. For a grant that expires at a height,
// it is the time at which the block of this height is expected.
func (timeAt Estimate) timeOf(e cw721.Expiration) uint64 {
	if e.Axis == cw721.AtHeight {
		return uint64(timeAt(cw721.Height(e.Value)))
	}
	return e.Value
}

// List yields the grants of the list l that w selects, in the order of the list. There is an
// index for each order, whose keys begin with a letter of its own; the orders by expiry and by
// risk are made of one index.
func (x Reader) List(l List, w Walk) iter.Seq2[Entry, error] {
	w.Place = x.storedPlace(w.Place)
	var index byte
	switch l.Order {
	case ByExpiry, ByRisk:
		return x.listByExpiry(l, w)
	case ByToken:
		index = byToken
	case ByOwner:
		index = l.letter(byOwner)
	case BySpender:
		index = l.letter(bySpender)
	}

	// These orders are simply the order of the keys.
	prefix := []byte{index}
	entries := x.walk(w.RangeUnder(kv.PrefixRange(prefix), prefix))
	if l.Live {
		return x.withoutExpired(entries)
	}
	return entries
}

// storedPlace converts a place from [List.Place] into the form that the keys of the index
// have. A place ends with the kind of its grant, and the index can store another kind for an
// offer, as [Reader.walk] describes. A nil place stays nil.
func (x Reader) storedPlace(place *string) *string {
	if place == nil || x.layout.HasCreator() {
		return place
	}
	before, isOffer := strings.CutSuffix(*place, string(cw721.GrantMinterOffer))
	if !isOffer {
		return place
	}
	return new(before + string(cw721.GrantCreatorOffer))
}

// withoutExpired yields those of entries that have not expired by now.
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

// section is one of the three parts of a list by expiry: grants that will expire, grants
// that never expire, and grants that have expired.
type section int

// The sections, in the order of ByExpiry.
const (
	sectionUpcoming section = iota // grants that will expire, the soonest first
	sectionEndless                 // grants that never expire
	sectionPast                    // grants that have expired, the latest first
)

// sections returns the sections of a list by expiry or by risk, in the order of the list.
func (o Order) sections() []section {
	if o == ByRisk {
		return []section{sectionEndless, sectionUpcoming, sectionPast}
	}
	return []section{sectionUpcoming, sectionEndless, sectionPast}
}

// isLatestFirst reports whether the grants of a section are listed from the latest expiry
// to the earliest.
func (o Order) isLatestFirst(s section) bool {
	return s == sectionPast || s == sectionUpcoming && o == ByRisk
}

// sectionOf returns the section of a list of grants in which a grant stands in block now: that
// of grants that will expire, that have expired, or that never expire.
func sectionOf(e cw721.Expiration, now cw721.Block) section {
	switch {
	case e.Axis == cw721.Never:
		return sectionEndless
	case e.Expired(now):
		return sectionPast
	}
	return sectionUpcoming
}

// listByExpiry yields the grants of a list by expiry or by risk that w selects. Such a list
// has three sections: grants that will expire, that have expired, and that never expire. If w
// has a place, which is that of a grant, listByExpiry reads the grant's section from there on,
// and then the sections that follow; if w goes backwards, those before it. Without a place it
// reads all sections.
func (x Reader) listByExpiry(l List, w Walk) iter.Seq2[Entry, error] {
	sections := l.Order.sections()
	if w.Reverse {
		slices.Reverse(sections)
	}

	// The sections before the place are already passed.
	end, hasPlace := placeEnd(w)
	start := sectionOf(end, x.now)
	if hasPlace {
		sections = sections[slices.Index(sections, start):]
	}
	if l.Live {
		sections = slices.DeleteFunc(sections, func(s section) bool { return s == sectionPast })
	}

	return func(yield func(Entry, error) bool) {
		for _, s := range sections {
			part := Walk{Reverse: w.Reverse}
			if hasPlace && s == start {
				part = w
			}
			if !yieldAll(x.readSection(l, s, part), yield) {
				return
			}
		}
	}
}

// yieldAll passes entries to yield. It returns false if yield wants no more of them, or if
// reading them failed.
func yieldAll(entries iter.Seq2[Entry, error], yield func(Entry, error) bool) bool {
	for e, err := range entries {
		if !yield(e, err) || err != nil {
			return false
		}
	}
	return true
}

// readSection yields the grants of one section of a list by expiry or by risk, as far as w
// selects them. The index has grants with a height apart from those with a time, so
// readSection reads both and merges them by their times.
func (x Reader) readSection(l List, s section, w Walk) iter.Seq2[Entry, error] {
	// Some sections have the latest expiry first.
	if l.Order.isLatestFirst(s) {
		w.Reverse = !w.Reverse
	}
	switch s {
	case sectionEndless:
		return x.readAxis(l.Index, cw721.Never, 0, maxEnd, w)
	case sectionPast:
		heights := x.readAxis(l.Index, cw721.AtHeight, 0, uint64(x.now.Height), w)
		times := x.readAxis(l.Index, cw721.AtTime, 0, uint64(x.now.Time), w)
		return x.merge(heights, times, w.Reverse)
	}

	// What will expire begins after the current block.
	heights := x.readAxisAfter(l.Index, cw721.AtHeight, uint64(x.now.Height), w)
	times := x.readAxisAfter(l.Index, cw721.AtTime, uint64(x.now.Time), w)
	return x.merge(heights, times, w.Reverse)
}

// readAxisAfter yields the grants that expire on an axis, heights or times, after a value.
func (x Reader) readAxisAfter(i Index, axis cw721.Axis, value uint64, w Walk) iter.Seq2[Entry, error] {
	if value == maxEnd {
		return noEntries
	}
	return x.readAxis(i, axis, value+1, maxEnd, w)
}

// readAxis yields the grants that expire on an axis, heights or times, from low to high,
// both included, as far as w selects them. The place of w may be a grant on the other axis.
// Then readAxis reads only the values of this axis after that grant, or those before it if w
// goes backwards.
func (x Reader) readAxis(i Index, axis cw721.Axis, low, high uint64, w Walk) iter.Seq2[Entry, error] {
	end, hasPlace := placeEnd(w)
	isOnOtherAxis := hasPlace && end.Axis != axis
	if isOnOtherAxis {
		w.Place = nil
		isEmpty := false
		low, high, isEmpty = x.narrow(axis, low, high, end, w.Reverse)
		if isEmpty {
			return noEntries
		}
	}
	prefix := i.prefix()
	return x.walk(w.RangeUnder(axisRange(prefix, axis, low, high), prefix))
}

// narrow returns the part of the values of an axis, from low to high, that comes after an end
// on the other axis in a list by expiry. If before is set, it returns the part that comes
// before that end.
func (x Reader) narrow(axis cw721.Axis, low, high uint64, end cw721.Expiration, before bool) (narrowLow, narrowHigh uint64, isEmpty bool) {
	next, exists := x.firstAfter(axis, end)
	switch {
	case before && !exists: // all values come before the end
		return low, high, low > high
	case before && next == 0, !before && !exists:
		return 0, 0, true
	case before:
		high = min(high, next-1)
	default:
		low = max(low, next)
	}
	return low, high, low > high
}

// noEntries is the sequence without any entry.
var noEntries iter.Seq2[Entry, error] = func(func(Entry, error) bool) {}

// firstAfter returns the first value of an axis that a list by expiry has after an end on the
// other axis; exists is false if there is none. After a height comes the time at which it is
// expected, because a list has a height before an equal time. After a time comes the first
// height that is expected later, which a binary search finds.
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

// merge yields the entries of two sequences, one of grants with a height and one of grants
// with a time, in the order of their expiry. If reverse is true, both sequences and the
// result have the latest expiry first. A height comes before an equal time.
func (x Reader) merge(heightEntries, timeEntries iter.Seq2[Entry, error], reverse bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		byHeight := kv.ReadAhead(heightEntries)
		defer byHeight.Stop()
		byTime := kv.ReadAhead(timeEntries)
		defer byTime.Stop()

		for byHeight.HasCurrent || byTime.HasCurrent {
			if err := cmp.Or(byHeight.Err, byTime.Err); err != nil {
				yield(Entry{}, err)
				return
			}

			// Yield the earlier of the two next entries, or the later one in reverse.
			heightIsEarlier := x.timeAt.timeOf(byHeight.Current.Expires) <= byTime.Current.Expires.Value
			heightIsNext := byHeight.HasCurrent && (!byTime.HasCurrent || heightIsEarlier != reverse)
			next := byTime
			if heightIsNext {
				next = byHeight
			}
			if !yield(next.Current, nil) {
				return
			}
			next.Advance()
		}
	}
}

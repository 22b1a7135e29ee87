package expiry

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Order is an order in which a [List] can have its grants.
type Order int

// The orders that have an index.
const (
	// ByExpiry begins with the grants that will expire, the soonest first. Then come the
	// grants that never expire. Last come the grants that have expired, the latest first.
	ByExpiry Order = iota
	// ByToken lists only approvals, by their tokens' ids. The list's Index has no effect.
	ByToken
	// ByOwner lists grants by the owner's address. The grants of one owner that expire at a
	// height come first, then those that expire at a time, then those that never expire.
	ByOwner
	// BySpender lists grants by the spender's address. The grants to one spender are in the
	// same order as those of one owner in ByOwner.
	BySpender
	// ByRisk begins with the grants that never expire. Then come the grants that will expire,
	// the latest first. Last come the grants that have expired, the latest first.
	ByRisk
)

// List describes a list of grants, which are approvals, operator grants and role offers.
// An example is the list of all grants to bob by their expiry. It can be read from any
// grant on, forwards and backwards.
type List struct {
	Index       // which grants the list has
	Order Order // in which order
	Live  bool  // leave out the grants that have expired
}

// Walk selects the part of a list to read, such as the part after a certain grant. It names
// this grant by its place, which [List.Place] returns.
type Walk = kv.Walk

// Place returns a text that marks the position of a grant in the list, so that a [Walk] can
// continue after this grant. The text is the grant's key in the index without the first
// letter. It stays valid when the clock moves, because it does not say whether the grant has
// expired.
func (l List) Place(grant cw721.Grant) string {
	var place []byte
	switch l.Order {
	case ByToken:
		place = appendToken(nil, grant.Token)
	case ByOwner:
		place = kv.AppendPart(nil, grant.Owner)
	case BySpender:
		place = kv.AppendPart(nil, grant.Spender)
	}
	place = appendEnd(place, grant.Expires)
	return string(appendIdentity(place, grant))
}

// expiryAtPlace returns when the grant at the place of walk expires, in a list by expiry
// or by risk. ok is false if walk has no place, or one that is too short to be a result
// of [List.Place].
func expiryAtPlace(walk Walk) (end cw721.Expiration, ok bool) {
	if walk.Place == nil || len(*walk.Place) < endSize {
		return end, false
	}
	return decodeEnd([]byte(*walk.Place)), true
}

// Before reports whether grant a comes before grant b in the list. The current block
// decides which grants have expired. timeAt makes heights comparable with times.
func (l List) Before(a, b cw721.Grant, currentBlock cw721.Block, timeAt Estimate) bool {
	if l.Order != ByExpiry && l.Order != ByRisk {
		return l.Place(a) < l.Place(b)
	}

	// A list by expiry or by risk has three sections, such as the grants that have expired.
	// If the grants are in different sections, the order of the sections decides.
	sectionA := sectionOf(a.Expires, currentBlock)
	sectionB := sectionOf(b.Expires, currentBlock)
	if sectionA != sectionB {
		sections := l.Order.sections()
		return slices.Index(sections, sectionA) < slices.Index(sections, sectionB)
	}

	// Within a section, the time of the expiry decides. A height counts as the time at which
	// its block is expected. Grants with the same time are in the order of their keys.
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
func (timeAt Estimate) timeOf(expiration cw721.Expiration) uint64 {
	if expiration.Axis == cw721.AtHeight {
		return uint64(timeAt(cw721.Height(expiration.Value)))
	}
	return expiration.Value
}

// List yields the grants of a list that walk selects, in the order of the list.
func (r Reader) List(list List, walk Walk) iter.Seq2[Entry, error] {
	walk.Place = r.storedPlace(walk.Place)

	// Each order has an index with keys in this order, except that two orders are composed
	// of several parts of the index by expiry.
	var indexLetter byte // the first byte of its keys
	switch list.Order {
	case ByExpiry, ByRisk:
		return r.listByExpiry(list, walk)
	case ByToken:
		indexLetter = byToken
	case ByOwner:
		indexLetter = list.letter(byOwner)
	case BySpender:
		indexLetter = list.letter(bySpender)
	}

	prefix := []byte{indexLetter}
	keys := walk.RangeUnder(kv.PrefixRange(prefix), prefix)
	entries := r.walk(keys)
	if list.Live {
		return r.withoutExpired(entries)
	}
	return entries
}

// storedPlace converts a place from [List.Place] into the form that the keys of the index
// have. A place ends with the kind of its grant. In a layout without a creator, the index
// stores the offer of the minter's role under another kind; see [Reader.walk]. A nil place
// stays nil.
func (r Reader) storedPlace(place *string) *string {
	if place == nil || r.layout.HasCreator() {
		return place
	}
	before, isOffer := strings.CutSuffix(*place, string(cw721.GrantMinterOffer))
	if !isOffer {
		return place
	}

	// The index stores such an offer as one of the creator's role.
	return new(before + string(cw721.GrantCreatorOffer))
}

// withoutExpired yields the entries that have not expired by now. It passes errors on.
func (r Reader) withoutExpired(entries iter.Seq2[Entry, error]) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for entry, err := range entries {
			if err == nil && entry.Expires.HasExpired(r.currentBlock) {
				continue
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// section is one of the three parts of a list by expiry or by risk: the grants that will
// expire, those that never expire, and those that have expired.
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
	switch s {
	case sectionPast:
		return true
	case sectionUpcoming:
		return o == ByRisk // a grant that stays valid for longer is the greater risk
	}
	return false
}

// sectionOf returns the section of a list to which a grant belongs in the current block:
// the grants that never expire, that have expired, or that will expire.
func sectionOf(expiration cw721.Expiration, currentBlock cw721.Block) section {
	switch {
	case expiration.Axis == cw721.Never:
		return sectionEndless
	case expiration.HasExpired(currentBlock):
		return sectionPast
	}
	return sectionUpcoming
}

// listByExpiry yields the grants that walk selects from a list by expiry or by risk. Such a
// list has three sections: the grants that will expire, that have expired, and that never
// expire. If walk has a place, listByExpiry begins there, within the section of the grant
// at this place. Then it reads the other sections in the direction of walk.
func (r Reader) listByExpiry(list List, walk Walk) iter.Seq2[Entry, error] {
	sections := list.Order.sections()
	if walk.Reverse {
		slices.Reverse(sections)
	}

	// Skip the sections before the place.
	end, hasPlace := expiryAtPlace(walk)
	firstSection := sectionOf(end, r.currentBlock)
	if hasPlace {
		start := slices.Index(sections, firstSection)
		sections = sections[start:]
	}
	if list.Live {
		sections = slices.DeleteFunc(sections, func(s section) bool { return s == sectionPast })
	}

	return func(yield func(Entry, error) bool) {
		for _, s := range sections {
			// Only the section with the place begins there. The others are read as a whole.
			sectionWalk := Walk{Reverse: walk.Reverse}
			if hasPlace && s == firstSection {
				sectionWalk = walk
			}
			entries := r.readSection(list, s, sectionWalk)
			if !yieldAll(entries, yield) {
				return
			}
		}
	}
}

// yieldAll passes entries to yield. It returns false if yield wants no more of them, or if
// reading them failed.
func yieldAll(entries iter.Seq2[Entry, error], yield func(Entry, error) bool) bool {
	for entry, err := range entries {
		if !yield(entry, err) || err != nil {
			return false
		}
	}
	return true
}

// readSection yields the grants that walk selects from one section of a list by expiry or by
// risk. The index has the grants that expire at a height apart from those that expire at a
// time. readSection reads both and merges them by their times.
func (r Reader) readSection(list List, s section, walk Walk) iter.Seq2[Entry, error] {
	// The index has the earliest expiry first. If the section has the latest expiry first, the
	// index is read in the other direction.
	if list.Order.isLatestFirst(s) {
		walk.Reverse = !walk.Reverse
	}
	switch s {
	case sectionEndless:
		return r.readAxis(list.Index, cw721.Never, 0, maxEnd, walk)
	case sectionPast:
		heights := r.readAxis(list.Index, cw721.AtHeight, 0, uint64(r.currentBlock.Height), walk)
		times := r.readAxis(list.Index, cw721.AtTime, 0, uint64(r.currentBlock.Time), walk)
		return r.merge(heights, times, walk.Reverse)
	}

	// The remaining section has the grants that will expire, after the current block.
	heights := r.readAxisAfter(list.Index, cw721.AtHeight, uint64(r.currentBlock.Height), walk)
	times := r.readAxisAfter(list.Index, cw721.AtTime, uint64(r.currentBlock.Time), walk)
	return r.merge(heights, times, walk.Reverse)
}

// readAxisAfter yields the grants that walk selects from those that expire on an axis,
// heights or times, after a value.
func (r Reader) readAxisAfter(
	index Index,
	axis cw721.Axis,
	value uint64,
	walk Walk,
) iter.Seq2[Entry, error] {
	if value == maxEnd {
		return noEntries // value+1 would overflow
	}
	return r.readAxis(index, axis, value+1, maxEnd, walk)
}

// readAxis yields the grants that walk selects from those that expire on an axis, heights
// or times, from low to high, both included. If walk begins at a grant on the other axis,
// readAxis compares times: it begins at the first value after this grant. If walk goes
// backwards, it begins at the last value before this grant.
func (r Reader) readAxis(
	index Index,
	axis cw721.Axis,
	low, high uint64,
	walk Walk,
) iter.Seq2[Entry, error] {
	end, hasPlace := expiryAtPlace(walk)
	isOnOtherAxis := hasPlace && end.Axis != axis
	if isOnOtherAxis {
		// This axis has no such place, but the part of the axis that comes after it.
		walk.Place = nil
		isEmpty := false
		low, high, isEmpty = r.narrowValues(axis, low, high, end, walk.Reverse)
		if isEmpty {
			return noEntries
		}
	}
	prefix := index.prefix()
	keys := axisRange(prefix, axis, low, high)
	return r.walk(walk.RangeUnder(keys, prefix))
}

// narrowValues narrows a range of values of an axis, from low to high, to those that come
// after end, an expiration on the other axis. If selectsBefore is true, it narrows the
// range to the values that come before end. isEmpty is true if no values remain.
//
// For example, the block of height 150 is expected just after the time end. Of the heights
// from 100 to 200, those from 150 to 200 come after end, and those from 100 to 149 before
// it.
func (r Reader) narrowValues(
	axis cw721.Axis,
	low, high uint64,
	end cw721.Expiration,
	selectsBefore bool,
) (narrowLow, narrowHigh uint64, isEmpty bool) {
	firstAfter, exists := r.firstValueAfter(axis, end)
	switch {
	case selectsBefore && !exists: // all values come before end
		return low, high, low > high
	case selectsBefore && firstAfter == 0: // no value comes before end
		return 0, 0, true
	case selectsBefore:
		high = min(high, firstAfter-1)
	case !exists: // no value comes after end
		return 0, 0, true
	default:
		low = max(low, firstAfter)
	}
	return low, high, low > high
}

// noEntries is the sequence without any entry.
var noEntries iter.Seq2[Entry, error] = func(func(Entry, error) bool) {}

// firstValueAfter returns the first value of an axis that comes after end, an expiration
// on the other axis, in a list by expiry. exists is false if no value comes after end.
func (r Reader) firstValueAfter(axis cw721.Axis, end cw721.Expiration) (value uint64, exists bool) {
	// After a height comes the time at which its block is expected, because a list has a
	// height before an equal time.
	if axis == cw721.AtTime {
		return r.timeAt.timeOf(end), true
	}

	// After a time comes the first height whose block is expected later. Find this height by
	// a binary search: isAfter is false for all heights below low, and true from high on.
	isAfter := func(height uint64) bool { return uint64(r.timeAt(cw721.Height(height))) > end.Value }
	low := uint64(0)
	high := maxEnd
	for low < high {
		middle := low + (high-low)/2
		if isAfter(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, isAfter(low) // it is false if no height at all is late enough
}

// merge merges two sequences of grants in the order of their expiry. The grants of the
// first expire at a height, and those of the second at a time. A height comes before an
// equal time. If reverse is true, both sequences and the result have the opposite order.
func (r Reader) merge(
	heightEntries, timeEntries iter.Seq2[Entry, error],
	reverse bool,
) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		byHeight := kv.NewLookaheadReader(heightEntries)
		defer byHeight.Stop()
		byTime := kv.NewLookaheadReader(timeEntries)
		defer byTime.Stop()

		for byHeight.HasCurrent || byTime.HasCurrent {
			if err := cmp.Or(byHeight.Err, byTime.Err); err != nil {
				yield(Entry{}, err)
				return
			}

			// Yield the earlier of the two next entries, or the later one in reverse.
			timeOfHeight := r.timeAt.timeOf(byHeight.Current.Expires)
			heightIsEarlier := timeOfHeight <= byTime.Current.Expires.Value
			takesHeight := heightIsEarlier != reverse
			next := byTime
			if byHeight.HasCurrent && (!byTime.HasCurrent || takesHeight) {
				next = byHeight
			}
			if !yield(next.Current, nil) {
				return
			}
			next.Advance()
		}
	}
}

package expiry

import (
	"cmp"
	"iter"
	"slices"

	"ephemera/core/cw721"
)

// section is one of the three parts of a list by expiry or by risk.
type section int

const (
	sectionUpcoming section = iota // grants that will expire
	sectionEndless                 // grants that never expire
	sectionPast                    // grants that have expired
)

// sections returns the three sections in the order of the list.
func (o Order) sections() []section {
	if o == ByRisk {
		return []section{sectionEndless, sectionUpcoming, sectionPast}
	}
	return []section{sectionUpcoming, sectionEndless, sectionPast}
}

// isLatestFirst reports whether a section begins with the latest expiry.
func (o Order) isLatestFirst(s section) bool {
	switch s {
	case sectionPast:
		return true
	case sectionUpcoming:
		return o == ByRisk // a grant that stays valid for longer is the greater risk
	}
	return false
}

func sectionOf(expiration cw721.Expiration, currentBlock cw721.Block) section {
	switch {
	case expiration.Axis == cw721.Never:
		return sectionEndless
	case expiration.HasExpired(currentBlock):
		return sectionPast
	}
	return sectionUpcoming
}

// listByExpiry is [Reader.List] for a list by expiry or by risk.
func (r Reader) listByExpiry(list List, walk Walk) iter.Seq2[Entry, error] {
	sections := list.Order.sections()
	if walk.Reverse {
		slices.Reverse(sections)
	}

	var placeSection section
	placeExpiry, hasPlace := expiryAtPlace(walk)
	if hasPlace {
		placeSection = sectionOf(placeExpiry, r.currentBlock)
		sections = sections[slices.Index(sections, placeSection):]
	}
	if list.OnlyLive {
		sections = slices.DeleteFunc(sections, func(s section) bool { return s == sectionPast })
	}

	return func(yield func(Entry, error) bool) {
		for _, s := range sections {
			sectionWalk := Walk{Reverse: walk.Reverse}
			if hasPlace && s == placeSection {
				sectionWalk = walk
			}
			entries := r.readSection(list, s, sectionWalk)
			if !yieldAll(entries, yield) {
				return
			}
		}
	}
}

// yieldAll returns false if yield wants no more entries, or after an error, which it also yields.
func yieldAll(entries iter.Seq2[Entry, error], yield func(Entry, error) bool) bool {
	for entry, err := range entries {
		if !yield(entry, err) || err != nil {
			return false
		}
	}
	return true
}

// readSection yields the grants of one section. The index has those that expire at a height apart
// from those that expire at a time, so it merges them.
func (r Reader) readSection(list List, s section, walk Walk) iter.Seq2[Entry, error] {
	// The index has the earliest expiry first.
	if list.Order.isLatestFirst(s) {
		walk.Reverse = !walk.Reverse
	}
	if s == sectionEndless {
		return r.readAxis(list.Index, cw721.Never, 0, maxEnd, walk)
	}
	heights := r.readSectionAxis(list.Index, s, cw721.AtHeight, walk)
	times := r.readSectionAxis(list.Index, s, cw721.AtTime, walk)
	return r.merge(heights, times, walk.Reverse)
}

// readSectionAxis yields the grants of a section on one axis.
func (r Reader) readSectionAxis(index Index, s section, axis cw721.Axis, walk Walk) iter.Seq2[Entry, error] {
	currentValue := r.currentBlock.ValueOn(axis)
	switch {
	case s == sectionPast:
		return r.readAxis(index, axis, 0, currentValue, walk)
	case currentValue == maxEnd:
		return noEntries // nothing can expire later
	}
	return r.readAxis(index, axis, currentValue+1, maxEnd, walk)
}

// readAxis yields the grants that expire on an axis from the value low to high, both included.
// If the place of walk is that of a grant on the other axis, readAxis compares times: it begins at
// the first value of its axis after this grant, or, backwards, at the last value before it.
func (r Reader) readAxis(index Index, axis cw721.Axis, low, high uint64, walk Walk) iter.Seq2[Entry, error] {
	prefix := index.prefix()
	placeExpiry, hasPlace := expiryAtPlace(walk)
	if !hasPlace || placeExpiry.Axis == axis {
		keys := axisRange(prefix, axis, low, high)
		return r.entriesIn(walk.RangeUnder(keys, prefix))
	}

	firstAfter, exists := r.firstValueAfter(axis, placeExpiry)
	switch {
	case walk.Reverse && exists && firstAfter > 0:
		high = min(high, firstAfter-1)
	case !walk.Reverse && exists:
		low = max(low, firstAfter)
	case !walk.Reverse || exists: // no value comes after the place, or before it
		return noEntries
	}
	walk.Place = nil
	return r.entriesIn(walk.RangeUnder(axisRange(prefix, axis, low, high), prefix))
}

var noEntries iter.Seq2[Entry, error] = func(func(Entry, error) bool) {}

// firstValueAfter returns the first value of an axis that comes after otherEnd, an expiration
// on the other axis, in a list by expiry, such as the first height whose block is expected
// after a time. exists is false if there is none.
func (r Reader) firstValueAfter(axis cw721.Axis, otherEnd cw721.Expiration) (value uint64, exists bool) {
	// The first time after a height is the one at which its block is expected, because a list
	// has a height before an equal time.
	if axis == cw721.AtTime {
		return r.timeAt.timeOf(otherEnd), true
	}

	// Find the first height whose block is expected after the time, by a binary search:
	// isAfter is false for all heights below low, and true from high on.
	isAfter := func(height uint64) bool {
		return uint64(r.timeAt(cw721.Height(height))) > otherEnd.Value
	}
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
	return low, isAfter(low) // even the last height may be too early
}

// merge merges grants that expire at a height and grants that expire at a time in the order of
// their expiry. A height comes before an equal time. If reverse is true, both sequences and
// the result have the opposite order.
func (r Reader) merge(
	heightEntries, timeEntries iter.Seq2[Entry, error],
	reverse bool,
) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		nextHeight, stopHeights := iter.Pull2(heightEntries)
		defer stopHeights()
		nextTime, stopTimes := iter.Pull2(timeEntries)
		defer stopTimes()

		heightEntry, heightErr, hasHeight := nextHeight()
		timeEntry, timeErr, hasTime := nextTime()
		for hasHeight || hasTime {
			if err := cmp.Or(heightErr, timeErr); err != nil {
				yield(Entry{}, err)
				return
			}

			// At the end of one sequence, take from the other.
			isHeightFirst := r.timeAt.timeOf(heightEntry.Expires) <= timeEntry.Expires.Value
			if !hasTime || hasHeight && isHeightFirst != reverse {
				if !yield(heightEntry, nil) {
					return
				}
				heightEntry, heightErr, hasHeight = nextHeight()
				continue
			}
			if !yield(timeEntry, nil) {
				return
			}
			timeEntry, timeErr, hasTime = nextTime()
		}
	}
}

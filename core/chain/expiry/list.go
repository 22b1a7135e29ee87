package expiry

import (
	"iter"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Order is an order in which a [List] can have its grants.
type Order int

// The orders in which a list of grants can be read.
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

// List describes a list of grants, such as all grants to bob by their expiry.
type List struct {
	Index          // which grants are in the list
	Order    Order // the order of the list
	OnlyLive bool  // whether the list leaves out the grants that have expired
}

// Walk selects the part of a list to read. Its place is from [List.Place].
type Walk = kv.Walk

// Place returns the place of a grant in the list: its key in the index of this order, without the
// first letter. It stays valid when the clock moves.
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

// expiryAtPlace returns when the grant at the place of walk expires, in a list by expiry or by risk,
// in which the place begins with that. ok is false without a place, or if it is too short.
func expiryAtPlace(walk Walk) (expires cw721.Expiration, ok bool) {
	if walk.Place == nil || len(*walk.Place) < endSize {
		return expires, false
	}
	return decodeEnd([]byte(*walk.Place)), true
}

// Before reports whether grant a comes before grant b in the list. It reads no index.
func (l List) Before(a, b cw721.Grant, currentBlock cw721.Block, timeAt Estimate) bool {
	if l.Order != ByExpiry && l.Order != ByRisk {
		return l.Place(a) < l.Place(b)
	}

	sectionA := sectionOf(a.Expires, currentBlock)
	sectionB := sectionOf(b.Expires, currentBlock)
	if sectionA != sectionB {
		sections := l.Order.sections()
		return slices.Index(sections, sectionA) < slices.Index(sections, sectionB)
	}

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

// timeOf returns the time of an expiration in nanoseconds; for a height, the expected one.
func (timeAt Estimate) timeOf(expiration cw721.Expiration) uint64 {
	if expiration.Axis == cw721.AtHeight {
		return uint64(timeAt(cw721.Height(expiration.Value)))
	}
	return expiration.Value
}

// List yields the grants of a list in its order, or backwards, from the place at which walk
// begins.
func (r Reader) List(list List, walk Walk) iter.Seq2[Entry, error] {
	walk.Place = r.storedPlace(walk.Place)

	// A list by token, owner or spender is one index. A list by expiry or by risk is put
	// together from several parts of the index by expiry.
	var indexLetter byte
	switch list.Order {
	case ByExpiry, ByRisk:
		return r.listByExpiry(list, walk)
	case ByToken:
		indexLetter = tokenIndex
	case ByOwner:
		indexLetter = list.letter(ownerIndex)
	case BySpender:
		indexLetter = list.letter(spenderIndex)
	}

	prefix := []byte{indexLetter}
	keys := walk.RangeUnder(kv.PrefixRange(prefix), prefix)
	entries := r.entriesIn(keys)
	if list.OnlyLive {
		return kv.Filter(entries, func(e Entry) bool { return !e.Expires.HasExpired(r.currentBlock) })
	}
	return entries
}

// storedPlace converts a place into the form of the keys of the index. It differs only in the kind
// of the minter's offer, in a layout without creator; see [Reader.entriesIn].
func (r Reader) storedPlace(place *string) *string {
	if place == nil || r.layout.HasCreator() {
		return place
	}
	placeBeforeKind, isOffer := strings.CutSuffix(*place, string(cw721.GrantMinterOffer))
	if !isOffer {
		return place
	}

	return new(placeBeforeKind + string(cw721.GrantCreatorOffer))
}

package expiry

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Index selects grants, such as approvals, by who gave or received them. The zero Index
// selects all grants of the collection.
type Index struct {
	Owner         cw721.Address // only grants by this account; "" for all
	Spender       cw721.Address // only grants to this account; "" for all; ignored if Owner is set
	OnlyOperators bool          // only operator grants, without approvals and role offers
}

func (i Index) prefix() []byte {
	switch {
	case i.Owner != "":
		return kv.AppendPart([]byte{i.letter(ownerIndex)}, i.Owner)
	case i.Spender != "":
		return kv.AppendPart([]byte{i.letter(spenderIndex)}, i.Spender)
	}
	return []byte{i.letter(expiryIndex)}
}

// letter returns the letter of an index, such as 'o', or its capital.
func (i Index) letter(indexLetter byte) byte {
	if i.OnlyOperators {
		return indexLetter - operatorOffset
	}
	return indexLetter
}

// Estimate returns the time at which the block of a height is expected, so that grants that
// expire at a height can be compared with grants that expire at a time. A greater height
// must not have an earlier time.
type Estimate func(cw721.Height) cw721.Time

// Reader reads the expiry index.
type Reader struct {
	index        kv.Reader     // the records of the index
	layout       *cw721.Layout // the layout of the contract's storage
	currentBlock cw721.Block   // decides which grants have expired
	timeAt       Estimate      // makes the two axes comparable
	UndatedUntil cw721.Block   // it is not known when grants up to this block were given
}

// NewReader returns a reader of the records in index, for a contract with a layout.
func NewReader(index kv.Reader, layout *cw721.Layout, currentBlock cw721.Block, timeAt Estimate) Reader {
	return Reader{index: index, layout: layout, currentBlock: currentBlock, timeAt: timeAt}
}

// ExpiringBetween yields the grants that expire on one axis between two values, both included,
// the first to expire first.
func (r Reader) ExpiringBetween(axis cw721.Axis, first, last uint64) iter.Seq2[Entry, error] {
	return r.entriesIn(axisRange([]byte{expiryIndex}, axis, first, last))
}

// LastExpiry returns the grant that expires last on one axis; ok is false if none does.
func (r Reader) LastExpiry(axis cw721.Axis) (entry Entry, ok bool, err error) {
	backwardsRange := axisRange([]byte{expiryIndex}, axis, 0, maxEnd)
	backwardsRange.Reverse = true

	for lastEntry, err := range r.entriesIn(backwardsRange) {
		return lastEntry, err == nil, err // the first entry backwards is the last one
	}
	return entry, false, nil
}

// Grants yields the grants that index selects: first those that expire at a height, then those
// that expire at a time, then those that never expire.
func (r Reader) Grants(index Index) iter.Seq2[Entry, error] {
	return r.entriesIn(kv.PrefixRange(index.prefix()))
}

// GrantsOnTokens yields all approvals in the order of their tokens' ids, from firstID on, which can
// be "". Ids of more than 256 bytes that begin with the same bytes are in no particular order.
func (r Reader) GrantsOnTokens(firstID string) iter.Seq2[Entry, error] {
	approvals := kv.PrefixRange([]byte{tokenIndex})
	if firstID != "" {
		approvals.Start = appendEscapedToken([]byte{tokenIndex}, firstID)
	}
	return r.entriesIn(approvals)
}

// ExpiredSince yields the grants that have expired now, but had not in an earlier block. First
// come those that expire at a height, then those that expire at a time, in both groups the
// first to expire first.
func (r Reader) ExpiredSince(earlier cw721.Block) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, axis := range []cw721.Axis{cw721.AtHeight, cw721.AtTime} {
			earlierValue := earlier.ValueOn(axis)
			currentValue := r.currentBlock.ValueOn(axis)

			if currentValue <= earlierValue {
				continue
			}
			expired := r.ExpiringBetween(axis, earlierValue+1, currentValue)
			if !yieldAll(expired, yield) {
				return
			}
		}
	}
}

// Upcoming yields the grants that have not expired, the soonest first and those that never
// expire last. A height counts as its estimated time.
func (r Reader) Upcoming(index Index) iter.Seq2[Entry, error] {
	return r.List(List{Index: index, OnlyLive: true}, Walk{})
}

// NextExpiry returns the grant that expires next; nil for none.
func (r Reader) NextExpiry() (*Entry, error) {
	for entry, err := range r.Upcoming(Index{}) {
		if err != nil {
			return nil, err
		}
		if entry.Expires.Axis == cw721.Never {
			return nil, nil // grants that never expire come last, so no other follows
		}
		return &entry, nil
	}
	return nil, nil
}

// entriesIn yields the entries whose keys are in a range, with the kinds of the present layout. The
// index has those of [cw721.CurrentLayout], so that it can stay unchanged in a migration.
func (r Reader) entriesIn(keys kv.Range) iter.Seq2[Entry, error] {
	return kv.Convert(r.index.Scan(keys), func(pair kv.Pair) (Entry, error) {
		entry, err := decodeUncheckedEntry(pair.Key, pair.Value)
		entry.Kind = r.layout.GrantKind(entry.Kind)
		until := r.UndatedUntil
		if entry.GrantedAt.Height <= until.Height && entry.GrantedAt.Time <= until.Time {
			entry.GrantedAt = cw721.Block{}
		}
		return entry, err
	})
}

// WithBlock returns the entry of a grant. If the index does not list it, the block is not known.
func (r Reader) WithBlock(grant cw721.Grant) (Entry, error) {
	// The index may have another name for the kind, with which the key ends.
	key := bytes.TrimSuffix(keysOf(grant)[0], []byte(grant.Kind))
	for entry, err := range r.entriesIn(kv.PrefixRange(key)) {
		if err != nil || entry.Grant == grant {
			return entry, err
		}
	}
	return Entry{Grant: grant}, nil
}

const maxEnd = ^uint64(0)

// axisRange returns the range of the keys that begin with prefix and list the grants that
// expire on one axis between two values, both included.
func axisRange(prefix []byte, axis cw721.Axis, first, last uint64) kv.Range {
	axisPrefix := append(bytes.Clone(prefix), axisByte(axis))
	firstKey := binary.BigEndian.AppendUint64(bytes.Clone(axisPrefix), first)
	lastKey := binary.BigEndian.AppendUint64(axisPrefix, last)
	return kv.Range{Start: firstKey, End: kv.PrefixEnd(lastKey)}
}

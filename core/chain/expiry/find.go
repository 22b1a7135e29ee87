package expiry

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Index selects a part of the expiry index: with an owner what that account gave, with a
// spender what it was given, with neither the whole collection.
type Index struct {
	Owner     cw721.Address
	Spender   cw721.Address
	Operators bool // operator grants alone, without reading others
}

// prefix returns the bytes with which the keys of the part begin.
func (i Index) prefix() []byte {
	switch {
	case i.Owner != "":
		return kv.AppendPart([]byte{i.letter(byOwner)}, i.Owner)
	case i.Spender != "":
		return kv.AppendPart([]byte{i.letter(bySpender)}, i.Spender)
	}
	return []byte{i.letter(byEnd)}
}

// letter returns the first byte of an index, or of its copy with operators alone.
func (i Index) letter(index byte) byte {
	if i.Operators {
		return index - operatorOffset
	}
	return index
}

// Estimate returns the block time at which the block of a height is expected. It must
// not fall as the height grows.
type Estimate func(cw721.Height) cw721.Time

// Reader reads the expiry index as seen from a block. A chain's view is one.
type Reader struct {
	r      kv.Reader
	now    cw721.Block
	timeAt Estimate
}

// NewReader returns a reader of the index in r, seen from block now.
func NewReader(r kv.Reader, now cw721.Block, timeAt Estimate) Reader {
	return Reader{r: r, now: now, timeAt: timeAt}
}

// ExpiringBetween visits what expires on one axis from one value to another, both
// included, soonest first.
func (x Reader) ExpiringBetween(axis cw721.Axis, from, to uint64) iter.Seq2[Entry, error] {
	return walk(x.r, axisRange([]byte{byEnd}, axis, from, to))
}

// LastExpiry returns what expires last on one axis; ok is false if nothing does.
func (x Reader) LastExpiry(axis cw721.Axis) (e Entry, ok bool, err error) {
	backwards := axisRange([]byte{byEnd}, axis, 0, maxEnd)
	backwards.Reverse = true
	for e, err := range walk(x.r, backwards) {
		return e, err == nil, err
	}
	return e, false, nil
}

// Grants visits every grant of an index: by height, then by time, then those that never
// expire.
func (x Reader) Grants(i Index) iter.Seq2[Entry, error] {
	return walk(x.r, kv.PrefixRange(i.prefix()))
}

// GrantsOnTokens visits all approvals in the order of their tokens' ids, from an id on,
// itself included. Ids of more than 256 bytes that begin alike are in no order.
func (x Reader) GrantsOnTokens(from string) iter.Seq2[Entry, error] {
	approvals := kv.PrefixRange([]byte{byToken})
	if from != "" {
		approvals.Start = appendTokenStart([]byte{byToken}, from)
	}
	return walk(x.r, approvals)
}

// ExpiredSince visits what has expired by now and had not in an earlier block: heights
// first, then times, each soonest first.
func (x Reader) ExpiredSince(earlier cw721.Block) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, axis := range []cw721.Axis{cw721.AtHeight, cw721.AtTime} {
			before, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(earlier)
			now, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(x.now)
			if now <= before {
				continue
			}
			for e, err := range x.ExpiringBetween(axis, before+1, now) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// Upcoming visits what has not expired, soonest first: a height comes at its estimated
// time, and what never expires comes last.
func (x Reader) Upcoming(i Index) iter.Seq2[Entry, error] {
	return x.List(List{Index: i, Live: true}, Walk{})
}

// Past visits what has expired, the latest first.
func (x Reader) Past(i Index) iter.Seq2[Entry, error] {
	return x.readSection(i, sectionPast, Walk{})
}

// NextExpiry returns what expires first from now on; nil if nothing will.
func (x Reader) NextExpiry() (*Entry, error) {
	for e, err := range x.Upcoming(Index{}) {
		if err != nil || e.Expires.Axis == cw721.Never {
			return nil, err
		}
		return &e, nil
	}
	return nil, nil
}

// walk visits the entries in a range of keys. An error ends it.
func walk(r kv.Reader, keys kv.Range) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for p, err := range r.Scan(keys) {
			var e Entry
			if err == nil {
				e, err = decode(p.Key, p.Value)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// maxEnd is the last height or time.
const maxEnd = ^uint64(0)

// axisRange returns the range of the keys that begin with prefix and end on one axis
// from one value to another, both included.
func axisRange(prefix []byte, axis cw721.Axis, from, to uint64) kv.Range {
	axisPrefix := append(bytes.Clone(prefix), axisByte(axis))
	return kv.Range{
		Start: binary.BigEndian.AppendUint64(bytes.Clone(axisPrefix), from),
		End:   kv.PrefixEnd(binary.BigEndian.AppendUint64(axisPrefix, to)),
	}
}

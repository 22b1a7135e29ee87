package expiry

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// walk reads the entries of a range of keys.
func walk(r kv.Reader, rng kv.Range) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for p, err := range r.Scan(rng) {
			var e Entry
			if err == nil {
				e, err = entry(p.Key, p.Value)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// span gives the keys of one axis of an index from value from up to value to,
// both inclusive.
func span(prefix []byte, axis cw721.Axis, from, to uint64) kv.Range {
	start := binary.BigEndian.AppendUint64(append(bytes.Clone(prefix), rank(axis)), from)
	end := binary.BigEndian.AppendUint64(append(bytes.Clone(prefix), rank(axis)), to)
	return kv.Range{Start: start, End: kv.PrefixEnd(end)}
}

// Index names a part of the expiry index to walk: the whole collection when empty, or
// all that one account gave, or all that one account was given. Operators
// leaves everything but operator grants out, without reading the rest.
type Index struct {
	Owner     cw721.Address
	Spender   cw721.Address
	Operators bool
}

func (i Index) prefix() []byte {
	switch {
	case i.Owner != "":
		return kv.AppendPart([]byte{i.letter(byOwner)}, i.Owner)
	case i.Spender != "":
		return kv.AppendPart([]byte{i.letter(bySpender)}, i.Spender)
	}
	return []byte{i.letter(byEnd)}
}

func (i Index) letter(of byte) byte {
	if i.Operators {
		return of - operatorsAlone
	}
	return of
}

const forever = ^uint64(0)

// Estimate gives the block time at which a block of that height is expected.
type Estimate func(cw721.Height) cw721.Time

// Reader reads the index as it is seen from a block. A chain's view is one.
type Reader struct {
	r   kv.Reader
	now cw721.Block
	at  Estimate
}

// NewReader reads the index in r, seen from block now.
func NewReader(r kv.Reader, now cw721.Block, at Estimate) Reader { return Reader{r, now, at} }

// ExpiringBetween walks what expires on one axis from one value to another, both included, soonest
// first.
func (x Reader) ExpiringBetween(axis cw721.Axis, from, to uint64) iter.Seq2[Entry, error] {
	return walk(x.r, span([]byte{byEnd}, axis, from, to))
}

// LastExpiry gives what expires last on one axis; ok is false where nothing does.
func (x Reader) LastExpiry(axis cw721.Axis) (e Entry, ok bool, err error) {
	rng := span([]byte{byEnd}, axis, 0, forever)
	rng.Reverse = true
	for e, err := range walk(x.r, rng) {
		return e, err == nil, err
	}
	return e, false, nil
}

// Grants walks every grant of an index: by height, by time, and what never expires.
func (x Reader) Grants(i Index) iter.Seq2[Entry, error] { return walk(x.r, kv.PrefixRange(i.prefix())) }

// GrantsOnTokens walks all approvals in the order of their tokens' ids, from an id
// (inclusive) on. Ids of more than 256 bytes that begin alike come in an order
// of their own.
func (x Reader) GrantsOnTokens(from string) iter.Seq2[Entry, error] {
	rng := kv.PrefixRange([]byte{byToken})
	if from != "" {
		rng.Start = appendID([]byte{byToken}, shorten(from))
	}
	return walk(x.r, rng)
}

// Expired walks what has expired by now and had not in block from.
func (x Reader) Expired(from cw721.Block) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, axis := range []cw721.Axis{cw721.AtHeight, cw721.AtTime} {
			past, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(from)
			now, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(x.now)
			if now <= past {
				continue
			}
			for e, err := range x.ExpiringBetween(axis, past+1, now) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// Upcoming walks what is still to expire, soonest first. Heights are ranked by
// their estimated time; what never expires comes last.
func (x Reader) Upcoming(i Index) iter.Seq2[Entry, error] {
	return x.List(List{Index: i, Live: true}, Walk{})
}

// Past walks what has expired, the latest first.
func (x Reader) Past(i Index) iter.Seq2[Entry, error] {
	return x.part(List{Index: i}, over, cw721.Expiration{}, Walk{})
}

// NextExpiry gives what expires first from now on; nil when nothing will.
func (x Reader) NextExpiry() (*Entry, error) {
	for e, err := range x.Upcoming(Index{}) {
		if err != nil || e.Expires.Axis == cw721.Never {
			return nil, err
		}
		return &e, nil
	}
	return nil, nil
}

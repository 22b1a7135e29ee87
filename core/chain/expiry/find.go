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

func whole(prefix []byte) kv.Range { return kv.Range{Start: prefix, End: kv.PrefixEnd(prefix)} }

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

// Ending walks what expires on one axis from one value to another, both included, soonest
// first.
func (i Index) Ending(r kv.Reader, axis cw721.Axis, from, to uint64) iter.Seq2[Entry, error] {
	return walk(r, span(i.prefix(), axis, from, to))
}

// Last gives what expires last on one axis; ok is false where nothing does.
func (i Index) Last(r kv.Reader, axis cw721.Axis) (e Entry, ok bool, err error) {
	rng := span(i.prefix(), axis, 0, forever)
	rng.Reverse = true
	for e, err := range walk(r, rng) {
		return e, err == nil, err
	}
	return e, false, nil
}

// All walks every grant of the index: by height, by time, and what never expires.
func (i Index) All(r kv.Reader) iter.Seq2[Entry, error] { return walk(r, whole(i.prefix())) }

// OnTokens walks all approvals in the order of their tokens' ids, from an id
// (inclusive) on. Ids of more than 256 bytes that begin alike come in an order
// of their own.
func OnTokens(r kv.Reader, from string) iter.Seq2[Entry, error] {
	rng := whole([]byte{byToken})
	if from != "" {
		rng.Start = appendID([]byte{byToken}, shorten(from))
	}
	return walk(r, rng)
}

// Expired walks what has expired in block to and had not in block from.
func Expired(r kv.Reader, from, to cw721.Block) iter.Seq2[Entry, error] {
	var all Index
	return func(yield func(Entry, error) bool) {
		for _, axis := range []cw721.Axis{cw721.AtHeight, cw721.AtTime} {
			past, now := uint64(from.Height), uint64(to.Height)
			if axis == cw721.AtTime {
				past, now = uint64(from.Time), uint64(to.Time)
			}
			if now <= past {
				continue
			}
			for e, err := range all.Ending(r, axis, past+1, now) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// Estimate gives the block time at which a block of that height is expected.
type Estimate func(cw721.Height) cw721.Time

// Upcoming walks what is still to expire after block now, soonest first. Heights
// are ranked by the time that at gives them; what never expires comes last.
func (i Index) Upcoming(r kv.Reader, now cw721.Block, at Estimate) iter.Seq2[Entry, error] {
	return List{Index: i, Live: true}.Walk(r, now, at, Walk{})
}

// Past walks what has expired in block now, the latest first.
func (i Index) Past(r kv.Reader, now cw721.Block, at Estimate) iter.Seq2[Entry, error] {
	return List{Index: i}.part(r, over, now, at, cw721.Expiration{}, Walk{})
}

// Next gives what expires first after block now; ok is false when nothing will.
func Next(r kv.Reader, now cw721.Block, at Estimate) (e Entry, ok bool, err error) {
	for e, err := range (Index{}).Upcoming(r, now, at) {
		return e, err == nil && e.Expires.Axis != cw721.Never, err
	}
	return Entry{}, false, nil
}

package expiry

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Index selects grants by who gave or received them. The zero Index selects all grants of
// the collection.
type Index struct {
	Owner     cw721.Address // only grants by this account; "" for all
	Spender   cw721.Address // only grants to this account; "" for all. Ignored if Owner is set
	Operators bool          // only operator grants, which are listed apart from the others
}

// prefix returns the bytes with which the keys of the selected grants begin.
func (i Index) prefix() []byte {
	switch {
	case i.Owner != "":
		return kv.AppendPart([]byte{i.letter(byOwner)}, i.Owner)
	case i.Spender != "":
		return kv.AppendPart([]byte{i.letter(bySpender)}, i.Spender)
	}
	return []byte{i.letter(byEnd)}
}

// letter returns the first byte of the keys of an index. Each index is stored twice: with
// all grants, under the letter all, and with operator grants only, under another letter.
func (i Index) letter(all byte) byte {
	if i.Operators {
		return all - operatorOffset
	}
	return all
}

// Estimate returns the time at which the block of a height is expected, so that grants that
// expire at a height can be compared with grants that expire at a time. A greater height must
// not have an earlier time.
type Estimate func(cw721.Height) cw721.Time

// Reader reads the expiry index, the list of all grants by their expiry. The block now decides
// which grants have expired.
type Reader struct {
	r      kv.Reader
	layout *cw721.Layout
	now    cw721.Block
	timeAt Estimate
}

// NewReader returns a reader of the index in r, seen from block now. The layout is that of
// the contract's storage.
func NewReader(r kv.Reader, layout *cw721.Layout, now cw721.Block, timeAt Estimate) Reader {
	return Reader{r: r, layout: layout, now: now, timeAt: timeAt}
}

// ExpiringBetween yields the grants that expire on one axis, heights or times, between two
// values, both included, the soonest first.
func (x Reader) ExpiringBetween(axis cw721.Axis, from, to uint64) iter.Seq2[Entry, error] {
	return x.walk(axisRange([]byte{byEnd}, axis, from, to))
}

// LastExpiry returns the grant that expires last on one axis, heights or times; ok is false
// if no grant expires on it.
func (x Reader) LastExpiry(axis cw721.Axis) (e Entry, ok bool, err error) {
	backwards := axisRange([]byte{byEnd}, axis, 0, maxEnd)
	backwards.Reverse = true
	for e, err := range x.walk(backwards) {
		return e, err == nil, err
	}
	return e, false, nil
}

// Grants yields every grant that i selects: first those that expire at a height, then those
// that expire at a time, then those that never expire.
func (x Reader) Grants(i Index) iter.Seq2[Entry, error] {
	return x.walk(kv.PrefixRange(i.prefix()))
}

// GrantsOnTokens yields all approvals in the order of their tokens' ids, beginning with
// those of the id from; "" begins with the first token. Ids of more than 256 bytes that
// begin with the same bytes are in no particular order.
func (x Reader) GrantsOnTokens(from string) iter.Seq2[Entry, error] {
	approvals := kv.PrefixRange([]byte{byToken})
	if from != "" {
		approvals.Start = appendEscapedToken([]byte{byToken}, from)
	}
	return x.walk(approvals)
}

// ExpiredSince yields the grants that have expired by now and had not expired in an earlier
// block: first those that expire at a height, then those that expire at a time, each group
// in the order of their expiry.
func (x Reader) ExpiredSince(earlier cw721.Block) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, axis := range []cw721.Axis{cw721.AtHeight, cw721.AtTime} {
			// The first result of NowAndEnd is the height or the time of the block.
			before, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(earlier)
			now, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(x.now)
			if now <= before {
				continue
			}
			if !yieldAll(x.ExpiringBetween(axis, before+1, now), yield) {
				return
			}
		}
	}
}

// Upcoming yields the grants that have not expired, the soonest first and those that never
// expire last. A grant that expires at a height is placed at the estimated time of the
// height.
func (x Reader) Upcoming(i Index) iter.Seq2[Entry, error] {
	return x.List(List{Index: i, Live: true}, Walk{})
}

// NextExpiry returns the grant that expires first from now on; nil if none will expire.
func (x Reader) NextExpiry() (*Entry, error) {
	for e, err := range x.Upcoming(Index{}) {
		if err != nil || e.Expires.Axis == cw721.Never {
			return nil, err // grants that never expire come last, so no other follows
		}
		return &e, nil
	}
	return nil, nil
}

// walk yields the entries whose keys are in a range. If an entry cannot be read, it yields the
// error and ends. The stored kinds of grants are those of [cw721.DecodeGrants], so that a
// migration to another layout need not change them; walk yields the kinds of the reader's
// layout.
func (x Reader) walk(keys kv.Range) iter.Seq2[Entry, error] {
	return kv.Convert(x.r.Scan(keys), func(p kv.Pair) (Entry, error) {
		e, err := decode(p.Key, p.Value)
		e.Kind = x.layout.GrantKind(e.Kind)
		return e, err
	})
}

// maxEnd is the greatest height or time at which a grant can expire.
const maxEnd = ^uint64(0)

// axisRange returns the range of the keys that begin with prefix and list the grants that
// expire on one axis, heights or times, between two values, both included.
func axisRange(prefix []byte, axis cw721.Axis, from, to uint64) kv.Range {
	axisPrefix := append(bytes.Clone(prefix), axisByte(axis))
	return kv.Range{
		Start: binary.BigEndian.AppendUint64(bytes.Clone(axisPrefix), from),
		End:   kv.PrefixEnd(binary.BigEndian.AppendUint64(axisPrefix, to)),
	}
}

// Package expiry keeps what will expire, and when: every approval, operator grant
// and role offer of a collection, in the order of its expiry, by who gave it, by
// who has it and by token.
//
// It is derived. A transaction hands it the changes that it made to the
// contract's records, and the expiry index follows in the same transaction, so the
// two cannot come apart. Nothing is removed when the clock passes an expiry: the
// contract keeps expired grants, and so does this.
//
// "What expires next" and "what expired between these blocks" are seeks: they cost
// the same with a hundred grants and with a hundred thousand.
//
// The package must never know how a grant came about, nor who is asking.
package expiry

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Entry is a grant with the block in which it was given.
type Entry struct {
	cw721.Grant
	GrantedAt cw721.Block
}

// The indexes, one byte each in front of the key. In each of the first four what
// is named here is followed by what tells one grant from all others (see
// [identity]); the value is that of [value]. The axis is one byte (see [rank]),
// the end 8 bytes big-endian.
const (
	byEnd     = 'e' // axis, end
	bySpender = 's' // spender, axis, end
	byOwner   = 'o' // owner, axis, end
	byToken   = 't' // token; approvals only
	holdings  = 'c' // owner → how many tokens, in decimal digits
)

// Operator grants stand a second time under the capital letters of the first
// three, alone, so that a few of them are found among a million approvals.
const operatorsAlone = 'a' - 'A'

// rank orders the axes in a key: heights 1, times 2, and what never expires last.
func rank(a cw721.Axis) byte { return byte(cmp.Or(a, never)) }

func axisOf(rank byte) cw721.Axis { return cw721.Axis(rank % never) }

const never = 3 // the rank of cw721.Never, which is 0

const endSize = 1 + 8 // axis and end in a key

func appendEnd(dst []byte, e cw721.Expiration) []byte {
	return binary.BigEndian.AppendUint64(append(dst, rank(e.Axis)), e.Value)
}

// identity tells one grant from all others, whenever it expires.
func identity(dst []byte, g cw721.Grant) []byte {
	dst = kv.AppendPart(dst, shorten(g.Token))
	dst = kv.AppendPart(dst, g.Owner)
	dst = kv.AppendPart(dst, g.Spender)
	return append(dst, g.Kind...)
}

// keys gives the keys under which a grant stands.
func keys(g cw721.Grant) [][]byte {
	// Every approval makes all of them, so none should grow.
	room := 2*(min(len(g.Token), longest)+len(g.Owner)+len(g.Spender)) + 64
	index := func(letter byte) []byte { return append(make([]byte, 0, room), letter) }
	under := func(prefix []byte) []byte { return identity(appendEnd(prefix, g.Expires), g) }
	all := append(make([][]byte, 0, 6),
		under(index(byEnd)),
		under(kv.AppendPart(index(bySpender), g.Spender)),
		under(kv.AppendPart(index(byOwner), g.Owner)),
	)
	switch g.Kind {
	case cw721.GrantApproval:
		all = append(all, under(append(appendID(index(byToken), shorten(g.Token)), endOfID...)))
	case cw721.GrantOperator:
		for _, k := range all[:3] {
			alone := bytes.Clone(k)
			alone[0] -= operatorsAlone
			all = append(all, alone)
		}
	}
	return all
}

// value is what stands under each key of an entry: the block in which it was
// given, and the token's whole id where the key has it cut. Everything else is
// in the key.
func value(e Entry) []byte {
	v := binary.BigEndian.AppendUint64(make([]byte, 0, valueSize), uint64(e.GrantedAt.Height))
	v = binary.BigEndian.AppendUint64(v, uint64(e.GrantedAt.Time))
	if len(e.Token) > longest {
		v = append(v, e.Token...)
	}
	return v
}

const valueSize = 8 + 8

var errShape = errors.New("the entry does not have the shape of one")

// entry reads an entry from its key in any index, and its value.
func entry(key, value []byte) (e Entry, err error) {
	fail := func() (Entry, error) { return Entry{}, &kv.CorruptError{Key: bytes.Clone(key), Err: errShape} }
	if len(key) < 1 || len(value) < valueSize {
		return fail()
	}
	rest := key[1:]
	switch key[0] {
	case bySpender, byOwner, bySpender - operatorsAlone, byOwner - operatorsAlone:
		if _, rest, err = kv.CutPart(rest); err != nil {
			return fail()
		}
	case byToken:
		var ok bool
		if rest, ok = cutID(rest); !ok {
			return fail()
		}
	}
	if len(rest) < endSize {
		return fail()
	}
	e.Expires = cw721.Expiration{Axis: axisOf(rest[0]), Value: binary.BigEndian.Uint64(rest[1:])}
	var parts [3][]byte
	rest = rest[endSize:]
	for i := range parts {
		if parts[i], rest, err = kv.CutPart(rest); err != nil {
			return fail()
		}
	}
	e.Token, e.Owner, e.Spender, e.Kind = string(parts[0]), cw721.Address(parts[1]), cw721.Address(parts[2]), cw721.GrantKind(rest)
	if len(value) > valueSize {
		e.Token = string(value[valueSize:])
	}
	e.GrantedAt = cw721.Block{
		Height: cw721.Height(binary.BigEndian.Uint64(value)),
		Time:   cw721.Time(binary.BigEndian.Uint64(value[8:])),
	}
	return e, nil
}

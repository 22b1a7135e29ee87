// Package expiry stores what will expire, and when: every approval, operator grant and
// role offer of a collection, in the order of its expiry, by owner, by spender and by
// token.
//
// The expiry index is derived. A transaction passes [Update] the changes that it made to
// the contract's records, and writes the changes of the index too, so the two are always
// in step. Nothing is removed when the clock passes an expiry: the contract keeps expired
// grants, and so does the index.
//
// "What expires next" and "what expired between these blocks" are seeks: they cost the
// same with a hundred grants and with a hundred thousand.
//
// The package must not know which message gave a grant, or which account the answer is for.
package expiry

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Entry is a grant with the block in which it was given.
type Entry struct {
	cw721.Grant
	GrantedAt cw721.Block
}

// The indexes. Each has its own letter as the first byte of its keys, then the parts named
// here, so that a scan yields the grants in this order. The axis is one byte: whether the
// grant expires at a height, at a time or never (see [axisByte]). The end is the height or
// the time in eight bytes, big-endian. The keys of the first four continue with the parts
// from [appendIdentity], and [encodeValue] makes their values.
const (
	byEnd         = 'e' // axis, end
	bySpender     = 's' // spender, axis, end
	byOwner       = 'o' // owner, axis, end
	byToken       = 't' // token, axis, end; approvals only
	holdingsIndex = 'c' // owner → how many tokens, in decimal digits
)

// operatorOffset is the distance from a small letter to its capital. Operator grants are
// also listed in copies of the first three indexes under the capital letters, such as 'E'
// for 'e'. With them, a few operator grants are found among a million approvals.
const operatorOffset = 'a' - 'A'

// neverByte is the byte of [cw721.Never], so that it comes after the other axes.
const neverByte = 3

// axisByte returns the byte of an axis in a key: 1 for heights, 2 for times, then 3 for
// what never expires.
func axisByte(a cw721.Axis) byte {
	if a == cw721.Never {
		return neverByte
	}
	return byte(a)
}

// axisOf is the inverse of [axisByte]. The remainder of 3 is 0, which is [cw721.Never]; the
// other bytes stay the same.
func axisOf(b byte) cw721.Axis { return cw721.Axis(b % neverByte) }

// endSize is the number of bytes of the axis and the end in a key.
const endSize = 1 + 8

// appendEnd appends the axis and the end of an expiration to a key.
func appendEnd(dst []byte, e cw721.Expiration) []byte {
	return binary.BigEndian.AppendUint64(append(dst, axisByte(e.Axis)), e.Value)
}

// appendIdentity appends the token, owner, spender and kind of a grant to a key, so that two
// grants with the same expiry have different keys. The token is empty for a grant that is no
// approval.
func appendIdentity(dst []byte, g cw721.Grant) []byte {
	dst = kv.AppendPart(dst, shortenID(g.Token))
	dst = kv.AppendPart(dst, g.Owner)
	dst = kv.AppendPart(dst, g.Spender)
	return append(dst, g.Kind...)
}

// keysOf returns the keys of a grant in all indexes that list it. The key in byEnd is first.
func keysOf(g cw721.Grant) (keys [][]byte) {
	add := func(index []byte) {
		keys = append(keys, appendIdentity(appendEnd(index, g.Expires), g))
	}
	add([]byte{byEnd})
	add(kv.AppendPart([]byte{bySpender}, g.Spender))
	add(kv.AppendPart([]byte{byOwner}, g.Owner))

	// Approvals are also listed by token, and operators once more among operators alone.
	switch g.Kind {
	case cw721.GrantApproval:
		add(appendToken([]byte{byToken}, g.Token))
	case cw721.GrantOperator:
		for _, key := range keys {
			operatorKey := bytes.Clone(key)
			operatorKey[0] -= operatorOffset
			keys = append(keys, operatorKey)
		}
	}
	return keys
}

// blockSize is the number of bytes of the height and the time in a value.
const blockSize = 8 + 8

// encodeValue returns the value of an entry in every index: the block in which the grant
// was given, and the id of the token if the keys have it shortened.
func encodeValue(e Entry) []byte {
	value := make([]byte, 0, blockSize)
	value = binary.BigEndian.AppendUint64(value, uint64(e.GrantedAt.Height))
	value = binary.BigEndian.AppendUint64(value, uint64(e.GrantedAt.Time))
	if len(e.Token) > maxTokenSize {
		value = append(value, e.Token...)
	}
	return value
}

// errMalformed reports that a key or a value is no entry of the index.
var errMalformed = errors.New("the entry does not have the shape of one")

// decode decodes an entry from its key in any index and its value. It fails with a
// [*kv.CorruptError] if they are too short. It does not check that the parts of the key fit
// each other, as [DecodeEntry] does.
func decode(key, value []byte) (e Entry, err error) {
	parts, err := afterIndex(key)
	if err != nil || len(parts) < endSize || len(value) < blockSize {
		return e, corruptEntry(key)
	}
	e.Expires = decodeEnd(parts)

	// Behind the expiry come token, owner, spender and kind.
	token, parts, err := kv.CutPart(parts[endSize:])
	if err != nil {
		return e, corruptEntry(key)
	}
	owner, parts, err := kv.CutPart(parts)
	if err != nil {
		return e, corruptEntry(key)
	}
	spender, kind, err := kv.CutPart(parts)
	if err != nil {
		return e, corruptEntry(key)
	}

	// The value begins with the block in which the grant was given.
	if len(value) > blockSize {
		token = value[blockSize:] // the key has it shortened
	}
	e.Token = string(token)
	e.Owner = cw721.Address(owner)
	e.Spender = cw721.Address(spender)
	e.Kind = cw721.GrantKind(kind)
	e.GrantedAt.Height = cw721.Height(binary.BigEndian.Uint64(value))
	e.GrantedAt.Time = cw721.Time(binary.BigEndian.Uint64(value[8:]))
	return e, nil
}

// afterIndex returns the part of a key that is the same in every index: the axis, the
// end and the identity.
func afterIndex(key []byte) (parts []byte, err error) {
	if len(key) == 0 {
		return nil, errMalformed
	}
	parts = key[1:]
	switch key[0] {
	case bySpender, byOwner, bySpender - operatorOffset, byOwner - operatorOffset:
		_, parts, err = kv.CutPart(parts)
		return parts, err
	case byToken:
		return afterToken(parts)
	}
	return parts, nil
}

// decodeEnd decodes the axis and the end at the start of a part of a key.
func decodeEnd(encoded []byte) cw721.Expiration {
	return cw721.Expiration{Axis: axisOf(encoded[0]), Value: binary.BigEndian.Uint64(encoded[1:])}
}

// corruptEntry returns the error for the entry under a key that cannot be decoded.
func corruptEntry(key []byte) error {
	return &kv.CorruptError{Key: bytes.Clone(key), Err: errMalformed}
}

// maxTokenSize is the length in bytes of the longest token id that keys have unchanged. The
// contract does not limit ids as the store limits keys, so longer ids are shortened.
const maxTokenSize = 256

// shortenID returns a short id unchanged, so that keys sort as ids do. It replaces the end of
// a long id by a hash of the id, so that different ids stay different. The result is longer
// than any short id and so differs from all of them. Long ids with the same beginning are in
// no particular order.
func shortenID(id string) string {
	if len(id) <= maxTokenSize {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return id[:maxTokenSize+1-len(sum)] + string(sum[:])
}

// In the index by token, an id is followed by two bytes that sort before anything that can
// follow in a longer id, so that "a" comes before "ab". A zero byte within an id is replaced
// by two other bytes, so that no id contains endOfToken.
const (
	endOfToken  = "\x00\x01"
	escapedZero = "\x00\xff"
)

// appendToken appends the id of a token and the two bytes that mark its end.
func appendToken(dst []byte, id string) []byte {
	return append(appendEscapedToken(dst, id), endOfToken...)
}

// appendEscapedToken appends the id of a token, shortened and escaped, without the bytes
// that mark its end. It is the start of the keys of this id and of longer ids.
func appendEscapedToken(dst []byte, id string) []byte {
	escaped := strings.ReplaceAll(shortenID(id), "\x00", escapedZero)
	return append(dst, escaped...)
}

// afterToken returns the part of a key after the id of a token and the end mark. It fails
// if the key has no end mark.
func afterToken(key []byte) (parts []byte, err error) {
	_, parts, hasEnd := bytes.Cut(key, []byte(endOfToken))
	if !hasEnd {
		return nil, errMalformed
	}
	return parts, nil
}

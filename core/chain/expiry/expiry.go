// Package expiry stores what will expire, and when: every approval, operator grant and
// role offer of a collection, in the order of its expiry, by owner, by spender and by
// token.
//
// The expiry index is derived. A transaction passes [IndexChanges] the changes that it made to
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
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Entry is a grant in the expiry index.
type Entry struct {
	cw721.Grant
	GrantedAt cw721.Block // in which it was given; zero if not known, as for an imported grant
}

// The keys of each index begin with one of these letters. The comments say what follows in the
// key, by which a scan yields the grants in order. The axis is one byte, which says whether
// the grant expires at a height, at a time or never; see [axisByte]. The end is the height or
// the time in eight bytes, big-endian.
//
// The first four indexes list grants. Their keys end with what [appendIdentity] appends, and
// their values are from [encodeValue]. The last one has a number for each owner.
const (
	expiryIndex   = 'e' // axis, end
	spenderIndex  = 's' // spender, axis, end
	ownerIndex    = 'o' // owner, axis, end
	tokenIndex    = 't' // token, axis, end; lists only approvals
	holdingsIndex = 'c' // owner → the number of the owner's tokens in decimal digits
)

// operatorOffset is the distance from a small letter to its capital. Under the capital
// letters, the first three indexes have copies that list only operator grants, so that a few
// are found quickly among a million approvals.
const operatorOffset = 'a' - 'A'

// neverByte is the byte of [cw721.Never] in a key, by which grants that never expire come
// last.
const neverByte = 3

func axisByte(axis cw721.Axis) byte {
	if axis == cw721.Never {
		return neverByte
	}
	return byte(axis)
}

const endSize = 1 + 8

// appendEnd appends the axis and the end of an expiration to a key, in one byte and eight bytes.
func appendEnd(dst []byte, expiration cw721.Expiration) []byte {
	dst = append(dst, axisByte(expiration.Axis))
	return binary.BigEndian.AppendUint64(dst, expiration.Value)
}

// appendIdentity appends what identifies a grant among those with the same expiry.
func appendIdentity(dst []byte, grant cw721.Grant) []byte {
	dst = kv.AppendPart(dst, shortenID(grant.Token))
	dst = kv.AppendPart(dst, grant.Owner)
	dst = kv.AppendPart(dst, grant.Spender)
	return append(dst, grant.Kind...)
}

// keysOf returns the keys of a grant in all indexes that list it, that of [expiryIndex] first.
func keysOf(grant cw721.Grant) (keys [][]byte) {
	prefixes := [][]byte{
		{expiryIndex},
		kv.AppendPart([]byte{spenderIndex}, grant.Spender),
		kv.AppendPart([]byte{ownerIndex}, grant.Owner),
	}

	switch grant.Kind {
	case cw721.GrantApproval:
		prefixes = append(prefixes, appendToken([]byte{tokenIndex}, grant.Token))
	case cw721.GrantOperator:
		for _, prefix := range prefixes {
			operatorPrefix := bytes.Clone(prefix)
			operatorPrefix[0] -= operatorOffset
			prefixes = append(prefixes, operatorPrefix)
		}
	}

	for _, prefix := range prefixes {
		key := appendEnd(prefix, grant.Expires)
		keys = append(keys, appendIdentity(key, grant))
	}
	return keys
}

const blockSize = 8 + 8

// encodeValue returns the value of an entry: the height and the time of the block in which the
// grant was given, in eight bytes each. If the id of the token is so long that the keys have
// it shortened, the full id follows.
func encodeValue(entry Entry) []byte {
	value := make([]byte, 0, blockSize)
	value = binary.BigEndian.AppendUint64(value, uint64(entry.GrantedAt.Height))
	value = binary.BigEndian.AppendUint64(value, uint64(entry.GrantedAt.Time))
	if len(entry.Token) > maxTokenSize {
		value = append(value, entry.Token...)
	}
	return value
}

var errMalformed = errors.New("the entry does not have the shape of one")

// decodeUncheckedEntry is [DecodeEntry] without checking that the parts of the key fit each
// other, such as the owner, which the index by owner has at two places.
func decodeUncheckedEntry(key, value []byte) (entry Entry, err error) {
	rest, err := cutIndexPrefix(key)
	if err != nil || len(rest) < endSize || len(value) < blockSize {
		return entry, corruptEntry(key)
	}
	entry.Expires = decodeEnd(rest)

	token, afterToken, tokenErr := kv.CutPart(rest[endSize:])
	owner, afterOwner, ownerErr := kv.CutPart(afterToken)
	spender, kind, spenderErr := kv.CutPart(afterOwner)
	if cmp.Or(tokenErr, ownerErr, spenderErr) != nil {
		return entry, corruptEntry(key)
	}

	if len(value) > blockSize {
		token = value[blockSize:]
	}
	entry.Token = string(token)
	entry.Owner = cw721.Address(owner)
	entry.Spender = cw721.Address(spender)
	entry.Kind = cw721.GrantKind(kind)
	entry.GrantedAt.Height = cw721.Height(binary.BigEndian.Uint64(value))
	entry.GrantedAt.Time = cw721.Time(binary.BigEndian.Uint64(value[8:]))
	return entry, nil
}

// cutIndexPrefix cuts off what comes before the axis and the end, which is different in each index.
func cutIndexPrefix(key []byte) (rest []byte, err error) {
	if len(key) == 0 {
		return nil, errMalformed
	}
	rest = key[1:]
	switch key[0] {
	case spenderIndex, ownerIndex, spenderIndex - operatorOffset, ownerIndex - operatorOffset:
		_, rest, err = kv.CutPart(rest)
		return rest, err
	case tokenIndex:
		_, rest, hasEnd := bytes.Cut(rest, []byte(endOfToken))
		if !hasEnd {
			return nil, errMalformed
		}
		return rest, nil
	}
	return rest, nil
}

func decodeEnd(encoded []byte) cw721.Expiration {
	axis := cw721.Axis(encoded[0] % neverByte) // so 3 becomes 0, which is [cw721.Never]
	return cw721.Expiration{Axis: axis, Value: binary.BigEndian.Uint64(encoded[1:])}
}

func corruptEntry(key []byte) error {
	return &kv.CorruptError{Key: bytes.Clone(key), Err: errMalformed}
}

// maxTokenSize is the length in bytes of the longest token id that keys have unchanged. The store
// limits keys, and the contract does not limit ids.
const maxTokenSize = 256

// shortenID replaces the end of an id of more than [maxTokenSize] bytes by a hash of the whole
// id, so that different ids stay different. The order of long ids with the same beginning is
// then arbitrary.
func shortenID(id string) string {
	if len(id) <= maxTokenSize {
		return id
	}

	// The result is one byte longer than the longest id that stays unchanged, so it cannot
	// be equal to such an id.
	hash := sha256.Sum256([]byte(id))
	keptSize := maxTokenSize + 1 - len(hash)
	return id[:keptSize] + string(hash[:])
}

// In the index by token, endOfToken follows the id of a token. It sorts before the rest of
// any longer id, so that "a" comes before "ab". No id contains it, because escapedZero
// replaces each zero byte within an id.
const (
	endOfToken  = "\x00\x01"
	escapedZero = "\x00\xff"
)

func appendToken(dst []byte, id string) []byte {
	return append(appendEscapedToken(dst, id), endOfToken...)
}

// appendEscapedToken appends the id of a token without its end, so a scan can begin at the
// first id that is not smaller.
func appendEscapedToken(dst []byte, id string) []byte {
	escaped := strings.ReplaceAll(shortenID(id), "\x00", escapedZero)
	return append(dst, escaped...)
}

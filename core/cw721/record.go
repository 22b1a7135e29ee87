package cw721

import (
	"bytes"
	"errors"
	"strings"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// recordKind describes one kind of record in the contract's storage, such as tokens.
type recordKind struct {
	// nameOf returns a name for people, such as "token 7". ok is false for the key of another
	// kind of record, and after an error: the key is malformed.
	nameOf func(key []byte) (name string, ok bool, err error)
	decode func(value []byte) (content any, err error)
}

// commonKinds are the kinds of record that are the same in all layouts, the most frequent
// first.
var commonKinds = []recordKind{
	mapKind(tokensMap, func(id string) string { return "token " + id }),
	mapKind(ownersMap, func(k ownerKey) string { return "owner index of " + string(k.First) }),
	mapKind(operatorsMap, func(k operatorKey) string {
		return "operator " + string(k.Second) + " of " + string(k.First)
	}),
	mapKind(extensionMap, func(name string) string { return strings.ReplaceAll(name, "_", " ") }),
	mapKind(mintersMap, func(a Address) string { return "additional minter " + string(a) }),
	itemKind(countItem, "number of tokens"),
	itemKind(withdrawItem, "withdraw address"),
	itemKind(versionItem, "contract version"),
}

// mapKind returns the kind of a map's records, of which describeKey names one for people.
func mapKind[K, V any](records kv.Map[K, V], describeKey func(K) string) recordKind {
	return recordKind{
		nameOf: func(key []byte) (string, bool, error) {
			mapKey, isOfMap, err := records.DecodeKey(key)
			if !isOfMap { // or it is malformed
				return "", false, err
			}
			return describeKey(mapKey), true, nil
		},
		decode: func(value []byte) (any, error) { return records.Decode(value) },
	}
}

// itemKind returns the kind of a single record, which name describes to people.
func itemKind[T any](item kv.Item[T], name string) recordKind {
	return recordKind{
		nameOf: func(key []byte) (string, bool, error) {
			return name, bytes.Equal(key, item.Key()), nil
		},
		decode: func(value []byte) (any, error) { return item.Decode(value) },
	}
}

// RecordName describes the record of a key, such as "token 7". It returns "record" for a key that
// the contract does not write.
func (l *Layout) RecordName(key []byte) string {
	for _, kind := range l.recordKinds {
		if name, isKind, _ := kind.nameOf(key); isKind {
			return name
		}
	}
	return "record"
}

// DecodeRecord returns the content of a record. Its type depends on the key: it is a [Token] for
// the key of a token, an [Ownership] for the key of a role.
//
// It fails with a [*kv.CorruptError] and nil if the contract does not write such a key (see
// [IsUnknownRecord]), or if the value is nil or cannot be decoded.
func (l *Layout) DecodeRecord(key, value []byte) (any, error) {
	for _, kind := range l.recordKinds {
		_, isKind, err := kind.nameOf(key)
		if err != nil {
			return nil, &kv.CorruptError{Key: key, Err: err}
		}
		if !isKind {
			continue
		}

		content, err := kind.decode(value)
		if err != nil {
			return nil, &kv.CorruptError{Key: key, Err: err}
		}
		return content, nil
	}
	return nil, &kv.CorruptError{Key: key, Err: errUnknownRecord}
}

var errUnknownRecord = errors.New("no record of a CW721 collection has this key")

// IsUnknownRecord reports whether an error of [Layout.DecodeRecord] is about a key that the
// contract does not write. Older or other code may have.
func IsUnknownRecord(err error) bool { return errors.Is(err, errUnknownRecord) }

// TokenChange decodes the record of a token before and after a change. before and after are nil
// if there is no token, or if it cannot be decoded. ok is false if both are nil or if the key is
// not that of a token.
func TokenChange(key, oldValue, newValue []byte) (id string, before, after *Token, ok bool) {
	id, isToken, _ := tokensMap.DecodeKey(key)
	if !isToken {
		return "", nil, nil, false
	}
	before = decodeToken(oldValue)
	after = decodeToken(newValue)
	return id, before, after, before != nil || after != nil
}

// decodeToken returns nil if value is nil or cannot be decoded.
func decodeToken(value []byte) *Token {
	token, err := tokensMap.Decode(value)
	if err != nil {
		return nil
	}
	return &token
}

// DecodeMinterKey returns the address in the key of an additional minter's record; ok is false
// for another key.
func DecodeMinterKey(key []byte) (address Address, ok bool) {
	address, ok, _ = mintersMap.DecodeKey(key)
	return address, ok
}

// HasMetadata reports whether a record is a token for which [Token.HasMetadata] does.
func HasMetadata(key, value []byte) bool {
	if _, isToken, _ := tokensMap.DecodeKey(key); !isToken {
		return false
	}

	// Decoding is slow, and the end of the JSON is enough to recognise most tokens without
	// metadata.
	if bytes.HasSuffix(value, []byte(`"extension":null}`)) || bytes.HasSuffix(value, []byte(`"extension":{}}`)) {
		return false
	}
	token := decodeToken(value)
	return token != nil && token.HasMetadata()
}

// HasMetadata reports whether the extension has metadata, which code of the flavour base does not
// write. An extension with nothing but members that cw721 does not know has none.
func (t *Token) HasMetadata() bool {
	metadata := t.Extension.Metadata
	return metadata != nil && (*metadata != Metadata{} || len(t.KeptMembers) == 0)
}

// ExtensionJSON returns a token's extension as JSON, as it is stored.
func ExtensionJSON(t *Token) []byte { return wire.Encode(t.Extension) }

// IsTokenCountKey reports whether a key is that of the number of tokens.
func IsTokenCountKey(key []byte) bool { return bytes.Equal(key, countItem.Key()) }

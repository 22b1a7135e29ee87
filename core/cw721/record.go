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
	// nameOf returns the name of a record for people, such as "token 7", by its key. ok is
	// false for the key of another kind, and for a malformed key, which is an error.
	nameOf func(key []byte) (name string, ok bool, err error)
	// decode decodes the value of a record.
	decode func(value []byte) (content any, err error)
}

// commonKinds are the kinds of record that are the same in all layouts, the most frequent
// first.
var commonKinds = []recordKind{
	mapKind(tokensMap, func(id string) string { return "token " + id }),
	mapKind(ownersMap, func(k ownerKey) string { return "owner index of " + string(k.First) }),
	mapKind(operatorsMap, func(k operatorKey) string { return "operator " + string(k.Second) + " of " + string(k.First) }),
	mapKind(extensionMap, func(name string) string { return strings.ReplaceAll(name, "_", " ") }),
	mapKind(mintersMap, func(a Address) string { return "additional minter " + string(a) }),
	itemKind(countItem, "number of tokens"),
	itemKind(withdrawItem, "withdraw address"),
	itemKind(versionItem, "contract version"),
}

// mapKind returns the [recordKind] of a map's records, which recognises and decodes them.
// describeKey names a record by its key in the map, such as "token ape-01".
func mapKind[K, V any](m kv.Map[K, V], describeKey func(K) string) recordKind {
	return recordKind{
		nameOf: func(key []byte) (string, bool, error) {
			k, ok, err := m.DecodeKey(key)
			if !ok {
				return "", false, err
			}
			return describeKey(k), true, nil
		},
		decode: func(value []byte) (any, error) { return m.Decode(value) },
	}
}

// itemKind returns the kind of a single record.
func itemKind[T any](item kv.Item[T], name string) recordKind {
	return recordKind{
		nameOf: func(key []byte) (string, bool, error) { return name, bytes.Equal(key, item.Key()), nil },
		decode: func(value []byte) (any, error) { return item.Decode(value) },
	}
}

// RecordName describes the record of a key in the contract's storage, such as "token
// 7". It returns "record" for a key that the contract does not write.
func (l *Layout) RecordName(key []byte) string {
	for _, kind := range l.kinds {
		if name, ok, _ := kind.nameOf(key); ok {
			return name
		}
	}
	return "record"
}

// DecodeRecord returns the content of a record in the contract's storage, such as a
// [Token], an [Ownership], a [CollectionInfo], a [Version], an [Attribute], or the
// [Address] of withdrawals. It fails with a [*kv.CorruptError] if the contract does not
// write such a key, or if the value is nil or cannot be decoded; [IsUnknownRecord]
// distinguishes the two. The content is nil if there is an error.
func (l *Layout) DecodeRecord(key, value []byte) (content any, err error) {
	for _, kind := range l.kinds {
		_, ok, err := kind.nameOf(key)
		if ok {
			content, err = kind.decode(value)
		}
		if err != nil {
			return nil, &kv.CorruptError{Key: key, Err: err}
		}
		if ok {
			return content, nil
		}
	}
	return nil, &kv.CorruptError{Key: key, Err: errUnknownRecord}
}

// errUnknownRecord reports that a key belongs to no kind of record in a layout.
var errUnknownRecord = errors.New("no record of a CW721 collection has this key")

// IsUnknownRecord reports whether an error of [Layout.DecodeRecord] is about a key that the
// contract does not write. Older or other code may have left such records.
func IsUnknownRecord(err error) bool { return errors.Is(err, errUnknownRecord) }

// TokenChange decodes a token's record before and after a change. before or after is
// nil if the token did not exist then or its record cannot be decoded. ok is false if
// both are nil, and for another kind of record.
func TokenChange(key, oldValue, newValue []byte) (id string, before, after *Token, ok bool) {
	id, isToken, _ := tokensMap.DecodeKey(key)
	if !isToken {
		return "", nil, nil, false
	}
	before = decodeToken(key, oldValue)
	after = decodeToken(key, newValue)
	return id, before, after, before != nil || after != nil
}

// decodeToken returns the token in a record, nil if value is nil or cannot be
// decoded.
func decodeToken(key, value []byte) *Token {
	content, _ := CurrentLayout.DecodeRecord(key, value)
	token, isToken := content.(Token)
	if !isToken {
		return nil
	}
	return &token
}

// DecodeMinterKey returns the additional minter that a record's key names. ok is
// false for another kind of record.
func DecodeMinterKey(key []byte) (a Address, ok bool) {
	a, ok, _ = mintersMap.DecodeKey(key)
	return a, ok
}

// HasMetadata reports whether a record is a token with metadata in its extension.
// Code of the flavour base writes no such token.
func HasMetadata(key, value []byte) bool {
	if _, isToken, _ := tokensMap.DecodeKey(key); !isToken {
		return false
	}

	// Decoding is slow; most tokens without metadata are recognised by their end.
	isNull := bytes.HasSuffix(value, []byte(`"extension":null}`))
	isEmpty := bytes.HasSuffix(value, []byte(`"extension":{}}`))
	if isNull || isEmpty {
		return false
	}

	token := decodeToken(key, value)
	return token != nil && token.Extension.Metadata != nil
}

// ExtensionJSON returns a token's extension as JSON, as it is stored.
func ExtensionJSON(t *Token) []byte { return wire.Encode(t.Extension) }

// IsTokenCountKey reports whether a key of the contract's storage is that of the
// number of tokens.
func IsTokenCountKey(key []byte) bool { return bytes.Equal(key, countItem.Key()) }

package cw721

import (
	"bytes"
	"errors"
	"strings"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// recordKind is a kind of record.
type recordKind struct {
	// name says in words what a key holds; ok is false for a key of another kind.
	name func(key []byte) (text string, ok bool)
	// read gives what a record holds; found is false for one of another kind.
	read func(key, value []byte) (content any, found bool, err error)
}

// recordKinds are all that there are, the most frequent first.
var recordKinds = []recordKind{
	kindOf(tokensMap, func(id string) string { return "token " + id }),
	kindOf(ownersMap, func(k ownerKey) string { return "owner index of " + string(k.First) }),
	kindOf(operatorsMap, func(k operatorKey) string { return "operator " + string(k.Second) + " of " + string(k.First) }),
	kindOf(extensionMap, func(name string) string { return strings.ReplaceAll(name, "_", " ") }),
	kindOf(mintersMap, func(a Address) string { return "additional minter " + string(a) }),
	kindOfItem(countItem, "number of tokens"),
	kindOfItem(infoItem, "collection info"),
	kindOfItem(creatorItem, "creator"),
	kindOfItem(minterItem, "minter"),
	kindOfItem(withdrawItem, "withdraw address"),
	kindOfItem(versionItem, "contract version"),
}

func kindOf[K, V any](m kv.Map[K, V], name func(K) string) recordKind {
	return recordKind{
		func(key []byte) (string, bool) {
			k, ok, err := m.DecodeKey(key)
			if !ok || err != nil {
				return "", false
			}
			return name(k), true
		},
		func(key, value []byte) (content any, found bool, err error) {
			if _, found, err = m.DecodeKey(key); found {
				content, err = m.Decode(value)
			}
			return content, found, err
		},
	}
}

func kindOfItem[T any](item kv.Item[T], name string) recordKind {
	is := func(key []byte) bool { return string(key) == string(item.Key()) }
	return recordKind{
		func(key []byte) (string, bool) { return name, is(key) },
		func(key, value []byte) (content any, found bool, err error) {
			if found = is(key); found {
				content, err = item.Decode(value)
			}
			return content, found, err
		},
	}
}

// RecordName says in words what a key of the contract's storage holds.
func RecordName(key []byte) string {
	for _, kind := range recordKinds {
		if name, ok := kind.name(key); ok {
			return name
		}
	}
	return "record"
}

// CheckRecord reads a record of any kind and fails with a [*kv.CorruptError] when it
// is not what its key says.
func CheckRecord(key, value []byte) error {
	_, err := readRecord(key, value)
	return err
}

// DecodeRecord gives what a record holds: a [Token], an [Ownership], a [CollectionInfo],
// a [Version], an [Attribute], an [Address] to withdraw to …; nil where there is none,
// and for one that cannot be read.
func DecodeRecord(key, value []byte) any {
	if value == nil {
		return nil
	}
	content, err := readRecord(key, value)
	if err != nil {
		return nil
	}
	return content
}

func readRecord(key, value []byte) (any, error) {
	for _, kind := range recordKinds {
		switch content, found, err := kind.read(key, value); {
		case err != nil:
			return nil, &kv.CorruptError{Key: key, Err: err}
		case found:
			return content, nil
		}
	}
	return nil, &kv.CorruptError{Key: key, Err: errUnknownRecord}
}

var errUnknownRecord = errors.New("no record of a CW721 collection has this key")

// IsUnknownRecord tells whether an error of [CheckRecord] is about a key that is
// none of the contract's: what its past, or other code, has left.
func IsUnknownRecord(err error) bool { return errors.Is(err, errUnknownRecord) }

// TokenChange reads both sides of a change to a token's record; nil is a side
// without a token, or a broken one. ok is false for a record of another kind.
func TokenChange(key, old, new []byte) (id string, before, after *Token, ok bool) {
	if id, ok, _ = tokensMap.DecodeKey(key); !ok {
		return "", nil, nil, false
	}
	side := func(raw []byte) *Token {
		t, ok := DecodeRecord(key, raw).(Token)
		if !ok {
			return nil
		}
		return &t
	}
	before, after = side(old), side(new)
	return id, before, after, before != nil || after != nil
}

// RoleChange reads both sides of a change to a role; a broken one reads as
// nobody. ok is false for a record of another kind.
func RoleChange(key, old, new []byte) (role Rule, before, after Ownership, ok bool) {
	switch string(key) {
	case string(minterItem.Key()):
		role = RuleMinter
	case string(creatorItem.Key()):
		role = RuleCreator
	default:
		return "", before, after, false
	}
	before, _ = DecodeRecord(key, old).(Ownership)
	after, _ = DecodeRecord(key, new).(Ownership)
	return role, before, after, true
}

// DecodeMinterKey reads whom a record makes an additional minter. ok is false for a
// record of another kind.
func DecodeMinterKey(key []byte) (a Address, ok bool) {
	a, ok, _ = mintersMap.DecodeKey(key)
	return a, ok
}

// HasMetadata tells whether a record is a token's with metadata in its
// extension, which no code of the flavour base has written.
func HasMetadata(key, value []byte) bool {
	if _, ok, _ := tokensMap.DecodeKey(key); !ok {
		return false
	}
	if bytes.HasSuffix(value, []byte(`"extension":null}`)) || bytes.HasSuffix(value, []byte(`"extension":{}}`)) {
		return false
	}
	t, ok := DecodeRecord(key, value).(Token)
	return ok && t.Extension.Metadata != nil
}

// ExtensionJSON gives a token's extension as it is stored.
func ExtensionJSON(t *Token) []byte { return wire.Encode(t.Extension) }

// IsTokenCountKey tells whether a key of the contract's storage holds how many
// tokens there are.
func IsTokenCountKey(key []byte) bool { return string(key) == string(countItem.Key()) }

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
	// check reads a record; found is false for one of another kind.
	check func(key, value []byte) (found bool, err error)
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
			k, ok, err := m.Cut(key)
			if !ok || err != nil {
				return "", false
			}
			return name(k), true
		},
		func(key, value []byte) (bool, error) {
			_, found, err := m.Cut(key)
			if found {
				_, err = m.Decode(value)
			}
			return found, err
		},
	}
}

func kindOfItem[T any](item kv.Item[T], name string) recordKind {
	is := func(key []byte) bool { return string(key) == string(item.Key()) }
	return recordKind{
		func(key []byte) (string, bool) { return name, is(key) },
		func(key, value []byte) (found bool, err error) {
			if found = is(key); found {
				_, err = item.Decode(value)
			}
			return found, err
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
	for _, kind := range recordKinds {
		switch found, err := kind.check(key, value); {
		case err != nil:
			return &kv.CorruptError{Key: key, Err: err}
		case found:
			return nil
		}
	}
	return &kv.CorruptError{Key: key, Err: errUnknownRecord}
}

var errUnknownRecord = errors.New("no record of a CW721 collection has this key")

// IsUnknownRecord tells whether an error of [CheckRecord] is about a key that is
// none of the contract's: what its past, or other code, has left.
func IsUnknownRecord(err error) bool { return errors.Is(err, errUnknownRecord) }

// TokenChange reads both sides of a change to a token's record; nil is a side
// without a token, or a broken one. ok is false for a record of another kind.
func TokenChange(key, old, new []byte) (id string, before, after *Token, ok bool) {
	id, ok, err := tokensMap.Cut(key)
	if !ok || err != nil {
		return "", nil, nil, false
	}
	before, after = side(tokensMap.Decode, old), side(tokensMap.Decode, new)
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
	before, _ = minterItem.Decode(old)
	after, _ = minterItem.Decode(new)
	return role, before, after, true
}

// side reads a record that may not be there, or be broken; then it gives nil.
func side[T any](decode func([]byte) (T, error), raw []byte) *T {
	if raw == nil {
		return nil
	}
	v, err := decode(raw)
	if err != nil {
		return nil
	}
	return &v
}

// InfoIn reads the record of what the collection is called. It gives nil for a
// record of another kind, and where there is none.
func InfoIn(key, value []byte) *CollectionInfo { return itemIn(infoItem, key, value) }

// WithdrawIn reads the record of the withdraw address, as [InfoIn] does.
func WithdrawIn(key, value []byte) *Address { return itemIn(withdrawItem, key, value) }

// VersionIn reads the record of which code the collection runs, as [InfoIn] does.
func VersionIn(key, value []byte) *Version { return itemIn(versionItem, key, value) }

func itemIn[T any](item kv.Item[T], key, value []byte) *T {
	if string(key) != string(item.Key()) {
		return nil
	}
	return side(item.Decode, value)
}

// AttributeIn reads the record of one member of the collection's extension
// (spec §8), as [InfoIn] does.
func AttributeIn(key, value []byte) *Attribute {
	if _, ok, err := extensionMap.Cut(key); !ok || err != nil {
		return nil
	}
	return side(extensionMap.Decode, value)
}

// MinterIn reads whom a record makes an additional minter. ok is false for a
// record of another kind.
func MinterIn(key []byte) (a Address, ok bool) {
	a, ok, err := mintersMap.Cut(key)
	return a, ok && err == nil
}

// HasMetadata tells whether a record is a token's with metadata in its
// extension, which no code of the flavour base has written.
func HasMetadata(key, value []byte) bool {
	if bytes.HasSuffix(value, []byte(`"extension":null}`)) || bytes.HasSuffix(value, []byte(`"extension":{}}`)) {
		return false
	}
	_, _, t, ok := TokenChange(key, nil, value)
	return ok && t.Extension.Metadata != nil
}

// ExtensionJSON gives a token's extension as it is stored.
func ExtensionJSON(t *Token) []byte { return wire.Encode(t.Extension) }

// IsTokenCount tells whether a key of the contract's storage holds how many
// tokens there are.
func IsTokenCount(key []byte) bool { return string(key) == string(countItem.Key()) }

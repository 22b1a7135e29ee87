package cw721

import (
	"strings"

	"ephemera/core/wire"
)

// TokenChange reads both sides of a change to a token's record; nil is a side
// without a token. ok is false for a record of another kind.
func TokenChange(key, old, new []byte) (id string, before, after *Token, ok bool) {
	id, ok, err := tokensMap.Cut(key)
	if !ok || err != nil {
		return "", nil, nil, false
	}
	side := func(raw []byte) *Token {
		if raw == nil {
			return nil
		}
		t, err := tokensMap.Decode(raw)
		if err != nil {
			return nil // a broken record reads as no token
		}
		return &t
	}
	before, after = side(old), side(new)
	return id, before, after, before != nil || after != nil
}

// RoleChange reads both sides of a change to a role. ok is false for a record
// of another kind.
func RoleChange(key, old, new []byte) (role Rule, before, after Ownership, ok bool) {
	switch string(key) {
	case string(minterItem.Key()):
		role = RuleMinter
	case string(creatorItem.Key()):
		role = RuleCreator
	default:
		return "", before, after, false
	}
	side := func(raw []byte) (o Ownership) {
		if raw != nil {
			o, _ = StoredJSON[Ownership]().Decode(raw) // a broken record reads as nobody
		}
		return o
	}
	return role, side(old), side(new), true
}

// MinterIn reads whom a record makes an additional minter. ok is false for a
// record of another kind.
func MinterIn(key []byte) (a Address, ok bool) {
	a, ok, err := mintersMap.Cut(key)
	return a, ok && err == nil
}

// ExtensionJSON gives a token's extension as it is stored.
func ExtensionJSON(t *Token) []byte { return wire.Encode(t.Extension) }

// IsTokenCount tells whether a key of the contract's storage holds how many
// tokens there are.
func IsTokenCount(key []byte) bool { return string(key) == string(countItem.Key()) }

// RecordName says in words what a key of the contract's storage holds.
func RecordName(key []byte) string {
	switch string(key) {
	case string(infoItem.Key()):
		return "collection info"
	case string(countItem.Key()):
		return "number of tokens"
	case string(withdrawItem.Key()):
		return "withdraw address"
	case string(versionItem.Key()):
		return "contract version"
	case string(minterItem.Key()):
		return "minter"
	case string(creatorItem.Key()):
		return "creator"
	}
	if a, ok := MinterIn(key); ok {
		return "additional minter " + string(a)
	}
	if name, ok, err := extensionMap.Cut(key); ok && err == nil {
		return strings.ReplaceAll(name, "_", " ")
	}
	if id, ok, err := tokensMap.Cut(key); ok && err == nil {
		return "token " + id
	}
	if k, ok, err := ownersMap.Cut(key); ok && err == nil {
		return "owner index of " + string(k.First)
	}
	if k, ok, err := operatorsMap.Cut(key); ok && err == nil {
		return "operator " + string(k.Second) + " of " + string(k.First)
	}
	return "record"
}

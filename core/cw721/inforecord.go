package cw721

import "ephemera/core/kv"

// InfoIn reads the record of what the collection is called. ok is false for a
// record of another kind, and where there is none.
func InfoIn(key, value []byte) (info CollectionInfo, ok bool) { return itemIn(infoItem, key, value) }

// WithdrawIn reads the record of the withdraw address, as [InfoIn] does.
func WithdrawIn(key, value []byte) (a Address, ok bool) { return itemIn(withdrawItem, key, value) }

// VersionIn reads the record of which code the collection runs, as [InfoIn] does.
func VersionIn(key, value []byte) (v Version, ok bool) { return itemIn(versionItem, key, value) }

func itemIn[T any](item kv.Item[T], key, value []byte) (v T, ok bool) {
	if string(key) != string(item.Key()) || value == nil {
		return v, false
	}
	v, err := item.Decode(value)
	return v, err == nil
}

// AttributeIn reads the record of one member of the collection's extension
// (spec §8), as [InfoIn] does.
func AttributeIn(key, value []byte) (a Attribute, ok bool) {
	_, ok, err := extensionMap.Cut(key)
	if !ok || err != nil || value == nil {
		return a, false
	}
	a, err = extensionMap.Decode(value)
	return a, err == nil
}

package cw721

// InfoIn reads the record of what the collection is called. ok is false for a
// record of another kind, and where there is none.
func InfoIn(key, value []byte) (info CollectionInfo, ok bool) {
	if string(key) != string(infoItem.Key()) || value == nil {
		return info, false
	}
	info, err := StoredJSON[CollectionInfo]().Decode(value)
	return info, err == nil
}

// AttributeIn reads the record of one member of the collection's extension
// (spec §8). ok is false for a record of another kind, and where there is none.
func AttributeIn(key, value []byte) (a Attribute, ok bool) {
	_, ok, err := extensionMap.Cut(key)
	if !ok || err != nil || value == nil {
		return a, false
	}
	a, err = extensionMap.Decode(value)
	return a, err == nil
}

// WithdrawIn reads the record of the withdraw address. ok is false for a record
// of another kind, and where there is none.
func WithdrawIn(key, value []byte) (a Address, ok bool) {
	if string(key) != string(withdrawItem.Key()) || value == nil {
		return "", false
	}
	a, err := StoredJSON[Address]().Decode(value)
	return a, err == nil
}

// VersionIn reads the record of which code the collection runs. ok is false for a
// record of another kind, and where there is none.
func VersionIn(key, value []byte) (v Version, ok bool) {
	if string(key) != string(versionItem.Key()) || value == nil {
		return v, false
	}
	v, err := StoredJSON[Version]().Decode(value)
	return v, err == nil
}

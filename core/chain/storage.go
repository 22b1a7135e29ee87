package chain

import (
	"bytes"
	"unicode/utf8"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Storage returns a reader of the contract's records, with the keys that the contract uses. It
// is valid as long as the view.
func (v *View) Storage() kv.Reader { return v.contract }

// RecordsFrom walks the contract's records in a range of keys.
func (v *View) RecordsFrom(w cw721.Walk) Records {
	return v.contract.Scan(w.RangeUnder(kv.Range{}, nil))
}

// KeyParts splits the key of a contract's record into the parts that cw-storage-plus joins: the
// name of an item, or the name of a map and the parts of its key. Each part except the last
// follows its length in two bytes. A key of another form is one part.
func KeyParts(key []byte) (parts []string) {
	for len(key) > 2 {
		length := int(key[0])<<8 | int(key[1])
		part := key[2:min(2+length, len(key))]
		isPart := length > 0 && len(part) == length
		isMapName := len(parts) == 0
		if !isPart || isMapName && !isPrintable(part) {
			break
		}
		parts = append(parts, string(part))
		key = key[2+length:]
	}
	return append(parts, string(key))
}

// isPrintable reports whether b is text without control characters.
func isPrintable(b []byte) bool {
	isControl := func(r rune) bool { return r < ' ' }
	return utf8.Valid(b) && !bytes.ContainsFunc(b, isControl)
}

package chain

import (
	"bytes"
	"encoding/binary"
	"iter"
	"unicode/utf8"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Records yields the records of a contract's storage, with the keys that the contract uses.
// [View.Records] returns it, and [Chain.Import] takes it. The type has a name so that
// packages that pass it on need not import package kv.
type Records = iter.Seq2[kv.Pair, error]

// Records yields the records of the contract's storage in key order.
func (v *View) Records() Records { return v.records.Scan(kv.Range{}) }

// Storage returns a reader of the contract's records. It is valid as long as the view.
func (v *View) Storage() kv.Reader { return v.records }

// RecordsFrom yields the contract's records that walk selects by their keys.
func (v *View) RecordsFrom(walk cw721.Walk) Records {
	return v.records.Scan(walk.RangeUnder(kv.Range{}, nil))
}

// KeyParts splits the key of a contract's record as the library cw-storage-plus makes it:
// "\x00\x06tokensape-1" has the parts "tokens", which is the name of a map, and "ape-1".
// Before each part except the last are two bytes with its length. A key of another form, such
// as the name of a single item, is one part.
func KeyParts(key []byte) (parts []string) {
	for len(key) > 2 {
		length := int(binary.BigEndian.Uint16(key))
		if length == 0 || 2+length > len(key) {
			break
		}
		part := key[2 : 2+length]

		// The first part must be the name of a map. If it is no text, the key has another
		// form.
		isText := utf8.Valid(part) && !bytes.ContainsFunc(part, func(r rune) bool { return r < ' ' })
		if len(parts) == 0 && !isText {
			break
		}
		parts = append(parts, string(part))
		key = key[2+length:]
	}
	return append(parts, string(key))
}

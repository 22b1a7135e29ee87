package chain

import (
	"bytes"
	"unicode/utf8"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Storage gives the contract's records to read, keys as the contract has them.
// It holds as long as the view does.
func (v *View) Storage() kv.Reader { return v.contract }

// RecordsFrom walks a part of the contract's records, placed by their keys.
func (v *View) RecordsFrom(w cw721.Walk) Records {
	return v.contract.Scan(w.RangeUnder(kv.Range{}, nil))
}

// KeyParts takes the key of any contract's record apart as cw-storage-plus puts
// it together: an item's name, or a map's name and the parts of its key, each but
// the last behind its length in two bytes. What is put together otherwise is one
// part.
func KeyParts(key []byte) (parts []string) {
	for len(key) > 2 {
		n := int(key[0])<<8 | int(key[1])
		part := key[2:min(2+n, len(key))]
		if n == 0 || len(part) < n || len(parts) == 0 && (!utf8.Valid(part) || bytes.ContainsFunc(part, control)) {
			break
		}
		parts, key = append(parts, string(part)), key[2+n:]
	}
	return append(parts, string(key))
}

func control(r rune) bool { return r < ' ' }

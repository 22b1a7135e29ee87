package chain

import (
	"bytes"
	"unicode/utf8"

	"ephemera/core/kv"
)

// Storage gives the contract's records to read, keys as the contract has them.
// It holds as long as the view does.
func (v *View) Storage() kv.Reader { return v.contract }

// RecordsFrom walks the contract's records from a key on, or from there back to
// the first. An empty place is the end that the walk begins at.
func (v *View) RecordsFrom(place string, inclusive, back bool) Records {
	r := kv.Range{Reverse: back}
	switch bound := []byte(place); {
	case place == "":
	case back && inclusive:
		r.End = append(bound, 0)
	case back:
		r.End = bound
	case inclusive:
		r.Start = bound
	default:
		r.Start = append(bound, 0)
	}
	return v.contract.Scan(r)
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

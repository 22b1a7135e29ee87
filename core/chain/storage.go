package chain

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Storage returns a reader of the contract's records, with the keys that the contract uses. It
// is valid as long as the view.
func (v *View) Storage() kv.Reader { return v.contract }

// RecordsFrom yields the contract's records that w selects by their keys.
func (v *View) RecordsFrom(w cw721.Walk) Records {
	return v.contract.Scan(w.RangeUnder(kv.Range{}, nil))
}

// KeyParts splits the key of a contract's record into the parts that cw-storage-plus joins: the
// name of an item, or the name of a map and the parts of its key. Each part except the last
// follows its length in two bytes. A key of another form is one part.
func KeyParts(key []byte) (parts []string) {
	for len(key) > 2 {
		// A part in the middle follows its length in two bytes.
		length := int(binary.BigEndian.Uint16(key))
		hasPart := length > 0 && 2+length <= len(key)
		if !hasPart {
			break
		}
		part := key[2 : 2+length]

		// The first part is the name of a map. Bytes that are no text are a key of another
		// form.
		isMapName := len(parts) == 0
		if isMapName && !isPrintable(part) {
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

// Salvage makes a valid collection of the records that remain in a damaged store. It derives
// the number of tokens and the owner index from the tokens, and begins a new history, because
// undo in the old one would lead to states that never existed. It writes in batches, so no
// other call may use the store meanwhile. It does not rebuild the expiry index.
func (c *Chain) Salvage() error {
	if err := removeAll(c.db, historyPart, nil); err != nil {
		return err
	}

	// Derive the token count and the owner index from the tokens.
	err := loadFromSnapshot(c.db, func(r kv.Reader, w kv.Writer) error {
		_, err := cw721.RepairInconsistencies(kv.PrefixedReader(r, contractPart), kv.PrefixedWriter(w, contractPart))
		return err
	})
	if err != nil {
		return err
	}

	// Begin a new history at the present clock.
	return c.update(func(s *session) error {
		now, err := loadBlockState(s.meta)
		if err != nil {
			return err
		}
		return s.beginHistory(now.Clock, "what was rescued")
	})
}

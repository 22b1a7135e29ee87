package chain

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Storage returns a reader of the contract's records, with the keys that the contract uses.
// It is valid as long as the view.
func (v *View) Storage() kv.Reader { return v.records }

// RecordsFrom yields the contract's records that walk selects by their keys.
func (v *View) RecordsFrom(walk cw721.Walk) Records {
	return v.records.Scan(walk.RangeUnder(kv.Range{}, nil))
}

// KeyParts splits the key of a contract's record into its parts. For example, the key
// "\x00\x06tokensape-1" has the parts "tokens", which is the name of a map, and "ape-1". The
// library cw-storage-plus, with which contracts are written, makes such keys: before each
// part except the last, it writes the length of the part in two bytes. A key of another form,
// such as the name of a single item, is one part.
func KeyParts(key []byte) (parts []string) {
	for len(key) > 2 {
		// If this is not the last part, it begins with its length.
		length := int(binary.BigEndian.Uint16(key))
		hasPart := length > 0 && 2+length <= len(key)
		if !hasPart {
			break
		}
		part := key[2 : 2+length]

		// The first part must be the name of a map. If it is no text, the key has another
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

// isPrintable reports whether encoded is valid UTF-8 without control characters.
func isPrintable(encoded []byte) bool {
	isControl := func(r rune) bool { return r < ' ' }
	return utf8.Valid(encoded) && !bytes.ContainsFunc(encoded, isControl)
}

// Salvage makes a valid collection of the records that remain in a damaged store. It drops the
// history and begins a new one, and computes the number of tokens and the owner index again
// from the tokens. It does not rebuild the expiry index. It writes in batches, so no other
// call may use the store meanwhile.
func (c *Chain) Salvage() error {
	// Remove the old history, because undo would lead to states that never existed.
	if err := removeAll(c.db, historyPart, noException); err != nil {
		return err
	}

	// Derive the token count and the owner index from the tokens.
	err := loadFromSnapshot(c.db, func(reader kv.Reader, writer kv.Writer) error {
		records := kv.PrefixedReader(reader, contractPart)
		_, err := cw721.RepairInconsistencies(records, kv.PrefixedWriter(writer, contractPart))
		return err
	})
	if err != nil {
		return err
	}

	// Begin a new history at the present clock.
	return c.update(func(s *session) error {
		currentBlock, err := loadBlockState(s.meta)
		if err != nil {
			return err
		}
		return s.beginHistory(currentBlock.Clock, "what was rescued")
	})
}

package history

import (
	"encoding/binary"

	"ephemera/core/kv"
)

// saveChanges writes the changes that a node made to the store.
func saveChanges(w kv.Writer, id ID, changes []kv.Change) error {
	if len(changes) == 0 {
		return nil
	}
	var record []byte
	for _, c := range changes {
		record = appendBytes(record, c.Key)
		record = appendOptional(record, c.Old)
		record = appendOptional(record, c.New)
	}
	return saveParts(w, changeKey, id, record)
}

// Changes reads the changes that a node made to the store, sorted by key. It fails with a
// [*kv.CorruptError] if they cannot be decoded.
func Changes(r kv.Reader, id ID) ([]kv.Change, error) {
	record, _, err := loadParts(r, changeKey, id)
	if err != nil {
		return nil, err
	}
	var changes []kv.Change
	d := decoder{unread: record}
	for len(d.unread) > 0 {
		var c kv.Change
		c.Key = d.bytes()
		c.Old = d.optional()
		c.New = d.optional()
		if d.err != nil {
			return nil, &kv.CorruptError{Key: key(changeKey, id), Err: d.err}
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// appendOptional appends a value after its length plus one. For nil it appends a zero, so
// that nil and an empty value differ.
func appendOptional(dst, value []byte) []byte {
	if value == nil {
		return append(dst, 0)
	}
	dst = binary.AppendUvarint(dst, uint64(len(value))+1)
	return append(dst, value...)
}

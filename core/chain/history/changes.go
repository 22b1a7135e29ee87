package history

import (
	"encoding/binary"

	"ephemera/core/kv"
)

// saveChanges writes a node's change set.
func saveChanges(w kv.Writer, id ID, changes []kv.Change) error {
	if len(changes) == 0 {
		return nil
	}
	size := 0
	for _, c := range changes {
		size += len(c.Key) + len(c.Old) + len(c.New) + 3*binary.MaxVarintLen32
	}
	blob := make([]byte, 0, size)
	for _, c := range changes {
		blob = appendBytes(blob, c.Key)
		blob = appendSide(blob, c.Old)
		blob = appendSide(blob, c.New)
	}
	return saveParts(w, changeKey, id, blob)
}

// Changes reads what a node changed, sorted by key.
func Changes(r kv.Reader, id ID) ([]kv.Change, error) {
	blob, _, err := loadParts(r, changeKey, id)
	if err != nil {
		return nil, err
	}
	var changes []kv.Change
	for b := (reader{rest: blob}); len(b.rest) > 0; {
		c := kv.Change{Key: b.bytes(), Old: b.side(), New: b.side()}
		if b.err != nil {
			return nil, &kv.CorruptError{Key: key(changeKey, id), Err: b.err}
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// appendSide writes a value that may be absent: its length plus one, or zero.
func appendSide(dst, b []byte) []byte {
	if b == nil {
		return append(dst, 0)
	}
	return append(binary.AppendUvarint(dst, uint64(len(b))+1), b...)
}

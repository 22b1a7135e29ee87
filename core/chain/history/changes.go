package history

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/s2"

	"ephemera/core/kv"
)

// saveChanges writes no record for a node without changes.
func saveChanges(writer kv.Writer, id ID, changes []kv.Change) error {
	if len(changes) == 0 {
		return nil
	}
	var record []byte
	for _, change := range changes {
		record = appendBytes(record, change.Key)
		record = appendOptional(record, change.OldValue)
		record = appendOptional(record, change.NewValue)
	}
	return saveParts(writer, changeLetter, id, record)
}

// Changes reads the changes that a node made to the store, sorted by key. It fails with a
// [*kv.CorruptError].
func Changes(reader kv.Reader, id ID) ([]kv.Change, error) {
	record, _, err := loadParts(reader, changeLetter, id)
	if err != nil {
		return nil, err
	}
	var changes []kv.Change
	fields := fieldReader{unread: record}

	for len(fields.unread) > 0 {
		var change kv.Change
		change.Key = fields.readBytes()
		change.OldValue = fields.readOptional()
		change.NewValue = fields.readOptional()
		if fields.err != nil {
			return nil, &kv.CorruptError{Key: key(changeLetter, id), Err: fields.err}
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// appendOptional appends a value that can be nil: its length plus one, and then the value. For
// nil it appends only a zero.
func appendOptional(dst, value []byte) []byte {
	if value == nil {
		return append(dst, 0)
	}
	dst = binary.AppendUvarint(dst, uint64(len(value))+1)
	return append(dst, value...)
}

// Large records are packed, which means compressed, because a transaction has a limit on
// how much it writes. A record repeats the id of a token in every key, message and
// attribute, and has the metadata of a token before and after a message. If these are long,
// most of the record is repetition.

// minPackedSize is the size from which on a record is packed. An ordinary record has a few
// hundred bytes, which are not worth the time.
const minPackedSize = 8 << 10 // bytes

// packedMark is the beginning of a packed record. No other record can begin with it: a node
// begins with its kind, and changes begin with a length, which never takes so many bytes.
// Older versions of the program fail to decode the mark, so they do not undo a packed node
// wrongly.
var packedMark = bytes.Repeat([]byte{0xff}, binary.MaxVarintLen64)

// maxUnpackedSize bounds the memory that a broken record can take.
const maxUnpackedSize = 64 << 20 // bytes

// pack compresses a record of at least [minPackedSize] bytes, and puts [packedMark] before it.
func pack(record []byte) []byte {
	if len(record) < minPackedSize {
		return record
	}
	packed := make([]byte, len(packedMark)+s2.MaxEncodedLen(len(record)))
	copy(packed, packedMark)

	// EncodeBest finds repetitions at any distance, but Encode only within 64 KB.
	compressed := s2.EncodeBest(packed[len(packedMark):], record)
	return packed[:len(packedMark)+len(compressed)]
}

var errPacked = errors.New("the record cannot be unpacked")

// unpack is the inverse of [pack]. It fails with [errPacked] if a packed record is broken, or
// would have more than [maxUnpackedSize] bytes.
func unpack(storedRecord []byte) ([]byte, error) {
	packed, isPacked := bytes.CutPrefix(storedRecord, packedMark)
	if !isPacked {
		return storedRecord, nil
	}

	size, err := s2.DecodedLen(packed)
	if err != nil || size > maxUnpackedSize {
		return nil, errPacked
	}
	record, err := s2.Decode(nil, packed)
	if err != nil {
		return nil, errPacked
	}
	return record, nil
}

package history

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/s2"

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

	// The changes follow each other: key, old value, new value. The last two can be absent.
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

// Packing compresses large records. A record repeats the id of a token in every key,
// message and attribute, and has the metadata of a token before and after a message. If
// these are long, most of the record is repetition, and a transaction has a limit on what
// it writes.

// minPackedSize is the least size of a record that is packed. An ordinary record has a
// few hundred bytes, which are not worth the time.
const minPackedSize = 8 << 10 // bytes

// packedMark is the beginning of a packed record. No other record begins with these bytes:
// a node begins with its kind and changes begin with a length, which never takes as many
// bytes. A version of the program without packed records fails to decode one, so it does
// not undo it.
var packedMark = bytes.Repeat([]byte{0xff}, binary.MaxVarintLen64)

// maxUnpackedSize bounds the memory that unpacking a broken record takes.
const maxUnpackedSize = 64 << 20 // bytes

// pack compresses a large record. It returns a small one as it is.
func pack(record []byte) []byte {
	if len(record) < minPackedSize {
		return record
	}
	packed := make([]byte, len(packedMark)+s2.MaxEncodedLen(len(record)))
	copy(packed, packedMark)

	// EncodeBest finds repetitions at any distance, Encode within 64 KB.
	compressed := s2.EncodeBest(packed[len(packedMark):], record)
	return packed[:len(packedMark)+len(compressed)]
}

// errPacked reports that a compressed record is broken, or too large when decompressed.
var errPacked = errors.New("the record cannot be unpacked")

// unpack is the inverse of [pack]. It fails with errPacked if a packed record is broken,
// or larger than maxUnpackedSize.
func unpack(stored []byte) ([]byte, error) {
	packed, isPacked := bytes.CutPrefix(stored, packedMark)
	if !isPacked {
		return stored, nil
	}

	// A broken record could claim any size, so look at that before unpacking.
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

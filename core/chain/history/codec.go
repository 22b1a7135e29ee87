package history

import (
	"encoding/binary"
	"errors"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// The records of the history are binary and not JSON, because a node can have a message that
// is no valid JSON, and because every message adds a record, which must be short.

// partSize is the size of the parts of a large record, below a store's limit for values.
const partSize = kv.MaxValue / 2

// saveParts writes a record of a node. letter is the first byte of the record's key.
func saveParts(writer kv.Writer, letter byte, id ID, record []byte) error {
	unwritten := pack(record)
	for part := ID(0); ; part++ {
		size := min(partSize, len(unwritten))
		value := unwritten[:size:size]
		if err := writer.Set(partKey(letter, id, part), value); err != nil {
			return err
		}
		unwritten = unwritten[size:]

		// A part that is not full, or even empty, is the last one.
		if size < partSize {
			return nil
		}
	}
}

// loadParts reads a record that [saveParts] wrote. ok is false if there is none. It fails with
// a [*kv.CorruptError] if a part is missing or the record cannot be decompressed.
func loadParts(reader kv.Reader, letter byte, id ID) (record []byte, ok bool, err error) {
	for part := ID(0); ; part++ {
		recordKey := partKey(letter, id, part)
		value, exists, err := reader.Get(recordKey)
		if err != nil || !exists && part == 0 {
			return nil, false, err
		}
		if !exists {
			return nil, false, &kv.CorruptError{Key: recordKey, Err: errShortRecord}
		}
		record = append(record, value...)
		if len(value) < partSize { // only the last part is not full
			break
		}
	}
	record, err = unpack(record)
	if err != nil {
		return nil, false, &kv.CorruptError{Key: key(letter, id), Err: err}
	}
	return record, true, nil
}

func deleteParts(txn kv.Txn, letter byte, id ID) error {
	for part := ID(0); ; part++ {
		recordKey := partKey(letter, id, part)
		_, exists, err := txn.Get(recordKey)
		if err != nil || !exists {
			return err
		}
		if err := txn.Delete(recordKey); err != nil {
			return err
		}
	}
}

// partKey returns the key of a part of a record. Part 0 has the key of the record itself. The
// keys of the others begin with [partLetter], so that a scan of all records of a kind comes to
// each record only once.
func partKey(letter byte, id, part ID) []byte {
	if part == 0 {
		return key(letter, id)
	}
	return append(key(partLetter, id, part), letter)
}

// The sizes of the record of a [State] in bytes.
const (
	stateSize       = 5 * 8         // five numbers, if no nodes were pruned
	prunedStateSize = stateSize + 8 // with the number of pruned nodes
)

// encode returns the record of the state: numbers of eight bytes, big-endian. The number of
// pruned nodes is only there if it is not 0, because early versions of the program did not
// write it.
func (s State) encode() []byte {
	numbers := []uint64{
		uint64(s.Head),
		uint64(s.Last),
		uint64(s.SetupEnd),
		uint64(s.Oldest),
		s.Revision,
	}
	if s.PrunedCount > 0 {
		numbers = append(numbers, s.PrunedCount)
	}
	var record []byte
	for _, number := range numbers {
		record = binary.BigEndian.AppendUint64(record, number)
	}
	return record
}

// decodeState fails with a [*kv.CorruptError] if the record has another size.
func decodeState(record []byte) (State, error) {
	wasPruned := len(record) == prunedStateSize
	if len(record) != stateSize && !wasPruned {
		return State{}, &kv.CorruptError{Key: []byte("history"), Err: errShortRecord}
	}

	number := func(i int) uint64 { return binary.BigEndian.Uint64(record[8*i:]) }
	state := State{
		Head:     ID(number(0)),
		Last:     ID(number(1)),
		SetupEnd: ID(number(2)),
		Oldest:   ID(number(3)),
		Revision: number(4),
	}
	if wasPruned {
		state.PrunedCount = number(5)
	}
	return state, nil
}

// A kind is stored as its index in this list.
var kinds = []Kind{KindInstantiate, KindExecute, KindClock, KindImport, KindMigrate}

// The first byte of a node's record is its index in [kinds]. These bits of the byte are set
// if the record has an optional field.
const (
	differenceBit = 0x80 // Difference
	debugBit      = 0x40 // Log
	batchBit      = 0x20 // Batch
)

// encode returns the record of a node. The number of the node is in the key. The refusal comes
// last; without one, the record simply ends before it.
func (n Node) encode() []byte {
	record := []byte{byte(slices.Index(kinds, n.Kind))}
	record = binary.AppendUvarint(record, uint64(n.Parent))
	record = binary.AppendUvarint(record, uint64(n.Height))
	record = binary.AppendUvarint(record, uint64(n.Time))
	record = binary.AppendUvarint(record, n.ChangeCount)
	record = appendBytes(record, n.Sender)
	record = appendBytes(record, n.Message)
	record = appendBytes(record, n.Answer)

	if len(n.Difference) > 0 {
		record[0] |= differenceBit
		record = appendBytes(record, n.Difference)
	}
	if n.Log != "" {
		record[0] |= debugBit
		record = appendBytes(record, n.Log)
	}
	if n.Batch != 0 {
		record[0] |= batchBit
		record = binary.AppendUvarint(record, uint64(n.Batch))
	}
	if n.Refusal != nil {
		record = appendBytes(record, n.Refusal.Kind)
		record = appendBytes(record, n.Refusal.Text)
		record = appendBytes(record, n.Refusal.Field)
	}
	return record
}

// decodeNode fails with a [*kv.CorruptError] if the record cannot be decoded.
func decodeNode(id ID, record []byte) (Node, error) {
	fields := fieldReader{unread: record}
	node := Node{ID: id}

	firstByte := fields.readByte()
	kind := int(firstByte &^ (differenceBit | debugBit | batchBit))
	if kind < len(kinds) {
		node.Kind = kinds[kind]
	} else {
		fields.fail()
	}
	node.Parent = ID(fields.readUint())
	node.Height = cw721.Height(fields.readUint())
	node.Time = cw721.Time(fields.readUint())
	node.ChangeCount = fields.readUint()
	node.Sender = cw721.Address(fields.readBytes())
	node.Message = string(fields.readBytes())
	node.Answer = fields.readBytes()
	if firstByte&differenceBit != 0 {
		node.Difference = fields.readBytes()
	}
	if firstByte&debugBit != 0 {
		node.Log = string(fields.readBytes())
	}
	if firstByte&batchBit != 0 {
		node.Batch = ID(fields.readUint())
	}

	// If any bytes remain, they are the refusal.
	if len(fields.unread) > 0 {
		node.Refusal = &Refusal{}
		node.Refusal.Kind = cw721.Kind(fields.readBytes())
		node.Refusal.Text = string(fields.readBytes())
		node.Refusal.Field = string(fields.readBytes())
	}
	if fields.err != nil {
		return Node{}, &kv.CorruptError{Key: key(nodeLetter, id), Err: fields.err}
	}
	return node, nil
}

// appendBytes appends the length of a value, as a varint, and then the value.
func appendBytes[S ~string | ~[]byte](dst []byte, value S) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(value)))
	return append(dst, value...)
}

var errShortRecord = errors.New("the record is cut short")

// fieldReader reads the fields of a record one after the other. After an error, all further
// fields are zero, so the caller looks at err only once.
type fieldReader struct {
	unread []byte // the rest of the record
	err    error  // nil until a field could not be read
}

// fail drops the unread bytes, so that no further field is read.
func (r *fieldReader) fail() {
	r.unread = nil
	r.err = errShortRecord
}

func (r *fieldReader) readByte() byte {
	field := r.readNext(1)
	if len(field) == 0 {
		return 0
	}
	return field[0]
}

func (r *fieldReader) readUint() uint64 {
	number, size := binary.Uvarint(r.unread)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.unread = r.unread[size:]
	return number
}

func (r *fieldReader) readBytes() []byte { return r.readNext(r.readUint()) }

// readOptional reads what [appendOptional] wrote.
func (r *fieldReader) readOptional() []byte {
	sizePlusOne := r.readUint()
	if sizePlusOne == 0 {
		return nil
	}
	return r.readNext(sizePlusOne - 1)
}

func (r *fieldReader) readNext(size uint64) []byte {
	if uint64(len(r.unread)) < size {
		r.fail()
		return nil
	}
	field := r.unread[:size:size]
	r.unread = r.unread[size:]
	return field
}

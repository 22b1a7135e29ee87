package chain

import (
	"encoding/binary"
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// blockState is the clock, and whether there is a collection. Every message and every view
// reads it first, so it is one short record.
type blockState struct {
	Clock
	hasCollection bool
}

// blockStateItem holds 25 bytes: height, time in nanoseconds and seconds per block, each in
// 8 bytes big-endian, and 1 if there is a collection, else 0.
var blockStateItem = kv.NewItem("now", kv.Codec[blockState]{Encode: blockState.encode, Decode: decodeBlockState})

// blockStateSize is the size of an encoded blockState in bytes.
const blockStateSize = 3*8 + 1

// encode returns the bytes of the record, as [blockStateItem] describes them.
func (s blockState) encode() []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, blockStateSize), uint64(s.Height))
	b = binary.BigEndian.AppendUint64(b, uint64(s.Time))
	b = binary.BigEndian.AppendUint64(b, s.SecondsPerBlock)
	if s.hasCollection {
		return append(b, 1)
	}
	return append(b, 0)
}

// errBlockStateSize reports that the record of a blockState is damaged.
var errBlockStateSize = errors.New("it does not have the size of a block state")

// decodeBlockState decodes the bytes of the record. It fails if their number is wrong, or if
// the seconds per block are out of range.
func decodeBlockState(b []byte) (blockState, error) {
	if len(b) != blockStateSize {
		return blockState{}, errBlockStateSize
	}
	var s blockState
	s.Height = cw721.Height(binary.BigEndian.Uint64(b))
	s.Time = cw721.Time(binary.BigEndian.Uint64(b[8:]))
	s.SecondsPerBlock = binary.BigEndian.Uint64(b[16:])
	s.hasCollection = b[24] == 1
	return s, checkPace(s.SecondsPerBlock)
}

// loadBlockState reads the clock and whether there is a collection. It fails with
// [ErrNoCollection] in a store without a chain.
func loadBlockState(meta kv.Reader) (blockState, error) {
	s, exists, err := blockStateItem.Load(meta)
	if err != nil {
		return blockState{}, err
	}
	if !exists {
		return blockState{}, ErrNoCollection
	}
	return s, nil
}

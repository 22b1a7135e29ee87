package chain

import (
	"encoding/binary"
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// blockState is what every message and every question asks for first: the clock,
// and whether there is a collection. So it is one record, in binary.
type blockState struct {
	Clock
	collection bool
}

// blockStateItem holds 25 bytes: height, time in nanoseconds and seconds per block,
// each 8 bytes big-endian, and 1 where there is a collection, else 0.
var blockStateItem = kv.NewItem("now", kv.Codec[blockState]{Encode: blockState.encode, Decode: decodeBlockState})

const blockStateSize = 3*8 + 1

func (m blockState) encode() []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, blockStateSize), uint64(m.Height))
	b = binary.BigEndian.AppendUint64(b, uint64(m.Time))
	b = binary.BigEndian.AppendUint64(b, m.SecondsPerBlock)
	if m.collection {
		return append(b, 1)
	}
	return append(b, 0)
}

var errBlockStateShape = errors.New("it does not have the size of a block state")

func decodeBlockState(b []byte) (m blockState, err error) {
	if len(b) != blockStateSize {
		return m, errBlockStateShape
	}
	m.Height = cw721.Height(binary.BigEndian.Uint64(b))
	m.Time = cw721.Time(binary.BigEndian.Uint64(b[8:]))
	m.SecondsPerBlock = binary.BigEndian.Uint64(b[16:])
	m.collection = b[24] == 1
	return m, checkPace(m.SecondsPerBlock)
}

// loadBlockState fails with [ErrNoCollection] in a store without a chain.
func loadBlockState(meta kv.Reader) (blockState, error) {
	m, ok, err := blockStateItem.Load(meta)
	if err == nil && !ok {
		err = ErrNoCollection
	}
	return m, err
}

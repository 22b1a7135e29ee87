package chain

import (
	"encoding/binary"
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// moment is what every message and every question asks for first: the clock,
// and whether there is a collection. So it is one record, in binary.
type moment struct {
	Clock
	collection bool
}

var momentItem = kv.NewItem("now", kv.Codec[moment]{Encode: moment.encode, Decode: decodeMoment})

const momentSize = 3*8 + 1

func (m moment) encode() []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, momentSize), uint64(m.Height))
	b = binary.BigEndian.AppendUint64(b, uint64(m.Time))
	b = binary.BigEndian.AppendUint64(b, m.SecondsPerBlock)
	if m.collection {
		return append(b, 1)
	}
	return append(b, 0)
}

var errMomentShape = errors.New("it does not have the size of a moment")

func decodeMoment(b []byte) (m moment, err error) {
	if len(b) != momentSize {
		return m, errMomentShape
	}
	m.Height = cw721.Height(binary.BigEndian.Uint64(b))
	m.Time = cw721.Time(binary.BigEndian.Uint64(b[8:]))
	m.SecondsPerBlock = binary.BigEndian.Uint64(b[16:])
	m.collection = b[24] == 1
	return m, checkPace(m.SecondsPerBlock)
}

// loadMoment reads the moment. It fails with [ErrNoCollection] in a store
// without a chain.
func loadMoment(meta kv.Reader) (moment, error) {
	m, ok, err := momentItem.Load(meta)
	if err == nil && !ok {
		err = ErrNoCollection
	}
	return m, err
}

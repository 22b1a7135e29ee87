package history

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/s2"
)

// A record names a token's id in every key, message and attribute, and metadata
// as it was and as it is. Where those are long they are most of the record, and
// all but the first can be packed away: a store bounds what one transaction
// writes.

// packFrom is the size of a record from which it is packed; the few hundred
// bytes of an ordinary one are not worth the time.
const packFrom = 8 << 10 // bytes

// packedMark begins a packed record. No other record begins so: a node begins
// with its kind, and changes with a length, and no number is as long as this. A
// program from before there were packed records takes it for a broken one, and
// so for nothing that it could undo.
var packedMark = bytes.Repeat([]byte{0xff}, binary.MaxVarintLen64)

// mostUnpacked bounds what a broken record can make a reader hold.
const mostUnpacked = 64 << 20 // bytes

func pack(blob []byte) []byte {
	if len(blob) < packFrom {
		return blob
	}
	packed := make([]byte, len(packedMark)+s2.MaxEncodedLen(len(blob)))
	n := copy(packed, packedMark)
	// The best finds what repeats at any distance, the others within 64 KB.
	n += len(s2.EncodeBest(packed[n:], blob))
	return packed[:n]
}

var errPacked = errors.New("the record cannot be unpacked")

func unpack(blob []byte) ([]byte, error) {
	packed, ok := bytes.CutPrefix(blob, packedMark)
	if !ok {
		return blob, nil
	}
	if n, err := s2.DecodedLen(packed); err != nil || n > mostUnpacked {
		return nil, errPacked
	}
	blob, err := s2.Decode(nil, packed)
	if err != nil {
		return nil, errPacked
	}
	return blob, nil
}

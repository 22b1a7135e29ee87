package persist

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync"

	"github.com/dgraph-io/badger/v4/fb"
)

// What Badger reads of a table when it opens it is its end: the last block, the
// index, and behind that the footer, which says how long the index is. Where
// those are broken, or the disk cannot give them, that can end the process. So
// of a table that was once looked at in full, and has not been written to
// since, they are read again and nothing else.

// tail is how the end of a table reads.
type tail struct {
	last int64  // where the last block begins
	sum  uint32 // of everything from there on
}

// tailOf reads the end of a table that can be read.
func tailOf(data []byte) (tail, error) {
	from, to, err := indexIn(data)
	if err != nil {
		return tail{}, err
	}
	var last fb.BlockOffset
	index := fb.GetRootAsTableIndex(data[from:to], 0)
	if !index.Offsets(&last, index.OffsetsLength()-1) {
		return tail{}, errBlock
	}
	at := int64(last.Offset())
	return tail{last: at, sum: crc32.Checksum(data[at:], castagnoli)}, nil
}

// stillEnds says whether a table of so many bytes ends as it did.
func (t tail) stillEnds(table io.ReaderAt, size int64) bool {
	block := blocks.Get().(*[64 << 10]byte)
	defer blocks.Put(block)
	sum := uint32(0)
	for at := t.last; at < size; {
		n, err := table.ReadAt(block[:min(int64(len(block)), size-at)], at)
		if err != nil {
			return false
		}
		sum = crc32.Update(sum, castagnoli, block[:n])
		at += int64(n)
	}
	return sum == t.sum
}

// blocks are kept because a start that makes one for each table takes longer.
var blocks = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// indexIn follows the lengths at the end of a table to where its index lies.
// Badger does so without looking whether they can be.
func indexIn(data []byte) (from, to int, err error) {
	n, rest := lastLength(data)
	if n < 0 || n > len(rest) {
		return 0, 0, errFooter
	}
	n, rest = lastLength(rest[:len(rest)-n])
	if n < 0 || n > len(rest) {
		return 0, 0, errFooter
	}
	return len(rest) - n, len(rest), nil
}

// lastLength takes the length at the end of b; it is below 0 where there is
// none.
func lastLength(b []byte) (n int, rest []byte) {
	if len(b) < 4 {
		return -1, nil
	}
	rest = b[:len(b)-4]
	return int(binary.BigEndian.Uint32(b[len(rest):])), rest
}

var errFooter = errors.New("its end does not fit its size")

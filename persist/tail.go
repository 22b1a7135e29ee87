package persist

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"

	"github.com/dgraph-io/badger/v4/fb"
)

// What Badger reads of a table when it opens it is its end: the last block, the
// index, and behind that the footer, which says how long the index is. An index
// that is broken it refuses. A last block or a footer that is broken can end the
// process, and so can what the disk cannot give. So of a table that was once
// looked at in full, and has not been written to since, those two are read, the
// index is only asked for, and nothing else is looked at.

// tail is how the end of a table reads.
type tail struct {
	last int64  // where the last block begins
	sum  uint32 // of that block and of the footer
}

// footRead is how much of a table's end is taken as its footer: enough for the
// sum of the index and both lengths. The index before it is longer than what is
// read too much.
const footRead = smallestTable

// tailOf reads the end of a table that can be read.
func tailOf(data []byte) (tail, error) {
	from, to, err := indexIn(data, len(data))
	if err != nil {
		return tail{}, err
	}
	var last fb.BlockOffset
	index := fb.GetRootAsTableIndex(data[from:to], 0)
	if !index.Offsets(&last, index.OffsetsLength()-1) {
		return tail{}, errBlock
	}
	t := tail{last: int64(last.Offset())}
	t.sum = sumOf(data[t.last:from], data[len(data)-footRead:])
	return t, nil
}

// stillEnds says whether a table of so many bytes ends as it did, as far as
// Badger does not find out by itself.
func (t tail) stillEnds(table *os.File, size int64) bool {
	var foot [footRead]byte
	if _, err := table.ReadAt(foot[:], size-footRead); err != nil {
		return false
	}
	from, to, err := indexIn(foot[:], int(size))
	if err != nil || t.last < 0 || t.last > int64(from) {
		return false
	}
	block := make([]byte, int64(from)-t.last)
	_, err = table.ReadAt(block, t.last)
	return err == nil && t.sum == sumOf(block, foot[:]) && given(table, int64(from), int64(to))
}

func sumOf(block, foot []byte) uint32 {
	return crc32.Update(crc32.Checksum(block, castagnoli), castagnoli, foot)
}

// indexIn follows the lengths at the end of a table of so many bytes to where
// its index lies. Badger does so without looking whether they can be.
func indexIn(end []byte, size int) (from, to int, err error) {
	n, rest := lastLength(end)
	if n < 0 || n > len(rest) {
		return 0, 0, errFooter
	}
	n, rest = lastLength(rest[:len(rest)-n])
	to = size - (len(end) - len(rest))
	if n < 0 || n > to {
		return 0, 0, errFooter
	}
	return to - n, to, nil
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

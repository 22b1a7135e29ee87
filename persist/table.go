package persist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/dgraph-io/ristretto/v2/z"
)

// checkTable opens a table as Badger does and reads the count of commits in
// it; 0 where it has none. whole reads every block besides. Badger answers
// broken bytes with a panic, here in this goroutine, where it can be caught;
// while it opens a database it is in one of Badger's own, and ends the process.
func checkTable(path string, packed badgeroptions.CompressionType, whole bool) (commits uint64, err error) {
	if info, err := os.Stat(path); err != nil {
		return 0, err
	} else if info.Size() < smallestTable {
		return 0, errors.New("it is cut short")
	}
	file, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return 0, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = errors.New(firstWords(r))
		}
		err = errors.Join(err, file.Close(-1))
	}()
	if err := checkFooter(file.Data); err != nil {
		return 0, err
	}
	t, err := table.OpenTable(file, table.Options{
		ReadOnly:    true,
		BlockSize:   options("").BlockSize,
		Compression: packed,
		ChkMode:     badgeroptions.OnBlockRead,
	})
	if err != nil {
		return 0, errors.New(firstWords(err))
	}
	if whole {
		if !readable(t) {
			return 0, errBlock
		}
	}
	return commitsIn(t)
}

var errBlock = errors.New("a block of it cannot be read")

// readable reads every block. Of the first that it cannot read, Badger means to
// tell the place, and panics.
func readable(t *table.Table) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return t.VerifyChecksum() == nil
}

const smallestTable = 64 // bytes; the index of an empty one takes more

// checkFooter follows the lengths at the end of a table. Badger does so without
// looking whether they can be.
func checkFooter(data []byte) error {
	at := len(data)
	for range 2 { // the checksum of the index, the index
		if at < 4 {
			return errFooter
		}
		at -= 4
		n := int64(binary.BigEndian.Uint32(data[at:]))
		if n > int64(at) {
			return errFooter
		}
		at -= int(n)
	}
	return nil
}

var errFooter = errors.New("its end does not fit its size")

// commitsIn reads the count of commits in a table.
func commitsIn(t *table.Table) (uint64, error) {
	if y.CompareKeys(t.Smallest(), y.KeyWithTs(commitsKey, 0)) > 0 {
		return 0, nil
	}
	it := t.NewIterator(table.NOCACHE)
	defer it.Close()
	it.Seek(y.KeyWithTs(commitsKey, math.MaxUint64))
	if !it.Valid() && y.CompareKeys(t.Biggest(), y.KeyWithTs(commitsKey, 0)) >= 0 {
		return 0, errBlock
	}
	if !it.Valid() || !bytes.Equal(y.ParseKey(it.Key()), commitsKey) {
		return 0, nil
	}
	v := it.Value().Value
	if len(v) != commitsSize {
		return 0, nil
	}
	return binary.BigEndian.Uint64(v), nil
}

// firstWords makes one line of what Badger says, which goes on for pages.
func firstWords(of any) string {
	for line := range strings.Lines(fmt.Sprint(of)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "==") {
			return line[:min(len(line), 160)]
		}
	}
	return "it cannot be read"
}

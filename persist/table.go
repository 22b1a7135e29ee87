package persist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/dgraph-io/ristretto/v2/z"
)

// note is what a look at a table has found.
type note struct {
	leads
	tail
}

// checkTable opens a table as Badger does and reads what it tells of the
// database. whole reads every block besides. Badger answers
// broken bytes with a panic, here in this goroutine, where it can be caught;
// while it opens a database it is in one of Badger's own, and ends the process.
func checkTable(path string, packed badgeroptions.CompressionType, whole bool) (found note, err error) {
	if info, err := os.Stat(path); err != nil {
		return found, err
	} else if info.Size() < smallestTable {
		return found, errors.New("it is cut short")
	}
	file, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return found, err
	}
	// A place that the disk cannot give, and on some full disks a hole, is a
	// fault where it is read. It would end the process.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = errors.New(firstWords(r))
		}
		err = errors.Join(err, file.Close(-1))
	}()
	if _, _, err := indexIn(file.Data, len(file.Data)); err != nil {
		return found, err
	}
	t, err := table.OpenTable(file, table.Options{
		ReadOnly:    true,
		BlockSize:   options("").BlockSize,
		Compression: packed,
		ChkMode:     badgeroptions.OnBlockRead,
	})
	if err != nil {
		if strings.Contains(err.Error(), "initialize biggest") {
			return found, errBlock // the first of them, or the last
		}
		return found, errors.New("its index cannot be read")
	}
	if whole && !readable(t) {
		return found, errBlock
	}
	if found.tail, err = tailOf(file.Data); err != nil {
		return found, err
	}
	found.leads, err = leadsOf(t)
	return found, err
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

// leads is what the files of a database tell of it before it is opened.
type leads struct {
	commits uint64 // the newest count of them; 0: none
	schema  int    // version of how records lie; 0: none
}

func (l leads) and(other leads) leads {
	return leads{max(l.commits, other.commits), max(l.schema, other.schema)}
}

// leadsOf reads what a table tells.
func leadsOf(t *table.Table) (l leads, err error) {
	value, err := newestIn(t, commitsKey)
	if err != nil {
		return l, err
	}
	if len(value) == commitsSize {
		l.commits = binary.BigEndian.Uint64(value)
	}
	value, err = newestIn(t, schemaKey)
	l.schema, _ = strconv.Atoi(string(value))
	return l, err
}

// newestIn gives the newest value of a key in a table; nil where it has none.
func newestIn(t *table.Table, key []byte) ([]byte, error) {
	if y.CompareKeys(t.Smallest(), y.KeyWithTs(key, 0)) > 0 {
		return nil, nil
	}
	it := t.NewIterator(table.NOCACHE)
	defer it.Close()
	it.Seek(y.KeyWithTs(key, math.MaxUint64))
	if !it.Valid() && y.CompareKeys(t.Biggest(), y.KeyWithTs(key, 0)) >= 0 {
		return nil, errBlock
	}
	if !it.Valid() || !bytes.Equal(y.ParseKey(it.Key()), key) {
		return nil, nil
	}
	return it.ValueCopy().Value, nil
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

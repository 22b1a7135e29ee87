package persist

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/dgraph-io/ristretto/v2/z"
)

// This file is all that the package knows of Badger's inside: the names of its
// files, how to open one table by itself with Badger's own package table, and two
// numbers. inside_test.go fails when a new Badger does any of it otherwise.
//
// It is needed because Badger opens tables in goroutines of its own, where a
// broken one ends the process, and because no function of badger.DB names the
// table that is broken or hands out what is left in it.

// The files of a database.
const (
	tableKind = ".sst"
	logKind   = ".mem"  // the log of a memory table
	valueKind = ".vlog" // holds nothing: every value lies beside its key
	// lockFile holds the pid of the process that has the directory locked.
	lockFile = "LOCK"
)

var numbered = regexp.MustCompile(`^[0-9]+\.(sst|mem|vlog)$`)

// ownFile says whether a file of this name is one of a database.
func ownFile(name string) bool {
	switch name {
	case badger.ManifestFilename, badger.ManifestFilename + "-REWRITE", badger.KeyRegistryFileName,
		badger.KeyRegistryRewriteFileName, "DISCARD", lockFile, sealFile, sealFile + newSuffix:
		return true
	}
	return numbered.MatchString(name)
}

// holdsRecords says whether a file of this name makes a directory a database. The
// others are what Badger makes first, and a creation that was cut off leaves.
func holdsRecords(name string) bool {
	return name == badger.ManifestFilename || name == sealFile || numbered.MatchString(name)
}

// isEmptyLog tells a log that a kill left before its first byte, over which Badger
// fails. It makes another when it is gone.
func isEmptyLog(e fs.DirEntry) bool {
	info, err := e.Info()
	return filepath.Ext(e.Name()) == logKind && err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// keysReadable says whether Badger can read the list of keys for encryption, which
// is empty here.
func keysReadable(dir string) bool {
	keys, err := badger.OpenKeyRegistry(badger.KeyRegistryOptions{Dir: dir, ReadOnly: true})
	return err == nil && keys.Close() == nil
}

const (
	// logKeyID is the length of what a log begins with: the id of the key that
	// it is encrypted with, 0 for none.
	logKeyID = 8
	// logHead is the length of what a log begins with, before its first entry.
	logHead = 20
	// longestLog is the length that Badger gives a log at first; it cuts it later.
	longestLog = 2 * memoryTable
	// deleted marks an entry that deletes a key.
	deleted = 1
	// partOfCommit marks every entry of a commit in a log but the one that ends it.
	partOfCommit = 1 << 6
	// versionSize is what Badger adds to the end of each key.
	versionSize = 8
	// smallestTable is less than any table has bytes.
	smallestTable = 64
)

// readManifest tells which tables belong to a database.
func readManifest(dir string) (map[uint64]badger.TableManifest, error) {
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, _, err := badger.ReplayManifestFile(f, 0, options(dir))
	return m.Tables, err
}

func tableName(id uint64) string { return table.IDToFilename(id) }

// tableIDs gives the numbers of the tables that are there.
func (f *files) tableIDs() map[uint64]bool {
	ids := make(map[uint64]bool, len(f.tables))
	for _, e := range f.tables {
		if id, ok := table.ParseFileID(e.Name()); ok {
			ids[id] = true
		}
	}
	return ids
}

// readLog reads a log, or so much of it that it is longer than any of this program.
func readLog(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, longestLog+1))
}

// commitsInLog gives the first and the last count of commits in a log, or 0 where
// it holds none. Like Badger, it reads up to the last commit before the first entry
// that is broken. It refuses a log over which Badger ends the process.
func commitsInLog(path string) (first, last uint64, err error) {
	err = inFile(path, func(file *z.MmapFile) (err error) {
		first, last, err = countCommits(file.Data)
		return err
	})
	return first, last, err
}

func countCommits(log []byte) (first, last uint64, err error) {
	switch {
	case len(log) < logHead: // it holds nothing
		return 0, 0, nil
	case len(log) > longestLog:
		return 0, 0, errors.New("is longer than any of this program")
	case binary.BigEndian.Uint64(log) != 0: // the id of the key
		return 0, 0, errors.New("is broken (its head cannot be read)")
	}

	count := uint64(0) // of the commit that has not ended
	for e, rest := cutLogEntry(log[logHead:]); rest != nil; e, rest = cutLogEntry(rest) {
		if bytes.Equal(e.key, commitsKey) {
			count = decodeCommits(e.value)
		}
		if !e.partial {
			last = count
			first = cmp.Or(first, last)
		}
	}
	return first, last, nil
}

// logEntry is one entry of a log.
type logEntry struct {
	key, value []byte
	partial    bool // an entry that ends its commit follows
}

// cutLogEntry splits the first entry off a log. The rest is nil where the log
// holds no further entry that is whole.
func cutLogEntry(log []byte) (e logEntry, rest []byte) {
	in := bytes.NewReader(log)
	kind, _ := in.ReadByte()
	_, _ = in.ReadByte() // not used
	keySize, _ := binary.ReadUvarint(in)
	valueSize, _ := binary.ReadUvarint(in)
	_, err := binary.ReadUvarint(in) // when it expires
	size := uint64(len(log))
	if err != nil || keySize <= versionSize || max(keySize, valueSize) > size {
		return e, nil
	}

	keyAt := size - uint64(in.Len())
	valueAt := keyAt + keySize
	end := valueAt + valueSize
	next := end + crc32.Size
	if next > size || crc32.Checksum(log[:end], y.CastagnoliCrcTable) != y.BytesToU32(log[end:next]) {
		return e, nil
	}
	e.key = y.ParseKey(log[keyAt:valueAt])
	e.value = log[valueAt:end]
	e.partial = kind&partOfCommit != 0
	return e, log[next:]
}

// inFile maps a file for reading and hands it to fn. A place that the disk cannot
// read is a fault, and Badger panics over some files: both become [errBlock].
func inFile(path string, fn func(*z.MmapFile) error) (err error) {
	file, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errBlock
		}
		err = errors.Join(err, file.Close(-1))
	}()
	return fn(file)
}

// inTable opens one table for reading and hands it to fn. It fails as inFile does.
func inTable(path string, fn func(*table.Table) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() < smallestTable {
		return errors.New("it is cut short")
	}
	return inFile(path, func(file *z.MmapFile) error {
		t, err := table.OpenTable(file, table.Options{
			ReadOnly: true, BlockSize: options("").BlockSize,
			Compression: badgeroptions.Snappy, ChkMode: badgeroptions.OnBlockRead,
		})
		if err != nil {
			return errBlock
		}
		return fn(t)
	})
}

var errBlock = errors.New("a block of it cannot be read")

// tableFacts is what a table tells of its database, as far as it can be read.
type tableFacts struct {
	version uint64 // Badger's, of the newest transaction in it
	commits uint64 // the newest count of commits; 0: none
	schema  int    // version of how records lie; 0: none
	err     error  // [errBlock], or a sentence that begins with "it"
}

// and gives what two tables tell, whether or not all of them can be read.
func (f tableFacts) and(o tableFacts) tableFacts {
	return tableFacts{version: max(f.version, o.version), commits: max(f.commits, o.commits), schema: max(f.schema, o.schema)}
}

// checkTable reads every block of a table against its checksum.
func checkTable(path string) (f tableFacts) {
	f.err = inTable(path, func(t *table.Table) error {
		if t.VerifyChecksum() != nil {
			return errBlock
		}
		f.version = t.MaxVersion()
		f.commits = decodeCommits(newestIn(t, commitsKey))
		f.schema, _ = strconv.Atoi(string(newestIn(t, schemaKey)))
		return nil
	})
	return f
}

// newestIn gives the newest value of a key in a table; nil where it has none.
func newestIn(t *table.Table, key []byte) []byte {
	it := t.NewIterator(table.NOCACHE)
	defer it.Close()
	it.Seek(y.KeyWithTs(key, math.MaxUint64))
	if !it.Valid() || !bytes.Equal(y.ParseKey(it.Key()), key) {
		return nil
	}
	return it.ValueCopy().Value
}

// entry is one version of a record.
type entry struct {
	key, value []byte
	version    uint64
	deleted    bool
}

func (e entry) sameKey(o entry) bool { return bytes.Equal(e.key, o.key) }

// entriesOf gives what can be read of a table from its beginning and, where it is
// broken, from its end: all but what lies between the first and the last block that
// cannot be read.
func entriesOf(path string, broken bool) (all []entry) {
	read := func(way int) {
		_ = inTable(path, func(t *table.Table) error { // which ends at the broken block
			it := t.NewIterator(table.NOCACHE | way)
			defer it.Close()
			for it.Rewind(); it.Valid(); it.Next() {
				v := it.ValueCopy()
				all = append(all, entry{bytes.Clone(y.ParseKey(it.Key())), v.Value, y.ParseTs(it.Key()), v.Meta&deleted != 0})
			}
			return nil
		})
	}
	read(0)
	if broken {
		read(table.REVERSED)
	}
	return all
}

// firstWords makes one line of what Badger says, which goes on for pages.
func firstWords(of any) string {
	for line := range strings.Lines(fmt.Sprint(of)) {
		if at := strings.LastIndex(line, " err: "); at >= 0 {
			line = line[at+len(" err: "):] // the innermost
		}
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "==") {
			return line[:min(len(line), 160)]
		}
	}
	return "it cannot be read"
}

package persist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/dgraph-io/ristretto/v2/z"
)

// This file and manifest.go are all that the package knows of Badger's files: their names,
// how to open one table alone with Badger's package table, and the formats of a log and of
// the MANIFEST. inside_test.go fails if a new Badger differs.
//
// Badger opens tables in its own goroutines, where a broken one ends the process, and no
// function of badger.DB names a broken table or returns the records left in it.

// The names of Badger's files.
const (
	tableExt    = ".sst"
	logExt      = ".mem"  // the log of a memory table
	valueLogExt = ".vlog" // empty: every value lies beside its key
	// discardFileName is the file that counts what can be discarded of the value log.
	discardFileName = "DISCARD"
	// lockFileName is the file with the id of the process that has the lock.
	lockFileName = "LOCK"
)

var numberedFile = regexp.MustCompile(`^[0-9]+\.(sst|mem|vlog)$`)

func isDatabaseFile(name string) bool {
	switch name {
	case badger.ManifestFilename, newManifestName, badger.KeyRegistryFileName,
		badger.KeyRegistryRewriteFileName, discardFileName, lockFileName, sealFileName, newSealFileName:
		return true
	}
	return numberedFile.MatchString(name)
}

// provesDatabase reports whether a file of this name proves that the directory holds a
// database. Badger creates its other files before these, so a directory with only the others
// can be one in which the creation of a database was interrupted.
func provesDatabase(name string) bool {
	return name == badger.ManifestFilename || name == sealFileName || numberedFile.MatchString(name)
}

// isRecordless reports whether a file of a database has no records: a value log, what can be
// discarded of it, the list of encryption keys, or a log that is empty because the process was
// killed. If such a file is broken, Badger may refuse to open it; if it is missing, Badger
// creates it.
func isRecordless(entry fs.DirEntry) bool {
	name := entry.Name()
	extension := filepath.Ext(name)
	if extension != logExt {
		return extension == valueLogExt || name == discardFileName || name == badger.KeyRegistryFileName
	}

	// A log has records unless it is empty.
	info, err := entry.Info()
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// The layout of a log of Badger, which holds the newest entries.
const (
	logKeyIDSize   = 8                   // bytes at the start for the id of a key; zeros without encryption
	logHeaderSize  = 20                  // bytes before the first entry
	maxLogSize     = 2 * memoryTableSize // with which Badger creates a log; it truncates it later
	deletedFlag    = 1                   // of an entry that deletes a key
	unfinishedFlag = 1 << 6              // of every entry of a commit but its last one
	versionSize    = 8                   // bytes of the version at the end of each key
)

func tableName(id uint64) string { return table.IDToFilename(id) } // "000012.sst" for 12

func tableID(name string) (id uint64, ok bool) { return table.ParseFileID(name) }

// withMappedFile maps a file into memory, calls read with it, and returns the error of read, or
// [errUnreadableBlock] if that panics. The reason is a block that the disk cannot read, which
// causes a memory fault, or a broken file over which Badger panics. An error of closing is
// ignored, because Badger syncs the file first, which nobody has changed.
func withMappedFile(path string, read func(*z.MmapFile) error) (err error) {
	file, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}

	defer panicOnFault()()
	defer func() {
		if recover() != nil {
			err = errUnreadableBlock
		}
		_ = file.Close(-1)
	}()
	return read(file)
}

var errUnreadableBlock = errors.New("a block of it cannot be read")

// readLastCommit returns the number of the last commit in a log, or previousCommit, that of the
// files before the log, if it has none. Commits are numbered from 1. Like Badger, readLastCommit
// reads the log up to the last complete commit before the first broken entry.
//
// It fails if commits are missing between previousCommit and the first commit in the log, and
// for a log over which Badger would end the process. Its error continues a sentence that begins
// with the log's name.
func readLastCommit(path string, previousCommit uint64) (lastNumber uint64, err error) {
	err = withMappedFile(path, func(file *z.MmapFile) (err error) {
		lastNumber, err = decodeLastCommit(file.Data, previousCommit)
		return err
	})
	return lastNumber, err
}

// decodeLastCommit is [readLastCommit] for the bytes of a log. A commit consists of several
// entries, one for each record, and counts only if its last entry is in the log.
func decodeLastCommit(log []byte, previousCommit uint64) (lastNumber uint64, err error) {
	switch {
	case len(log) < logHeaderSize: // it has no entry
		return previousCommit, nil
	case len(log) > maxLogSize:
		return previousCommit, errors.New("is longer than any of this program")
	case binary.BigEndian.Uint64(log) != 0: // the id of an encryption key
		return previousCommit, errors.New("is broken (its head cannot be read)")
	}

	lastNumber = previousCommit
	currentNumber := uint64(0) // the number of the commit that is being read
	entry, rest := nextLogEntry(log[logHeaderSize:])
	for ; rest != nil; entry, rest = nextLogEntry(rest) {
		if bytes.Equal(entry.key, commitsKey) {
			currentNumber = decodeCommits(entry.value)
		}
		if !entry.endsCommit {
			continue
		}

		// A gap in the numbers shows that the commits in between are lost.
		if currentNumber > lastNumber+1 {
			return lastNumber, fmt.Errorf(
				"follows on the commit %d, and the files before it end with the commit %d",
				currentNumber-1, lastNumber)
		}
		lastNumber = max(lastNumber, currentNumber)
	}
	return lastNumber, nil
}

// logEntry is one entry of a log.
type logEntry struct {
	key        []byte // without the version that Badger adds
	value      []byte
	endsCommit bool // it is the last entry of its commit
}

// nextLogEntry returns the first entry of a log, and the rest of the log after that entry.
// rest is nil if the entry is missing or broken. An entry consists of these fields:
//
//	flags               1 byte
//	unused              1 byte
//	size of the key     varint
//	size of the value   varint
//	expiry              varint
//	key, value
//	checksum            CRC-32 of all fields before it
func nextLogEntry(log []byte) (entry logEntry, rest []byte) {
	header := bytes.NewReader(log)
	flags, _ := header.ReadByte()
	_, _ = header.ReadByte() // unused
	keySize, _ := binary.ReadUvarint(header)
	valueSize, _ := binary.ReadUvarint(header)
	_, err := binary.ReadUvarint(header) // when the record expires
	logSize := uint64(len(log))
	if err != nil || keySize <= versionSize || max(keySize, valueSize) > logSize {
		return entry, nil
	}

	// The sizes must lie within the log, and the checksum must be right.
	keyStart := logSize - uint64(header.Len())
	valueStart := keyStart + keySize
	sumStart := valueStart + valueSize
	entryEnd := sumStart + crc32.Size
	if entryEnd > logSize {
		return entry, nil
	}
	sum := y.BytesToU32(log[sumStart:entryEnd])
	if crc32.Checksum(log[:sumStart], y.CastagnoliCrcTable) != sum {
		return entry, nil
	}
	return logEntry{
		key:        y.ParseKey(log[keyStart:valueStart]),
		value:      log[valueStart:sumStart],
		endsCommit: flags&unfinishedFlag == 0,
	}, log[entryEnd:]
}

// smallestTable is the length of a table's footer, in bytes. A shorter file is refused without
// mapping it into memory, because on some file systems an empty file cannot be mapped.
const smallestTable = 10

var errCutTable = errors.New("it is cut short")

// withTable opens a table and calls read with it. It fails with [errCutTable], with
// [errUnreadableBlock], and with the error of read.
func withTable(path string, read func(*table.Table) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() < smallestTable {
		return errCutTable
	}

	// Badger checks the end of the table when it opens it, and each block when it is read.
	return withMappedFile(path, func(file *z.MmapFile) error {
		settings := tableOptions()
		settings.ReadOnly = true
		openedTable, err := table.OpenTable(file, settings)
		if err == nil {
			return read(openedTable)
		}

		// Badger hides an error of the system, after which it has closed the file.
		if _, systemErr := file.Fd.Stat(); systemErr != nil {
			file.Fd = nil
			return systemErr
		}
		return errUnreadableBlock
	})
}

func tableOptions() table.Options {
	settings := badgerOptions("")
	return table.Options{
		TableSize:          uint64(settings.BaseTableSize),
		BlockSize:          settings.BlockSize,
		BloomFalsePositive: settings.BloomFalsePositive,
		Compression:        settings.Compression,
		ChkMode:            settings.ChecksumVerificationMode,
	}
}

// tableFacts is what the records in one or several tables say about the database.
type tableFacts struct {
	newestVersion uint64 // Badger's number of the newest transaction
	oldestCommit  uint64 // the lowest number of commits in one table
	commits       uint64 // the newest number of commits; 0: the tables do not hold it
	schema        int    // the schema version; 0: the tables do not hold it
	content       uint64 // the sum of the checksums of the tables' bytes, for [seal]
	err           error  // why a table cannot be read; nil if it can
}

// merge returns the facts of two sets of tables together, without the errors. Numbers only grow,
// so the larger one is the newer one.
func (f tableFacts) merge(other tableFacts) tableFacts {
	return tableFacts{
		newestVersion: max(f.newestVersion, other.newestVersion),
		commits:       max(f.commits, other.commits),
		schema:        max(f.schema, other.schema),
		content:       f.content + other.content,
	}
}

// checkTable reads every block of a table and compares it with its checksum.
func checkTable(path string) (facts tableFacts) {
	facts.err = withTable(path, func(openedTable *table.Table) error {
		if openedTable.VerifyChecksum() != nil {
			return errUnreadableBlock
		}
		facts.newestVersion = openedTable.MaxVersion()
		newestCommits, oldestCommits := valuesOf(openedTable, commitsKey)
		facts.commits = decodeCommits(newestCommits)
		facts.oldestCommit = decodeCommits(oldestCommits)
		schemaText, _ := valuesOf(openedTable, schemaKey)
		facts.schema, _ = strconv.Atoi(string(schemaText))

		// The factor is another one for each table, so that two may not change their names.
		checksum := crc32.Checksum(openedTable.Data, y.CastagnoliCrcTable)
		facts.content = uint64(checksum) * (2*openedTable.ID() + 1)
		return nil
	})
	return facts
}

// valuesOf returns the newest and the oldest value of a key in a table, or nil. Badger stores each
// key with a version, the newest first.
func valuesOf(openedTable *table.Table, key []byte) (newest, oldest []byte) {
	iterator := openedTable.NewIterator(table.NOCACHE)
	defer iterator.Close()
	iterator.Seek(y.KeyWithTs(key, math.MaxUint64))
	for ; iterator.Valid() && bytes.Equal(y.ParseKey(iterator.Key()), key); iterator.Next() {
		oldest = iterator.ValueCopy().Value
		if newest == nil {
			newest = oldest
		}
	}
	return newest, oldest
}

// readRecords returns every record of a table that can be read, some perhaps twice. A broken
// table is read from its beginning and from its end, each time up to a broken block.
//
// It fails if a call of the system fails, because then it is not known what can be read.
func readRecords(path string, isBroken bool) ([]*pb.KV, error) {
	records, err := readUntilBroken(path, table.NOCACHE)
	if err != nil || !isBroken {
		return records, err
	}
	fromEnd, err := readUntilBroken(path, table.NOCACHE|table.REVERSED)
	return append(records, fromEnd...), err
}

// readUntilBroken is [readRecords] from the beginning, or from the end if the options of Badger's
// iterator include table.REVERSED.
func readUntilBroken(path string, iteratorOptions int) (records []*pb.KV, err error) {
	// At a broken block withTable returns an error. The records before it remain.
	err = withTable(path, func(openedTable *table.Table) error {
		iterator := openedTable.NewIterator(iteratorOptions)
		defer iterator.Close()
		for iterator.Rewind(); iterator.Valid(); iterator.Next() {
			value := iterator.ValueCopy()
			records = append(records, &pb.KV{
				Key:     bytes.Clone(y.ParseKey(iterator.Key())),
				Value:   value.Value,
				Version: y.ParseTs(iterator.Key()),
				Meta:    []byte{value.Meta & deletedFlag},
			})
		}
		return nil
	})
	if isSystemError(err) {
		return nil, err
	}
	return records, nil
}

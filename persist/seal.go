package persist

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"
)

const (
	sealFileName    = "SEAL"
	newSealFileName = "SEAL.new" // where an earlier version of this program began a seal
)

// sealSyncInterval is how long seals are written without a sync, which would double the cost of a
// commit.
const sealSyncInterval = 5 * time.Second

// seal is what a database must hold: the content of the file SEAL beside Badger's files. A
// database with fewer commits than its seal counts has lost some.
type seal struct {
	isPresent bool   // the file exists, even if its content is broken
	commits   uint64 // how many commits the database must hold
	isInUse   bool   // the database was in use when the seal was written, so there must be a log
	// tableVersion is the newest version in the tables, if an earlier version of this program
	// had the database open; see [tableFacts]. 0: unknown.
	tableVersion uint64
	tableSum     uint32 // the checksum of the closed tables; see [listing]. 0: unknown
	checkedAt    int64  // when every block was read, in seconds since 1970. 0: never
	// base is above the numbers of the tables that the database had when it was last opened or
	// closed, and content is knownContent and the checksums of these; see [tableFacts]. 0: unknown.
	base    uint64
	content uint64
}

// knownContent distinguishes a database without tables from one whose tables are unknown.
const knownContent uint64 = 1

const sealForm = "ephemera seal 1\ncommits %020d\nopen %t\ntables %d\nfiles %d\nchecked %d\nbase %020d\ncontent %020d\n"

// encode returns the text of the file, which ends with a line with the checksum of those before.
func (s seal) encode() []byte {
	text := fmt.Appendf(nil, sealForm, s.commits, s.isInUse, s.tableVersion, s.tableSum, s.checkedAt,
		s.base, s.content)
	return fmt.Appendf(text, "sum %08x\n", crc32.ChecksumIEEE(text))
}

// decodeSeal decodes the text of a seal file. If the checksum in its last line is wrong,
// only isPresent is set in the result.
func decodeSeal(text []byte) seal {
	decodedSeal := seal{isPresent: true}
	sumStart := max(0, bytes.LastIndex(text, []byte("sum ")))
	sum := fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE(text[:sumStart]))
	if string(text[sumStart:]) != sum {
		return decodedSeal
	}

	// An early version of this program wrote other lines after the first three. Sscanf stops
	// at them, and the fields after them stay 0.
	_, _ = fmt.Sscanf(string(text), sealForm,
		&decodedSeal.commits,
		&decodedSeal.isInUse,
		&decodedSeal.tableVersion,
		&decodedSeal.tableSum,
		&decodedSeal.checkedAt,
		&decodedSeal.base,
		&decodedSeal.content)
	return decodedSeal
}

// readSeal reads the seal file. If that is missing, it returns the zero seal.
func readSeal(dir string) (seal, error) {
	text, err := os.ReadFile(filepath.Join(dir, sealFileName))
	if errors.Is(err, fs.ErrNotExist) {
		return seal{}, nil
	}
	if err != nil {
		return seal{}, err
	}
	return decodeSeal(text), nil
}

const syncToDisk = true // an argument of [DB.writeSeal] and [DB.writeOpenSeal]

// writeSeal overwrites the text of the seal file, which is shorter than the unit in which a disk
// writes, so a process that ends at any moment leaves the old seal or the new one. If mustSync is
// set, writeSeal also cuts off the rest of a longer old seal, and syncs the file.
func (d *DB) writeSeal(newSeal seal, mustSync bool) error {
	if d.sealFile == nil {
		file, err := os.OpenFile(filepath.Join(d.dir, sealFileName), os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		d.sealFile = file
	}

	// Overwrite in place: this is done after every commit, and must be quick.
	text := newSeal.encode()
	_, err := d.sealFile.WriteAt(text, 0)
	if !mustSync {
		return err
	}
	return errors.Join(err, d.sealFile.Truncate(int64(len(text))), d.sealFile.Sync())
}

// writeOpenSeal writes the seal of an open database after a commit. The caller may ignore an
// error: a database with more commits than its seal counts can be opened.
func (d *DB) writeOpenSeal(mustSync bool) error {
	if mustSync {
		d.seal = seal{isInUse: true, checkedAt: d.checkedAt.Load(), base: d.base, content: d.content}
		d.sealedAt = time.Now()
	}
	d.seal.commits = d.commits
	return d.writeSeal(d.seal, mustSync)
}

// writeClosedSeal writes the seal of a database that is being closed, and will have no log,
// before Badger closes, and with the checksums of the tables afterwards.
func (d *DB) writeClosedSeal(areTablesClosed bool) error {
	newSeal := seal{commits: d.commits, checkedAt: d.checkedAt.Load(), base: d.base}
	if !areTablesClosed {
		return d.writeSeal(newSeal, syncToDisk)
	}

	const forWriting = false
	files, err := prepareFiles(d.dir, forWriting)
	if err != nil {
		return err
	}
	tables, err := readManifest(d.dir)
	if err != nil {
		return err
	}
	newSeal.tableSum = files.tableSum
	newSeal.base = numberAbove(tables)
	if d.content == 0 {
		return d.writeSeal(newSeal, syncToDisk)
	}

	// Add the tables since the opening to those before it.
	maps.DeleteFunc(tables, func(id uint64, _ badger.TableManifest) bool { return id < d.base })
	newSeal.content = d.content
	for id, facts := range checkTables(d.dir, maps.Keys(tables)) {
		if facts.err != nil {
			return brokenTableError(d.dir, id, facts.err)
		}
		newSeal.content += facts.content
	}
	return d.writeSeal(newSeal, syncToDisk)
}

func numberAbove(tables tableList) uint64 {
	above := uint64(1)
	for id := range tables {
		above = max(above, id+1)
	}
	return above
}

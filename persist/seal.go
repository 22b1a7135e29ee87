package persist

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// sealFile lies beside the tables and counts the commits that a database holds.
const sealFile = "SEAL"

const newSuffix = ".new" // of a seal that the program before this one was writing

// sealEvery is for how long seals go without a sync. To sync each would double what
// a commit costs.
const sealEvery = 5 * time.Second

// seal is what a database is known to hold. A database with fewer commits than
// its seal counts has lost some.
type seal struct {
	present bool // there is one, whole or not
	commits uint64
	open    bool   // it was in use when it was sealed, so there is a log
	tables  uint64 // the version that the tables led to; see [tableFacts]
	// files is a sum over the tables as they were when they were closed, and
	// checked when every block of them was read; 0 where that is not known.
	files   uint32
	checked int64 // seconds since 1970
}

// sealForm is the file, before a line with a sum over it.
const sealForm = "ephemera seal 1\ncommits %020d\nopen %t\ntables %d\nfiles %d\nchecked %d\n"

func (s seal) encode() []byte {
	text := fmt.Appendf(nil, sealForm, s.commits, s.open, s.tables, s.files, s.checked)
	return fmt.Appendf(text, "sum %08x\n", crc32.ChecksumIEEE(text))
}

// decodeSeal knows no more than that there is one where it is not whole.
func decodeSeal(text []byte) seal {
	s := seal{present: true}
	at := max(0, bytes.LastIndex(text, []byte("sum ")))
	if string(text[at:]) == fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE(text[:at])) {
		// An early version wrote other lines after the first three.
		_, _ = fmt.Sscanf(string(text), sealForm, &s.commits, &s.open, &s.tables, &s.files, &s.checked)
	}
	return s
}

func readSeal(dir string) (seal, error) {
	text, err := os.ReadFile(filepath.Join(dir, sealFile))
	if errors.Is(err, fs.ErrNotExist) {
		return seal{}, nil
	}
	if err != nil {
		return seal{}, err
	}
	return decodeSeal(text), nil
}

// writeSeal writes a seal over the one before. A seal is shorter than what a disk
// writes at once, so an end at any moment leaves the one or the other.
func (d *DB) writeSeal(s seal, sync bool) error {
	if d.sealFile == nil {
		f, err := os.OpenFile(filepath.Join(d.dir, sealFile), os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		d.sealFile = f
	}
	text := s.encode()
	_, err := d.sealFile.WriteAt(text, 0)
	if sync {
		err = errors.Join(err, d.sealFile.Truncate(int64(len(text))), d.sealFile.Sync())
	}
	return err
}

// sealOpen seals that every commit so far is on the disk, and that there is a log.
// Only the writer calls it, after each commit. Without a sync, the count is exact
// after a kill, and may be too low after a power cut. It is never too high. A sync
// also seals how far the tables lead. A seal that cannot be written stays behind,
// which refuses no database.
func (d *DB) sealOpen(sync bool) error {
	if sync {
		d.seal = seal{open: true, checked: d.checked.Load()}
		var size int64
		for _, t := range d.badger.Tables() {
			d.seal.tables = max(d.seal.tables, t.MaxVersion)
			size += int64(t.OnDiskSize)
		}
		d.inTables.Store(size)
		d.sealedAt = time.Now()
	}
	d.seal.commits = d.commits.Load()
	return d.writeSeal(d.seal, sync)
}

// sealClosed seals that there is no log. Once Badger has closed the tables they
// are summed up too.
func (d *DB) sealClosed(tablesClosed bool) error {
	s := seal{commits: d.commits.Load(), checked: d.checked.Load()}
	if tablesClosed {
		f, err := listFiles(d.dir)
		if err == nil {
			err = f.check(d.dir, false)
		}
		if err != nil {
			return err
		}
		s.files = f.sum
	}
	return d.writeSeal(s, true)
}

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

// sealFile lies beside the tables and says how far they lead.
const sealFile = "SEAL"

const newSuffix = ".new" // of a seal that is being written

// sealEvery is for how long commits go without a new seal. To write it at each
// would double what a commit costs.
const sealEvery = 5 * time.Second

// seal is what a database is known to hold. A database that leads less far
// than its seal has lost something.
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
const sealForm = "ephemera seal 1\ncommits %d\nopen %t\ntables %d\nfiles %d\nchecked %d\n"

func (s seal) encode() []byte {
	text := fmt.Appendf(nil, sealForm, s.commits, s.open, s.tables, s.files, s.checked)
	return fmt.Appendf(text, "sum %08x\n", crc32.ChecksumIEEE(text))
}

// decodeSeal knows no more than that there is one where it is not whole.
func decodeSeal(text []byte) seal {
	s := seal{present: true}
	at := max(0, bytes.LastIndex(text, []byte("sum ")))
	if string(text[at:]) == fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE(text[:at])) {
		// The program before this one wrote other lines after the first three.
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

// write replaces the seal of a directory in one step.
func (s seal) write(dir string) error {
	path := filepath.Join(dir, sealFile)
	f, err := os.OpenFile(path+newSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(s.encode())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(path + newSuffix)
		return err
	}
	return os.Rename(path+newSuffix, path)
}

// sealOpen seals what is on the disk while there is a log: at the first commit,
// before which a log is not missed, and then from time to time. It is the writer's.
// A seal that cannot be written stays behind, which is no harm.
func (d *DB) sealOpen() error {
	s := seal{commits: d.commits.Load(), open: true, checked: d.checked.Load()}
	var size int64
	for _, t := range d.badger.Tables() {
		s.tables = max(s.tables, t.MaxVersion)
		size += int64(t.OnDiskSize)
	}
	d.inTables.Store(size)
	err := s.write(d.dir)
	if err == nil {
		d.sealedAt = time.Now()
	}
	return err
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
	return s.write(d.dir)
}

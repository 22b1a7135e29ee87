package persist

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// sealFile lies beside the tables and says how far they lead.
const sealFile = "SEAL"

const newSuffix = ".new" // of a seal that is being written

// sealEvery is how far the seal may lag behind the commits of an open
// database. To write it at every commit would double what a commit costs.
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

// sealHead begins the file and names its form.
const sealHead = "ephemera seal 1"

func (s seal) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\ncommits %d\nopen %t\ntables %d\nfiles %d\nchecked %d\n", sealHead, s.commits, s.open, s.tables, s.files, s.checked)
	fmt.Fprintf(&b, "sum %08x\n", crc32.ChecksumIEEE(b.Bytes()))
	return b.Bytes()
}

// decodeSeal knows no more than that there is one where it is not whole. The
// program before this one wrote a line for each table, which are passed over.
func decodeSeal(text []byte) seal {
	broken := seal{present: true}
	at := bytes.LastIndex(text, []byte("sum "))
	if at < 0 {
		return broken
	}
	var sum uint32
	if _, err := fmt.Sscanf(string(text[at:]), "sum %x\n", &sum); err != nil || sum != crc32.ChecksumIEEE(text[:at]) {
		return broken
	}
	lines := strings.Split(string(text[:at]), "\n")
	if lines[0] != sealHead {
		return broken
	}
	s := broken
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, " ")
		to, ok := map[string]any{"commits": &s.commits, "open": &s.open, "tables": &s.tables, "files": &s.files, "checked": &s.checked}[name]
		if !ok {
			continue
		}
		if _, err := fmt.Sscan(value, to); err != nil {
			return broken
		}
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

// tailSize is how much of each table's end is in the sum. Badger's goroutines end
// the process over some of these bytes, so a table in which they have changed is
// checked before it is opened, however short ago it was.
const tailSize = 64

// keepSealing seals the database from time to time until stop is closed. A
// seal that cannot be written stays behind, which is no harm.
func (d *DB) keepSealing(stop <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	tick := time.NewTicker(sealEvery)
	defer tick.Stop()
	sealed := d.commits.Load()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			if n := d.commits.Load(); n != sealed && d.sealOpen() == nil {
				sealed = n
			}
		}
	}
}

// sealOpen seals what is on the disk while there is a log.
func (d *DB) sealOpen() error {
	d.sealing.Lock() // before it looks, so that no older seal comes after a newer one
	defer d.sealing.Unlock()
	s := seal{commits: d.commits.Load(), open: true, checked: d.checked.Load()}
	var size int64
	for _, t := range d.badger.Tables() {
		s.tables = max(s.tables, t.MaxVersion)
		size += int64(t.OnDiskSize)
	}
	d.inTables.Store(size)
	return s.write(d.dir)
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

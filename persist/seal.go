package persist

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4/table"
)

// sealFile lies beside the tables and says how far they lead.
const sealFile = "SEAL"

// sealEvery is how far the seal may lag behind the commits of an open
// database. To write it at every commit would double what a commit costs.
const sealEvery = 5 * time.Second

// seal is what a database is known to hold. A database that leads less far
// than its seal has lost something.
type seal struct {
	commits uint64
	open    bool // it was in use when it was sealed, so there is a log
	tables  map[uint64]stamp
	noted   map[uint64]note // what was found in those that were looked at
}

// stamp is how a table's file looked. Badger never changes a table, so one
// that looks otherwise was touched by something else.
type stamp struct{ size, modified int64 } // bytes, nanoseconds

// sealHead begins the file and names its form.
const sealHead = "ephemera seal 1"

func (s seal) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\ncommits %d\nopen %t\n", sealHead, s.commits, s.open)
	ids := make([]uint64, 0, len(s.tables))
	for id := range s.tables {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	for _, id := range ids {
		fmt.Fprintf(&b, "table %d %d %d", id, s.tables[id].size, s.tables[id].modified)
		if n, ok := s.noted[id]; ok {
			fmt.Fprintf(&b, " %d %d %d %d", n.commits, n.schema, n.last, n.sum)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "sum %08x\n", crc32.ChecksumIEEE(b.Bytes()))
	return b.Bytes()
}

// decodeSeal says false for what is not a whole seal.
func decodeSeal(text []byte) (s seal, ok bool) {
	at := bytes.LastIndex(text, []byte("sum "))
	if at < 0 {
		return s, false
	}
	var sum uint32
	if _, err := fmt.Sscanf(string(text[at:]), "sum %x\n", &sum); err != nil || sum != crc32.ChecksumIEEE(text[:at]) {
		return s, false
	}
	s.tables, s.noted = map[uint64]stamp{}, map[uint64]note{}
	lines := strings.Split(strings.TrimSuffix(string(text[:at]), "\n"), "\n")
	if len(lines) < 3 || lines[0] != sealHead {
		return s, false
	}
	if _, err := fmt.Sscanf(lines[1], "commits %d", &s.commits); err != nil {
		return s, false
	}
	if _, err := fmt.Sscanf(lines[2], "open %t", &s.open); err != nil {
		return s, false
	}
	for _, line := range lines[3:] {
		if !s.addTable(strings.Fields(line)) {
			return s, false
		}
	}
	return s, true
}

// addTable takes the fields of a table's line: its number and stamp, and what
// was noted of it where it was looked at.
func (s *seal) addTable(fields []string) bool {
	if len(fields) != 4 && len(fields) != 8 || fields[0] != "table" {
		return false
	}
	var n [7]int64
	for i, field := range fields[1:] {
		var err error
		if n[i], err = strconv.ParseInt(field, 10, 64); err != nil {
			return false
		}
	}
	id := uint64(n[0])
	s.tables[id] = stamp{n[1], n[2]}
	if len(fields) == 8 {
		s.noted[id] = note{leads{uint64(n[3]), int(n[4])}, tail{n[5], uint32(n[6])}}
	}
	return true
}

// readSeal gives an empty seal where there is none that can be read: a seal
// only ever adds to what is known. It fails where the file cannot be read.
func readSeal(dir string) (seal, error) {
	text, err := os.ReadFile(filepath.Join(dir, sealFile))
	if errors.Is(err, fs.ErrNotExist) {
		return seal{}, nil
	}
	if err != nil {
		return seal{}, err
	}
	s, ok := decodeSeal(text)
	if !ok {
		return seal{}, nil
	}
	return s, nil
}

// write replaces the seal of a directory in one step.
func (s seal) write(dir string) error {
	path := filepath.Join(dir, sealFile)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(s.encode())
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		_ = os.Remove(path + ".new")
		return err
	}
	return os.Rename(path+".new", path)
}

// stamps looks at the tables of a directory.
func stamps(dir string) (map[uint64]stamp, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	return stampsOf(entries)
}

func stampsOf(entries []fs.DirEntry) (map[uint64]stamp, error) {
	all := map[uint64]stamp{}
	for _, e := range entries {
		id, ok := table.ParseFileID(e.Name())
		if !ok {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // a compaction has just dropped it
		}
		if err != nil {
			return nil, err
		}
		all[id] = stampOf(info)
	}
	return all, nil
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }

// keepSealing seals the database from time to time until stop is closed. A
// seal that cannot be written stays behind, which is no harm. Beside that it
// waits for what a writer cannot wait for itself.
func (d *DB) keepSealing(stop <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	tick := time.NewTicker(sealEvery)
	defer tick.Stop()
	sealed := d.commits.Load()
	_, compactionHeld := held.so()
	for {
		select {
		case <-stop:
			return
		case <-compactionHeld:
			_, compactionHeld = held.so()
			d.freeWriter()
		case <-tick.C:
			if n := d.commits.Load(); n != sealed && d.sealNow(true) == nil {
				sealed = n
			}
		}
	}
}

// sealAsOpen is called by the writer after each commit. Before the first one the
// log is not missed; from then on it is.
func (d *DB) sealAsOpen() {
	if !d.sealedOpen {
		d.sealedOpen = d.sealNow(true) == nil
	}
}

// sealNow seals what is on the disk.
func (d *DB) sealNow(open bool) error {
	d.seal.Lock() // before it looks, so that no older seal comes after a newer one
	defer d.seal.Unlock()
	s := seal{commits: d.commits.Load(), open: open, noted: map[uint64]note{}}
	var err error
	if s.tables, err = stamps(d.dir); err != nil {
		return err
	}
	if d.known() != nil {
		s.tables[d.health.table] = stamp{}
	}
	for id, now := range s.tables {
		if n, ok := d.before.noted[id]; ok && d.before.tables[id] == now {
			s.noted[id] = n
		}
	}
	var size int64
	for _, t := range s.tables {
		size += t.size
	}
	d.tables.Store(size)
	return s.write(d.dir)
}

// unseal takes the seal away. To have none is no harm; one that speaks of a
// log would be, once the log is gone.
func (d *DB) unseal() error {
	err := os.Remove(filepath.Join(d.dir, sealFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

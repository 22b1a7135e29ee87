package persist

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/kv"
)

// many is a closed database of small records, with blocks of many records.
func many(t *testing.T) kept {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	const n = 6_000
	db := open(t, dir, Options{})
	err := db.Load(func(w kv.Writer) error {
		for i := range n {
			if err := w.Set(record(i), small(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	reopen(t, dir)
	return kept{dir: dir, records: n}
}

// small is a value of which half can be packed.
func small(i int) []byte {
	return fmt.Appendf(nil, `{"owner":"cosmos1%038x","token_uri":"ipfs://%d"}`, rand.New(rand.NewPCG(1, uint64(i))).Uint64(), i)
}

// rot changes a byte of a file as a disk does: nothing else tells of it.
func rot(t *testing.T, path string, at int64) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1)
	_, err = f.ReadAt(b, at)
	b[0] ^= 0x55
	if err == nil {
		_, err = f.WriteAt(b, at)
	}
	if err = errors.Join(err, f.Close(), os.Chtimes(path, info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
}

// tables gives the paths of the tables.
func tables(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"+tableKind))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d tables, %v", len(paths), err)
	}
	return paths
}

var readings = map[string]func(db *DB, records int) error{
	"Get":       getAll,
	"Walk":      func(db *DB, records int) error { return walkAll(db, records, kv.Range{}) },
	"Walk back": func(db *DB, records int) error { return walkAll(db, records, kv.Range{Reverse: true}) },
	"Walk keys": func(db *DB, records int) error { return walkAll(db, records, kv.Range{KeysOnly: true}) },
}

// errShort is what must never be: an answer that leaves something out.
var errShort = errors.New("not everything is there, and nothing was said")

func getAll(db *DB, records int) error {
	for i := range records {
		value, ok, err := get(db, record(i))
		if err != nil {
			return err
		}
		if !ok || !bytes.Equal(value, small(i)) {
			return fmt.Errorf("%w: record %d, %t, %q", errShort, i, ok, value)
		}
	}
	return nil
}

func walkAll(db *DB, records int, r kv.Range) error {
	n := 0
	err := db.View(func(tx kv.Reader) error {
		for p, err := range tx.Scan(r) {
			if err != nil {
				return err
			}
			i := n
			if r.Reverse {
				i = records - 1 - n
			}
			if !bytes.Equal(p.Key, record(i)) || !r.KeysOnly && !bytes.Equal(p.Value, small(i)) {
				return fmt.Errorf("%w: at record %d: %q %q", errShort, i, p.Key, p.Value)
			}
			n++
		}
		return nil
	})
	if err == nil && n != records {
		err = fmt.Errorf("%w: %d of %d", errShort, n, records)
	}
	return err
}

func TestARottenBlockIsAnErrorToEveryReaderAndNeverLess(t *testing.T) {
	k := many(t)
	name := filepath.Base(tables(t, k.dir)[0])
	info, err := os.Stat(filepath.Join(k.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	n := 4 * places()
	told, whole, refused := 0, 0, 0
	for i := range n {
		at := info.Size() * i / n
		for way, read := range readings {
			dir := k.copy(t)
			rot(t, filepath.Join(dir, name), at)
			before := sums(t, dir)
			db, err := Open(dir, Options{})
			if err != nil {
				refused++
				k.sentence(t, way, err)
				if after := sums(t, dir); after != before {
					t.Errorf("refused, but changed:\n%s%s", before, after)
				}
				continue
			}
			var damaged *DamagedError
			switch err := read(db, k.records); {
			case err == nil:
				whole++
			case errors.As(err, &damaged):
				told++
				k.sentence(t, way, err)
				if err := db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil }); !errors.As(err, &damaged) {
					t.Errorf("an update gave %v", err)
				}
			default:
				t.Errorf("byte %d of %d, %s: %v", at, info.Size(), way, err)
			}
			if err := db.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			if damaged == nil {
				continue
			}
			if _, err := Open(dir, Options{}); !errors.As(err, &damaged) {
				t.Errorf("byte %d: what was told when it was read is not told when it is opened again: %v", at, err)
			}
		}
	}
	t.Logf("%d bytes, %d readings: %d refused to open, %d told, %d read all there is", n, n*int64(len(readings)), refused, told, whole)
}

// A place that a mapped file does not have is a fault, as one is that the disk
// cannot give. By itself it ends the process.
func TestATableThatCannotBeReadAnyMoreIsAnErrorToEveryReader(t *testing.T) {
	k := many(t)
	for way, read := range readings {
		t.Run(way, func(t *testing.T) {
			dir := k.copy(t)
			db := open(t, dir, Options{})
			must(t, os.Truncate(tables(t, dir)[0], 4096))
			var damaged *DamagedError
			if err := read(db, k.records); !errors.As(err, &damaged) {
				t.Errorf("got %v", err)
			}
			err := db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil })
			if !errors.As(err, &damaged) {
				t.Errorf("an update gave %v", err)
			}
		})
	}
}

// A compaction would leave the rest of a rotten table out of what it writes,
// and then delete the table.
func TestARottenBlockStopsTheCompactionThatWouldDropIt(t *testing.T) {
	k := many(t)
	path := tables(t, k.dir)[0]
	rot(t, path, 10_000)
	rotten, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, self(t), "blind", k.dir, nil)
	acknowledged, said := 0, c.says
	for ; said == fmt.Sprint(acknowledged); acknowledged++ {
		line, _ := c.more.ReadString('\n')
		said = strings.TrimSpace(line)
	}
	t.Logf("after %d more records: %s", acknowledged, said)
	if !strings.Contains(said, "the table "+filepath.Base(path)+" is broken") {
		t.Errorf("the writer is told %q", said)
	}
	if more, _ := c.more.ReadString('\n'); more != "" {
		t.Errorf("when it closes it is told %q", more)
	}
	if err := c.Wait(); err == nil || c.stderr.Len() > 0 {
		t.Errorf("the writer ended with %v, %s", err, &c.stderr)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, rotten) {
		t.Fatalf("the table was changed or dropped: %d bytes, %v", len(now), err)
	}

	// The next one is told, and all that is not in that table can be had.
	var damaged *DamagedError
	if _, err := Open(k.dir, Options{}); !errors.As(err, &damaged) {
		t.Errorf("it opened again: %v", err)
	}
	if _, err := Rescue(k.dir); err != nil {
		t.Fatal(err)
	}
	db := open(t, k.dir, Options{})
	for i := range acknowledged {
		value, ok, err := get(db, blind(i))
		if err != nil || !ok || !bytes.Equal(value, bulk(i)) {
			t.Fatalf("record %d of %d is lost: %t, %v", i, acknowledged, ok, err)
		}
	}
}

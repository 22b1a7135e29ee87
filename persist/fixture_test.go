package persist

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// kept is a database with some records, closed in peace or not.
type kept struct {
	dir     string
	records int
	killed  bool
}

// long says whether the tests that take long are to run.
var long = os.Getenv("EPHEMERA_LONG") != ""

// rounds is how often something random is tried. The short ones are for the race
// detector, under which everything takes ten times as long.
func rounds(usual, whenLong int) int {
	switch {
	case long:
		return whenLong
	case testing.Short():
		return (usual + 3) / 4
	}
	return usual
}

// closed makes a database that was closed, with several tables.
func closed(t *testing.T) kept {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	const n = 40
	for from := 0; from < n; from += 10 {
		db := kvtest.Must(Open(dir, Options{}))(t)
		for i := from; i < from+10; i++ {
			kvtest.OK(t, db.Update(func(tx kv.Txn) error { return tx.Set(record(i), bulk(i)) }))
		}
		kvtest.OK(t, db.Close())
	}
	return kept{dir, n, false}
}

// killed makes a database whose process was killed, with all in a log.
func killed(t *testing.T) kept {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	c := start(t, self(t), "logged", dir, nil)
	for range logged - 1 { // it has begun with one
		kvtest.Must(c.more.ReadString('\n'))(t)
	}
	c.kill(t)
	return kept{dir, logged, true}
}

// many is a closed database of small records, with blocks of many records.
func many(t *testing.T, n int) kept {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	db := kvtest.Must(Open(dir, Options{}))(t)
	kvtest.OK(t, db.Load(func(w kv.Writer) error {
		for i := range n {
			if err := w.Set(record(i), small(i)); err != nil {
				return err
			}
		}
		return nil
	}))
	kvtest.OK(t, db.Close())
	return kept{dir: dir, records: n}
}

// small is a value of which half can be packed.
func small(i int) []byte {
	return fmt.Appendf(nil, `{"owner":"cosmos1%038x","token_uri":"ipfs://%d"}`, rand.New(rand.NewPCG(1, uint64(i))).Uint64(), i)
}

// copy copies the database, with the times of its files.
func (k kept) copy(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	copyDir(t, k.dir, dir)
	return dir
}

// copyDir copies the files of a database, as a kill would leave them. What is a
// hole at the end of one stays a hole: Badger makes its logs much longer than
// what is in them, and to write all of that would keep the disk busy for long.
func copyDir(t *testing.T, from, to string) {
	t.Helper()
	kvtest.OK(t, os.MkdirAll(to, 0o700))
	for _, name := range fileNames(t, from) {
		text, size := contents(t, filepath.Join(from, name))
		path := filepath.Join(to, name)
		kvtest.OK(t, os.WriteFile(path, text, 0o600))
		kvtest.OK(t, os.Truncate(path, size))
		info := kvtest.Must(os.Stat(filepath.Join(from, name)))(t)
		kvtest.OK(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
}

// contents gives a file without the zeros at its end, and its size. What Badger
// makes longer than it needs is a hole at the end, which is not read.
func contents(t *testing.T, path string) (text []byte, size int64) {
	t.Helper()
	f := kvtest.Must(os.Open(path))(t)
	defer f.Close()
	info := kvtest.Must(f.Stat())(t)
	text = make([]byte, min(occupied(info), info.Size()))
	kvtest.Must(io.ReadFull(f, text))(t)
	return bytes.TrimRight(text, "\x00"), info.Size()
}

func fileNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := kvtest.Must(os.ReadDir(dir))(t)
	for _, e := range entries {
		if !e.IsDir() && e.Name() != lockFileName {
			names = append(names, e.Name())
		}
	}
	return names
}

// sums gives what every file holds, in short.
func sums(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range fileNames(t, dir) {
		text, size := contents(t, filepath.Join(dir, name))
		fmt.Fprintf(&all, "%s %d %x\n", name, size, sha256.Sum256(text))
	}
	return all.String()
}

// matching gives the paths of a database's files of one kind, the oldest first.
func matching(t *testing.T, dir, kind string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"+kind))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files *%s, %v", len(paths), kind, err)
	}
	return paths
}

// rot changes bytes of a file as a disk does: nothing else tells of it.
func rot(t *testing.T, path string, at int64, n int) {
	t.Helper()
	info := kvtest.Must(os.Stat(path))(t)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	kvtest.OK(t, err)
	b := make([]byte, n)
	_, err = f.ReadAt(b, at)
	for i := range b {
		b[i] ^= 0x55
	}
	if err == nil {
		_, err = f.WriteAt(b, at)
	}
	kvtest.OK(t, errors.Join(err, f.Close(), os.Chtimes(path, info.ModTime(), info.ModTime())))
}

// whole fails where a record is missing.
func (k kept) whole(t *testing.T, way string, db *DB) {
	t.Helper()
	for i := range k.records {
		value, ok, err := get(db, record(i))
		if err != nil || !ok || !bytes.Equal(value, bulk(i)) {
			t.Fatalf("%s: opened, but record %d of %d is lost (%v, %v)", way, i, k.records, ok, err)
		}
	}
}

func is[E error](err error) bool { return errors.As(err, new(E)) }

// refused fails where an error is not a sentence about damage.
func refused(t *testing.T, way string, err error) {
	t.Helper()
	if !is[*DamagedError](err) {
		t.Errorf("%s: got %T %v", way, err, err)
		return
	}
	if text := err.Error(); strings.ContainsAny(text, "\n\x1b") || !strings.Contains(text, wayOut) {
		t.Errorf("%s: not a sentence: %q", way, text)
	}
}

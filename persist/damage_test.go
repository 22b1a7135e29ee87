package persist

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/kv"
)

// kept is a database with some records, closed in peace or not.
type kept struct {
	dir     string
	records int
	killed  bool
}

// closed makes a database that was closed, with several tables.
func closed(t *testing.T) kept {
	dir := filepath.Join(t.TempDir(), "db")
	const n = 40
	defer func() { reopen(t, dir) }()
	for from := 0; from < n; from += 10 {
		db, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := from; i < from+10; i++ {
			err := db.Update(func(tx kv.Txn) error { return tx.Set(record(i), bulk(i)) })
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return kept{dir, n, false}
}

// reopen opens a database and closes it, so that its seal knows every table.
func reopen(t *testing.T, dir string) {
	t.Helper()
	db, err := Open(dir, Options{})
	must(t, err)
	must(t, db.Close())
}

// killed makes a database whose process was killed, with most in a log.
func killed(t *testing.T) kept {
	dir := filepath.Join(t.TempDir(), "db")
	c := start(t, self(t), "counter", dir, nil)
	n := 0
	for ; n < 60; n++ {
		if _, err := c.more.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	c.kill(t)
	return kept{dir, n, true}
}

// copy copies the database, with the times of its files.
func (k kept) copy(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	copyDir(t, k.dir, dir)
	for _, name := range files(t, dir) {
		info, err := os.Stat(filepath.Join(k.dir, name))
		if err == nil {
			err = os.Chtimes(filepath.Join(dir, name), info.ModTime(), info.ModTime())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// copyDir copies the files of a database, as a kill would leave them. What is a
// hole at the end of one stays a hole: Badger makes its logs much longer than
// what is in them, and to write all of that would keep the disk busy for long.
func copyDir(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.MkdirAll(to, 0o700))
	for _, name := range files(t, from) {
		text, size := contents(t, filepath.Join(from, name))
		path := filepath.Join(to, name)
		must(t, os.WriteFile(path, text, 0o600))
		must(t, os.Truncate(path, size))
	}
}

// contents gives a file without the zeros at its end, and its size.
func contents(t *testing.T, path string) (text []byte, size int64) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	text, n, err := withoutHole(f)
	must(t, err)
	return bytes.TrimRight(text, "\x00"), int64(n)
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && e.Name() != lockFile {
			names = append(names, e.Name())
		}
	}
	return names
}

// sums gives what every file holds, in short.
func sums(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range files(t, dir) {
		text, size := contents(t, filepath.Join(dir, name))
		fmt.Fprintf(&all, "%s %d %x\n", name, size, sha256.Sum256(text))
	}
	return all.String()
}

// damages are the ways in which a file of so many bytes is broken.
func damages(size int64) map[string]func(path string) error {
	ways := map[string]func(string) error{
		"removed": os.Remove,
		"emptied": func(path string) error { return os.Truncate(path, 0) },
	}
	flip := func(at int64) func(string) error {
		return func(path string) error {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			b := make([]byte, 1)
			_, err = f.ReadAt(b, at)
			b[0] ^= 0x55
			if err == nil {
				_, err = f.WriteAt(b, at)
			}
			return errors.Join(err, f.Close())
		}
	}
	for i := range places() {
		at := size * i / places()
		ways[fmt.Sprintf("cut to %d", at)] = func(path string) error { return os.Truncate(path, at) }
		ways[fmt.Sprintf("flipped at %d", at)] = flip(at)
		if end := size - 1 - i; end >= 0 {
			ways[fmt.Sprintf("flipped at %d", end)] = flip(end)
			ways[fmt.Sprintf("cut to %d", end)] = func(path string) error { return os.Truncate(path, end) }
		}
		if i < size {
			ways[fmt.Sprintf("flipped at %d", i)] = flip(i)
		}
	}
	return ways
}

// places is in how many places a file is broken.
func places() int64 {
	switch {
	case os.Getenv("EPHEMERA_LONG") != "":
		return 60
	case testing.Short():
		return 3
	}
	return 5
}

func TestABrokenFileLosesNothingOrIsRefusedAndLeftAlone(t *testing.T) {
	for name, make := range map[string]func(*testing.T) kept{"Closed": closed, "Killed": killed} {
		t.Run(name, func(t *testing.T) {
			k := make(t)
			for _, file := range files(t, k.dir) {
				t.Run(file, func(t *testing.T) { k.breakFile(t, file) })
			}
		})
	}
}

func (k kept) breakFile(t *testing.T, file string) {
	info, err := os.Stat(filepath.Join(k.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	size := info.Size()
	if filepath.Ext(file) == logKind { // behind what is written it is a hole
		log, err := readLogFile(filepath.Join(k.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		size = int64(log.end)
	}
	refused, opened := 0, 0
	for way, do := range damages(size) {
		dir := k.copy(t)
		if err := do(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		before := sums(t, dir)
		db, err := Open(dir, Options{})
		if err != nil {
			refused++
			k.sentence(t, way, err)
			if after := sums(t, dir); after != before {
				t.Errorf("%s: refused, but changed:\n%s%s", way, before, after)
			}
			continue
		}
		opened++
		k.whole(t, file+" "+way, db)
		if err := db.Close(); err != nil {
			t.Errorf("%s: close: %v", way, err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d refused, %d opened", refused, opened)
}

func (k kept) sentence(t *testing.T, way string, err error) {
	t.Helper()
	var damaged *DamagedError
	var older *OlderError
	if !errors.As(err, &damaged) && !errors.As(err, &older) {
		t.Errorf("%s: got %T %v", way, err, err)
	}
	if text := err.Error(); strings.ContainsAny(text, "\n\x1b") || !strings.Contains(text, "nothing was changed or deleted") {
		t.Errorf("%s: not a sentence: %q", way, text)
	}
}

// whole fails where a record is missing. A log whose last commit is broken is
// like one whose last commit was never finished, so that one may be.
func (k kept) whole(t *testing.T, way string, db *DB) {
	t.Helper()
	n := k.records
	if k.killed {
		n--
	}
	for i := range n {
		value, ok, err := get(db, record(i))
		if err != nil || !ok || !bytes.Equal(value, bulk(i)) {
			t.Fatalf("%s: opened, but record %d of %d is lost (%v, %v)", way, i, k.records, ok, err)
		}
	}
}

func TestADatabaseThatWasRolledBackIsOlderThanItsSeal(t *testing.T) {
	k := closed(t)
	older := k.copy(t)
	db := open(t, k.dir, Options{})
	set(t, db, "one more", "record")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(k.dir, sealFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(older, sealFile), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := sums(t, older)
	_, err = Open(older, Options{})
	var refused *OlderError
	if !errors.As(err, &refused) || refused.Sealed != 41 || refused.Found != 40 {
		t.Fatalf("got %v", err)
	}
	t.Log(err)
	if after := sums(t, older); after != before {
		t.Errorf("it was changed:\n%s%s", before, after)
	}
}

func TestALostManifestIsRefusedAndTheTablesStay(t *testing.T) {
	dir := closed(t).dir
	if err := os.Remove(filepath.Join(dir, "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	before := sums(t, dir)
	for _, o := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(dir, o)
		var refused *DamagedError
		if !errors.As(err, &refused) || !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("got %v", err)
		}
		t.Log(err)
	}
	if after := sums(t, dir); after != before {
		t.Errorf("it was changed:\n%s%s", before, after)
	}
}

// An entry can end in zeros, like the hole behind it.
func TestALogIsReadUpToEveryZeroThatIsPartOfIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "00001.mem")
	for _, used := range []int{0, 1, 300, 256 << 10, 256<<10 + 1, 3<<20 - 1} {
		text := make([]byte, logSize)
		for i := range used {
			text[i] = 'x'
		}
		must(t, os.WriteFile(path, text, 0o600))
		f, err := os.Open(path)
		must(t, err)
		got, size, err := withoutHole(f)
		must(t, errors.Join(err, f.Close()))
		if size != logSize || len(got) < used+kv.MaxValue || !bytes.Equal(got, text[:len(got)]) {
			t.Errorf("of %d bytes: %d, size %d", used, len(got), size)
		}
	}
}

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

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// testDatabase is a database with the records 0 to records-1. Its values are those of
// largeValue, unless loadedDatabase made it.
type testDatabase struct {
	dir     string
	records int
}

// closedDatabase makes a database that was closed cleanly, with several tables.
func closedDatabase(t *testing.T) testDatabase {
	t.Helper()
	dir := newPath(t)
	const records = 40
	for first := 0; first < records; first += 10 {
		db := kvtest.Must(Open(dir, Options{}))(t)
		for i := first; i < first+10; i++ {
			kvtest.OK(t, db.Update(func(txn kv.Txn) error { return txn.Set(recordKey(i), largeValue(i)) }))
		}
		kvtest.OK(t, db.Close())
	}
	return testDatabase{dir: dir, records: records}
}

// killedDatabase makes a database whose writer was killed. Every record is in the log.
func killedDatabase(t *testing.T) testDatabase {
	t.Helper()
	dir := newPath(t)
	writer := startChild(t, roleLogged, dir)
	for range loggedRecords - 1 { // the first line was read at the start
		writer.readLine(t)
	}
	writer.kill(t)
	return testDatabase{dir: dir, records: loggedRecords}
}

// loadedDatabase makes a closed database of small records. A block of its tables holds
// many of them.
func loadedDatabase(t *testing.T, records int) testDatabase {
	t.Helper()
	dir := newPath(t)
	db := kvtest.Must(Open(dir, Options{}))(t)
	kvtest.OK(t, db.Load(func(w kv.Writer) error {
		for i := range records {
			if err := w.Set(recordKey(i), smallValue(i)); err != nil {
				return err
			}
		}
		return nil
	}))
	kvtest.OK(t, db.Close())
	return testDatabase{dir: dir, records: records}
}

// newPath returns the path of a directory that does not exist yet.
func newPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "db")
}

func recordKey(n int) []byte { return fmt.Appendf(nil, "record %06d", n) }

// largeValue returns a value that does not compress, so that a few of them fill a table.
func largeValue(n int) []byte {
	value := make([]byte, 20_000)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}).Read(value)
	return value
}

// smallValue returns a value of which half compresses.
func smallValue(n int) []byte {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	return fmt.Appendf(nil, `{"owner":"cosmos1%038x","token_uri":"ipfs://%d"}`, random.Uint64(), n)
}

// open opens a database and closes it when the test ends.
func open(t testing.TB, dir string, o Options) *DB {
	t.Helper()
	db := kvtest.Must(Open(dir, o))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

func set(t testing.TB, db *DB, key, value string) {
	t.Helper()
	kvtest.OK(t, db.Update(func(txn kv.Txn) error { return txn.Set([]byte(key), []byte(value)) }))
}

func get(db *DB, key []byte) (value []byte, ok bool, err error) {
	err = db.View(func(r kv.Reader) (err error) {
		value, ok, err = r.Get(key)
		return err
	})
	return value, ok, err
}

func requireValue(t testing.TB, db *DB, key, want string) {
	t.Helper()
	value, ok, err := get(db, []byte(key))
	if err != nil || !ok || string(value) != want {
		t.Errorf("%q is %q, %t, %v; want %q", key, value, ok, err, want)
	}
}

// requireRecords fails unless db holds every record of d. situation begins the message.
func (d testDatabase) requireRecords(t *testing.T, situation string, db *DB) {
	t.Helper()
	for i := range d.records {
		value, ok, err := get(db, recordKey(i))
		if err != nil || !ok || !bytes.Equal(value, largeValue(i)) {
			t.Fatalf("%s: it opened, but record %d of %d is lost (%t, %v)", situation, i, d.records, ok, err)
		}
	}
}

// copy copies the database to a new directory, whose path it returns.
func (d testDatabase) copy(t *testing.T) string {
	t.Helper()
	dir := newPath(t)
	copyDir(t, d.dir, dir)
	return dir
}

// copyDir copies the files of a database with their times, as a kill would leave them.
// Holes at the end of files stay holes, because Badger's logs are mostly holes.
func copyDir(t *testing.T, from, to string) {
	t.Helper()
	kvtest.OK(t, os.MkdirAll(to, 0o700))
	for _, name := range fileNames(t, from) {
		source := filepath.Join(from, name)
		target := filepath.Join(to, name)
		text, size := readWithoutHole(t, source)
		info := kvtest.Must(os.Stat(source))(t)

		kvtest.OK(t, os.WriteFile(target, text, 0o600))
		kvtest.OK(t, os.Truncate(target, size))
		kvtest.OK(t, os.Chtimes(target, info.ModTime(), info.ModTime()))
	}
}

// readWithoutHole returns a file without the zeros at its end, and the size of the file
// with them.
func readWithoutHole(t *testing.T, path string) (text []byte, size int64) {
	t.Helper()
	file := kvtest.Must(os.Open(path))(t)
	defer file.Close()
	info := kvtest.Must(file.Stat())(t)
	text = make([]byte, min(bytesOnDisk(info), info.Size()))
	kvtest.Must(io.ReadFull(file, text))(t)
	return bytes.TrimRight(text, "\x00"), info.Size()
}

// fileNames lists the files in a directory, except for the lock.
func fileNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, entry := range kvtest.Must(os.ReadDir(dir))(t) {
		if !entry.IsDir() && entry.Name() != lockFileName {
			names = append(names, entry.Name())
		}
	}
	return names
}

// checksums returns a text with the name, the size and the checksum of every file.
func checksums(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range fileNames(t, dir) {
		text, size := readWithoutHole(t, filepath.Join(dir, name))
		fmt.Fprintf(&all, "%s %d %x\n", name, size, sha256.Sum256(text))
	}
	return all.String()
}

// requireUnchanged fails if the files of a directory no longer have the checksums that
// they had before.
func requireUnchanged(t *testing.T, situation, dir, before string) {
	t.Helper()
	if after := checksums(t, dir); after != before {
		t.Errorf("%s: the files have changed from\n%sto\n%s", situation, before, after)
	}
}

// filesWith returns the paths of the files with an extension, the oldest first. There
// must be at least one.
func filesWith(t *testing.T, dir, extension string) []string {
	t.Helper()
	paths := kvtest.Must(filepath.Glob(filepath.Join(dir, "*"+extension)))(t)
	if len(paths) == 0 {
		t.Fatalf("%s has no file *%s", dir, extension)
	}
	return paths
}

// pathTree lists every path under dir, dir itself included.
func pathTree(t *testing.T, dir string) (paths []string) {
	t.Helper()
	kvtest.OK(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	}))
	return paths
}

// writeFile writes a file, and creates the directories around it.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	kvtest.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
	kvtest.OK(t, os.WriteFile(path, []byte(text), 0o600))
}

// flipBytes changes bytes of a file as a failing disk does: the time of the file stays.
// A second call with the same arguments restores the bytes.
func flipBytes(t *testing.T, path string, offset int64, count int) {
	t.Helper()
	info := kvtest.Must(os.Stat(path))(t)
	file := kvtest.Must(os.OpenFile(path, os.O_RDWR, 0))(t)
	defer file.Close()

	flipped := make([]byte, count)
	kvtest.Must(file.ReadAt(flipped, offset))(t)
	for i := range flipped {
		flipped[i] ^= 0x55
	}
	kvtest.Must(file.WriteAt(flipped, offset))(t)
	kvtest.OK(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// breakLargestTable flips a byte in the middle of the largest table and returns the
// table's name.
func breakLargestTable(t *testing.T, dir string) (name string) {
	t.Helper()
	largest := int64(0)
	for _, path := range filesWith(t, dir, tableExt) {
		info := kvtest.Must(os.Stat(path))(t)
		if info.Size() > largest {
			name = filepath.Base(path)
			largest = info.Size()
		}
	}
	flipBytes(t, filepath.Join(dir, name), largest*2/5, 1)
	return name
}

// isError reports whether an error of type E is in the chain of err.
func isError[E error](err error) bool { return errors.As(err, new(E)) }

// requireDamage fails unless err is a [*DamagedError] with a text of one line that
// advises the user.
func requireDamage(t *testing.T, situation string, err error) {
	t.Helper()
	if !isError[*DamagedError](err) {
		t.Errorf("%s: got %T %v", situation, err, err)
		return
	}
	if text := err.Error(); strings.ContainsAny(text, "\n\x1b") || !strings.Contains(text, damageAdvice) {
		t.Errorf("%s: the text is not one sentence with advice: %q", situation, text)
	}
}

// requireDump fails unless db holds the records of a dump; see [kvtest.Dump].
func requireDump(t *testing.T, db *DB, want [][2]string) {
	t.Helper()
	if diff := cmp.Diff(want, kvtest.Dump(t, db, nil)); diff != "" {
		t.Errorf("the records differ (-want +got):\n%.2000s", diff)
	}
}

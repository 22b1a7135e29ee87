package persist

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv/kvtest"
)

func TestASecondProcessLearnsWhichProcessHasTheDatabase(t *testing.T) {
	t.Parallel()
	dir := newPath(t)
	writer := startChild(t, roleWriter, dir)

	for _, o := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(dir, o)

		want := fmt.Sprintf("the database in %s is in use by process %d; --wait 5s waits until it is free, and the explorer that has it open can export it", dir, writer.Process.Pid)
		if !isError[*LockedError](err) || err.Error() != want {
			t.Errorf("got  %q\nwant %q", err, want)
		}
	}

	writer.stop(t)
	requireValue(t, open(t, dir, Options{}), childKey, "the child")
}

func TestASecondOpeningInOneProcessIsRefusedAndTheFirstGoesOn(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})

	_, err := Open(db.dir, Options{})

	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Fatalf("got %v, want a LockedError with this process's id", err)
	}
	set(t, db, "key", "value")
}

func TestSeveralReadersOpenAKilledDatabaseAtOnce(t *testing.T) {
	t.Parallel()
	if !sharedReaders {
		t.Skip("this system has one reader at a time")
	}
	dir := newPath(t)
	startChild(t, roleWriter, dir).kill(t)

	var readers []*child
	for range 6 {
		readers = append(readers, launchChild(t, testBinary(t), roleReader, dir, nil))
	}

	for _, reader := range readers { // every one has it open before the first ends
		if line := reader.readLastLine(); line != "ready" {
			t.Errorf("a reader printed %q", line)
		}
	}
	for _, reader := range readers {
		reader.stop(t)
	}
}

// makeBadgerDatabase makes a database that this package did not create. It takes no
// lock, because a child that a parallel test starts would keep Badger's lock.
func makeBadgerDatabase(t *testing.T, dir, key, value string) {
	t.Helper()
	b := kvtest.Must(badger.Open(badgerOptions(dir).WithBypassLockGuard(true)))(t)
	kvtest.OK(t, b.Update(func(txn *badger.Txn) error { return txn.Set([]byte(key), []byte(value)) }))
	kvtest.OK(t, b.Close())
}

func TestANewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	dir := newPath(t)
	makeBadgerDatabase(t, dir, string(schemaKey), "2")

	_, err := Open(dir, Options{})

	want := fmt.Sprintf("the database in %s was written by a newer version (its schema is 2, this program knows 1); use that version", dir)
	if !isError[*SchemaError](err) || err.Error() != want {
		t.Errorf("got  %q\nwant %q", err, want)
	}
}

func TestADatabaseWithoutItsSchemaIsDamagedAndNotOfAnotherProgram(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	set(t, db, "key", "value")
	kvtest.OK(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Delete(schemaKey) }))
	kvtest.OK(t, db.Close())

	_, err := Open(db.dir, Options{})

	requireDamage(t, "without a schema", err)
}

func TestABadgerDatabaseOfAnotherProgramIsRefused(t *testing.T) {
	t.Parallel()
	dir := newPath(t)
	makeBadgerDatabase(t, dir, "key", "value")

	_, err := Open(dir, Options{})

	if !isError[*DirError](err) || !strings.Contains(err.Error(), otherProgram) {
		t.Errorf("got %v", err)
	}
}

// Unlike ours, the value logs of another program hold records.
func TestAKilledDatabaseOfAnotherProgramKeepsItsValueLog(t *testing.T) {
	t.Parallel()
	liveDir := newPath(t)
	dir := newPath(t)
	b := kvtest.Must(badger.Open(badgerOptions(liveDir).WithValueThreshold(10).WithBypassLockGuard(true)))(t)
	kvtest.OK(t, b.Update(func(txn *badger.Txn) error { return txn.Set([]byte("key"), make([]byte, 100)) }))
	copyDir(t, liveDir, dir) // as a kill would leave it
	kvtest.OK(t, b.Close())
	valueLog := filesWith(t, dir, valueLogExt)[0]
	before, _ := readWithoutHole(t, valueLog)

	for _, o := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(dir, o)

		if !isError[*DirError](err) || !strings.Contains(err.Error(), otherProgram) {
			t.Errorf("%+v: got %v", o, err)
		}
		if after, _ := readWithoutHole(t, valueLog); !bytes.Equal(after, before) {
			t.Errorf("%+v: the value log has changed", o)
		}
	}
}

func TestADirectoryOfOtherFilesIsRefusedAndLeftAsItWas(t *testing.T) {
	t.Parallel()
	const otherFiles = "the directory holds other files, such as letter.txt; name an empty or a new one"
	for name, c := range map[string]struct {
		path    string // of a file in the test's directory, where db is opened
		options Options
		problem string
	}{
		"the path of a file":                 {"db", Options{}, "it is a file, and a database is a directory"},
		"a path below a file":                {"", Options{}, "not a directory"},
		"a directory of other files":         {"db/letter.txt", Options{}, otherFiles},
		"reading a directory of other files": {"db/letter.txt", Options{ReadOnly: true}, otherFiles},
	} {
		parent := filepath.Join(t.TempDir(), "parent")
		dir := filepath.Join(parent, "db")
		writeFile(t, filepath.Join(parent, c.path), "text")
		before := pathTree(t, parent)

		_, err := Open(dir, c.options)

		if !isError[*DirError](err) || !strings.HasSuffix(err.Error(), c.problem) {
			t.Errorf("%s: got %v, want: %s", name, err, c.problem)
		}
		if diff := cmp.Diff(before, pathTree(t, parent)); diff != "" {
			t.Errorf("%s: the directory has changed (-before +after):\n%s", name, diff)
		}
	}
}

func TestAnInterruptedCreationIsRepeated(t *testing.T) {
	t.Parallel()
	dir := newPath(t)
	writeFile(t, filepath.Join(dir, lockFileName), "1234\n")
	writeFile(t, filepath.Join(dir, "MANIFEST-REWRITE"), "")

	set(t, open(t, dir, Options{}), "key", "value")
}

func TestAStrangerReadsAClosedDatabaseAndCannotWriteIt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(publicDir(t), "db")
	db := open(t, dir, Options{})
	set(t, db, childKey, "the owner")
	kvtest.OK(t, db.Close())
	makeReadOnly(t, dir)

	reader := startStranger(t, roleReader, dir)
	reader.stop(t)
	writer := startStranger(t, roleWriter, dir)

	if reader.firstLine != "ready" {
		t.Errorf("the reader printed %q", reader.firstLine)
	}
	want := "cannot use the database in " + dir + ": its files may not be written; --readonly only reads them"
	if writer.firstLine != want {
		t.Errorf("the writer printed %q\nwant %q", writer.firstLine, want)
	}
}

func TestAStrangerCannotRecoverAKilledDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(publicDir(t), "db")
	startChild(t, roleWriter, dir).kill(t)
	makeReadOnly(t, dir)

	reader := startStranger(t, roleReader, dir)

	want := "cannot use the database in " + dir + ": it was not closed cleanly, and cannot be recovered without write permission; copy it somewhere writable and open the copy"
	if reader.firstLine != want {
		t.Errorf("the reader printed %q\nwant %q", reader.firstLine, want)
	}
}

func TestAStrangerCannotEnterAPrivateDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(publicDir(t), "db")
	kvtest.OK(t, os.Mkdir(dir, 0))

	for _, role := range []string{roleWriter, roleReader} {
		c := startStranger(t, role, dir)

		if want := "cannot use the database in " + dir + ": permission denied"; c.firstLine != want {
			t.Errorf("the %s printed %q\nwant %q", role, c.firstLine, want)
		}
	}
}

// makeReadOnly lets every user read a directory and its files, and no user write them.
func makeReadOnly(t *testing.T, dir string) {
	t.Helper()
	kvtest.OK(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.Chmod(path, 0o444)
	}))
	kvtest.OK(t, os.Chmod(dir, 0o555))
}

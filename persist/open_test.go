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

func TestASecondProcessIsToldWhoHasTheDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	c := start(t, self(t), "writer", dir, nil)
	if c.says != "ready" {
		t.Fatalf("the child says %q", c.says)
	}
	for _, o := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(dir, o)
		var locked *LockedError
		if !errors.As(err, &locked) {
			t.Fatalf("got %v, want a LockedError", err)
		}
		want := fmt.Sprintf("the database in %s is in use by process %d; --wait 5s waits until it is free, and the explorer that has it open can export it", dir, c.Process.Pid)
		if locked.Error() != want {
			t.Errorf("got  %q\nwant %q", locked, want)
		}
	}
	c.stop(t)
	expect(t, open(t, dir, Options{}), "written by", "the child")
}

func TestAllWhoReadAtOnceAfterAKillRead(t *testing.T) {
	t.Parallel()
	if !sharedReaders {
		t.Skip("there is one reader at a time here")
	}
	dir := filepath.Join(t.TempDir(), "db")
	start(t, self(t), "writer", dir, nil).kill(t)
	var readers []*child
	for range 6 {
		readers = append(readers, startWith(t, self(t), "reader", dir, nil, func(*child) {}))
	}
	for _, c := range readers { // all of them have it open before the first ends
		if said := c.hearFirst(); said != "ready" {
			t.Errorf("a reader says %q", said)
		}
	}
	for _, c := range readers {
		c.stop(t)
	}
}

func TestASecondOpenInOneProcessIsToldSo(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	_, err := Open(dir, Options{})
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Fatalf("got %v, want a LockedError with this process's id", err)
	}
	set(t, db, "key", "the first is none the worse for it")
}

func TestANewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	foreign(t, dir, string(schemaKey), "2")
	_, err := Open(dir, Options{})
	var newer *SchemaError
	if !errors.As(err, &newer) {
		t.Fatalf("got %v, want a SchemaError", err)
	}
	if diff := cmp.Diff(&SchemaError{Dir: dir, Found: 2, Known: 1}, newer); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(err.Error(), dir) {
		t.Errorf("%q does not name the directory", err)
	}
}

// foreign makes a Badger database that this package has not made. It takes no lock:
// Badger's own would be held on by a process that another test is just starting.
func foreign(t *testing.T, dir, key, value string) {
	t.Helper()
	b := kvtest.Must(badger.Open(options(dir).WithBypassLockGuard(true)))(t)
	kvtest.OK(t, b.Update(func(txn *badger.Txn) error { return txn.Set([]byte(key), []byte(value)) }))
	kvtest.OK(t, b.Close())
}

func TestADirectoryThatCannotServeIsRefusedWithASentenceAndLeftAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir string)
		o    Options
		want string
	}{
		{"AFile", func(t *testing.T, dir string) { file(t, dir, "text") }, Options{},
			"it is a file, and a database is a directory"},
		{"ADirectoryUnderAFile", func(t *testing.T, dir string) { file(t, filepath.Dir(dir), "text") }, Options{},
			"not a directory"},
		{"OtherFiles", func(t *testing.T, dir string) { file(t, filepath.Join(dir, "letter.txt"), "text") }, Options{},
			"the directory holds other files, such as letter.txt; name an empty or a new one"},
		{"OtherFilesReadOnly", func(t *testing.T, dir string) { file(t, filepath.Join(dir, "letter.txt"), "text") }, Options{ReadOnly: true},
			"the directory holds other files, such as letter.txt; name an empty or a new one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := t.TempDir()
			dir := filepath.Join(top, "parent", "db")
			c.make(t, dir)
			before := tree(t, top)
			_, err := Open(dir, c.o)
			var refused *DirError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, want a DirError", err)
			}
			want := "cannot use the database in " + dir + ": " + c.want
			if got := strings.ReplaceAll(refused.Error(), filepath.Dir(dir)+": ", ""); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if diff := cmp.Diff(before, tree(t, top)); diff != "" {
				t.Errorf("the directory has changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestABadgerDatabaseOfAnotherProgramIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	foreign(t, dir, "key", "value")
	_, err := Open(dir, Options{})
	var refused *DirError
	if !errors.As(err, &refused) || refused.Problem != otherProgram {
		t.Errorf("got %v", err)
	}
}

func TestADatabaseThatHasLostItsSchemaIsDamagedAndNotOfAnotherProgram(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	set(t, db, "key", "value")
	kvtest.OK(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Delete(schemaKey) }))
	kvtest.OK(t, db.Close())
	if _, err := Open(dir, Options{}); !is[*DamagedError](err) {
		t.Errorf("got %v", err)
	}
}

// Its value logs hold something.
func TestAKilledDatabaseOfAnotherProgramIsRefusedAndKeepsItsFiles(t *testing.T) {
	t.Parallel()
	live, dir := filepath.Join(t.TempDir(), "live"), filepath.Join(t.TempDir(), "db")
	b := kvtest.Must(badger.Open(options(live).WithValueThreshold(10).WithBypassLockGuard(true)))(t)
	kvtest.OK(t, b.Update(func(txn *badger.Txn) error { return txn.Set([]byte("key"), make([]byte, 100)) }))
	copyDir(t, live, dir) // as a kill leaves it
	kvtest.OK(t, b.Close())
	before, _ := contents(t, matching(t, dir, valueLogExt)[0])
	for name, use := range map[string]func() error{
		"open": func() error { _, err := Open(dir, Options{}); return err },
		"read": func() error { _, err := Open(dir, Options{ReadOnly: true}); return err },
	} {
		if err := use(); !is[*DirError](err) || !strings.Contains(err.Error(), otherProgram) {
			t.Errorf("%s: got %v", name, err)
		}
		if after, _ := contents(t, matching(t, dir, valueLogExt)[0]); !bytes.Equal(after, before) {
			t.Errorf("%s: its value log was changed", name)
		}
	}
}

func TestACreationThatWasCutOffIsBegunAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	file(t, filepath.Join(dir, lockFileName), "1234\n")
	file(t, filepath.Join(dir, "MANIFEST-REWRITE"), "")
	set(t, open(t, dir, Options{}), "key", "value")
}

func TestWhatMayNotBeWrittenMayStillBeRead(t *testing.T) {
	t.Parallel()
	dir, program := filepath.Join(shared(t), "db"), ""
	db := open(t, dir, Options{})
	set(t, db, "written by", "the owner")
	kvtest.OK(t, db.Close())
	protect(t, dir)
	program, as := nobody(t)

	reader := start(t, program, "reader", dir, as)
	if reader.says != "ready" {
		t.Errorf("a reader says %q", reader.says)
	}
	reader.stop(t)
	writer := start(t, program, "writer", dir, as)
	want := "cannot use the database in " + dir + ": its files may not be written; --readonly only reads them"
	if writer.says != want {
		t.Errorf("a writer says %q\nwant %q", writer.says, want)
	}
}

func TestWhatWasNotClosedAndMayNotBeWrittenIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(shared(t), "db")
	c := start(t, self(t), "writer", dir, nil)
	c.kill(t)
	protect(t, dir)
	program, as := nobody(t)
	reader := start(t, program, "reader", dir, as)
	want := "cannot use the database in " + dir + ": it was not closed cleanly, and cannot be recovered without write permission; copy it somewhere writable and open the copy"
	if reader.says != want {
		t.Errorf("a reader says %q\nwant %q", reader.says, want)
	}
}

func TestWhatMayNotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(shared(t), "db")
	directory(t, dir)
	kvtest.OK(t, os.Chmod(dir, 0))
	program, as := nobody(t)
	for _, role := range []string{"writer", "reader"} {
		c := start(t, program, role, dir, as)
		if want := "cannot use the database in " + dir + ": permission denied"; c.says != want {
			t.Errorf("a %s says %q\nwant %q", role, c.says, want)
		}
	}
}

// shared gives a directory that other users may enter.
func shared(t *testing.T) string {
	t.Helper()
	dir := kvtest.Must(os.MkdirTemp("", "ephemera"))(t)
	t.Cleanup(func() {
		_ = os.Chmod(filepath.Join(dir, "db"), 0o700)
		_ = os.RemoveAll(dir)
	})
	kvtest.OK(t, os.Chmod(dir, 0o755))
	return dir
}

// protect lets everybody read a directory and its files, and nobody write.
func protect(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return os.Chmod(path, 0o444)
	})
	if err == nil {
		err = os.Chmod(dir, 0o555)
	}
	kvtest.OK(t, err)
}

func directory(t *testing.T, dir string) {
	t.Helper()
	kvtest.OK(t, os.MkdirAll(dir, 0o700))
}

func file(t *testing.T, path, text string) {
	t.Helper()
	directory(t, filepath.Dir(path))
	kvtest.OK(t, os.WriteFile(path, []byte(text), 0o600))
}

// tree lists all paths under dir.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	kvtest.OK(t, err)
	return paths
}

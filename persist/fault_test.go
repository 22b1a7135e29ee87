//go:build linux

package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestAnErrorOfTheSystemIsNoDamage(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{
		"a path error":                      &fs.PathError{Op: "open", Path: "/db/000001.sst", Err: syscall.EMFILE},
		"an error of the mapping of a file": errors.Join(syscall.ENOMEM, errors.New("while mmapping")),
	} {
		if err := brokenTableError("/db", 1, cause); !isError[*DirError](err) || isError[*DamagedError](err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	requireDamage(t, "a broken block", brokenTableError("/db", 1, errUnreadableBlock))
}

// A process that may open few files gets as far as its limit lets it.
func TestAProcessThatMayOpenFewFilesNeverCallsADatabaseDamaged(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]testDatabase{"closed": closedDatabase(t), "killed": killedDatabase(t)} {
		for limit := 10; limit <= 30; limit++ {
			situation := fmt.Sprintf("%s, with %d files", name, limit)
			dir := d.copy(t)
			limited := exec.Command("sh", "-c", `ulimit -n "$0"; exec "$@"`, fmt.Sprint(limit), testBinary(t), dir)
			limited.Env = append(limited.Environ(), roleVariable+"="+roleWriter)

			output, _ := limited.CombinedOutput()

			text := string(output)
			if strings.Contains(text, "damaged") || strings.Contains(text, "rescue") || strings.Count(strings.TrimPrefix(text, "ready\n"), "\n") > 1 {
				t.Errorf("%s: the child printed %s", situation, text)
			}
			db := kvtest.Must(Open(dir, Options{}))(t)
			d.requireRecords(t, situation, db)
			kvtest.OK(t, db.Close())
		}
	}
}

// requireLeft closes a database whose directory cannot be written, and requires that this
// takes no time and names what is wrong. Afterwards it releases the lock, as the end of the
// process does.
func requireLeft(t *testing.T, db *DB) {
	t.Helper()
	start := time.Now()
	err := db.Close()
	if !errors.Is(err, errLeft) || !isError[*DirError](err) || !strings.Contains(err.Error(), "it could not be closed") {
		t.Fatalf("got %v", err)
	}
	if took := time.Since(start); took > patience/2 {
		t.Errorf("it took %v", took)
	}
	if _, err := Open(db.dir, Options{MustExist: true}); err == nil {
		t.Error("a database that was left is not locked")
	}
	db.lock.release(keepCreated)
}

func TestADatabaseOnAFullDiskIsLeftAndWholeAfterwards(t *testing.T) {
	t.Parallel()
	disk := mountSmallDisk(t, "size=60m")
	db := open(t, filepath.Join(disk, "db"), Options{})
	set(t, db, "key", "value")
	otherFile := filepath.Join(disk, "other")
	fillDisk(t, otherFile, 0)

	requireLeft(t, db)

	removeFile(t, otherFile)
	requireValue(t, open(t, db.dir, Options{}), "key", "value")
}

func TestADatabaseWhoseDirectoryWasMovedIsLeftAndWholeAfterwards(t *testing.T) {
	t.Parallel()
	dir := newPath(t)
	db := open(t, dir, Options{})
	set(t, db, "key", "value")
	kvtest.OK(t, os.Rename(dir, dir+"2"))

	requireLeft(t, db)

	requireValue(t, open(t, dir+"2", Options{}), "key", "value")
}

func TestAfterAFailedCommitEveryUseFailsAndTheDatabaseIsLeft(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	set(t, db, "key", "value")
	txn := kvtest.Must(db.beginCommit())(t)
	txn.Discard() // Badger refuses to commit it

	commitErr := db.endCommit(txn)

	for name, err := range map[string]error{
		"the commit": commitErr,
		"a view":     db.View(func(kv.Reader) error { return nil }),
		"an update":  db.Update(func(kv.Txn) error { return nil }),
		"the end":    db.Close(),
	} {
		if !isError[*DirError](err) || !strings.Contains(err.Error(), "a write failed") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	db.lock.release(keepCreated)
	requireValue(t, open(t, db.dir, Options{}), "key", "value")
}

// Badger lists a table before it knows that the list is on the disk, and writes another set
// after one that it wrote in part.
func TestAManifestThatBadgerCouldNotWriteIsRepaired(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(dir string){
		"it lists a table that was removed": func(dir string) {
			tables := kvtest.Must(readManifest(dir))(t)
			tables[999] = badger.TableManifest{Compression: badgeroptions.Snappy}
			kvtest.OK(t, writeManifest(dir, tables))
		},
		"it has a set that is cut off before others": func(dir string) {
			path := filepath.Join(dir, badger.ManifestFilename)
			text := kvtest.Must(os.ReadFile(path))(t)
			writeFile(t, path, string(text)+"\x00\x00\x00\x06abcd\x00\x00\x00\x06abcdefghijklmnopqrstuvw")
		},
	} {
		for kind, d := range map[string]testDatabase{"killed": killedDatabase(t), "closed": closedDatabase(t)} {
			situation := kind + ", " + name
			spoil(d.dir)
			reader := kvtest.Must(Open(d.dir, Options{ReadOnly: true}))(t)
			d.requireRecords(t, situation, reader)
			kvtest.OK(t, reader.Close())
			db := kvtest.Must(Open(d.dir, Options{}))(t)
			d.requireRecords(t, situation, db)
			kvtest.OK(t, db.Close())
			d.requireRecords(t, situation, open(t, d.dir, Options{ReadOnly: true}))
		}
	}
}

// A repair must not hide the loss of a table.
func TestARepairedManifestWithoutATableOfCommitsIsRefused(t *testing.T) {
	t.Parallel()
	d := closedDatabase(t)
	tables := filesWith(t, d.dir, tableExt)
	newest := tables[len(tables)-1]
	id, _ := tableID(filepath.Base(newest))
	text := kvtest.Must(readSeal(d.dir))(t)
	text.base = id // as if the newest table were made after the opening
	text.content = 0
	writeFile(t, filepath.Join(d.dir, sealFileName), string(text.encode()))
	removeFile(t, newest)

	_, err := Open(d.dir, Options{})

	requireDamage(t, "without its newest table", err)
}

// Badger calls log.Fatalf if it cannot map this file.
func TestAFileOverWhichBadgerEndsTheProcessIsReplaced(t *testing.T) {
	t.Parallel()
	d := closedDatabase(t)
	const moreThanTheAddressSpace = 1 << 50
	if err := os.Truncate(filepath.Join(d.dir, discardFileName), moreThanTheAddressSpace); err != nil {
		t.Skip("this file system has no file of that size:", err)
	}

	db := open(t, d.dir, Options{})

	d.requireRecords(t, "with a file that cannot be mapped", db)
}

// injected are the system calls that fail in the tests below, and their errors.
var injected = map[string]string{
	"openat": "EMFILE", "ftruncate": "ENOSPC", "msync": "EIO", "fsync": "EIO", "write": "ENOSPC",
	"pwrite64": "EIO", "renameat": "EIO", "unlinkat": "EACCES", "getdents64": "EIO", "newfstatat": "EIO",
}

// requireStrace skips a test where strace cannot make a system call fail.
func requireStrace(t *testing.T) {
	t.Helper()
	if err := exec.Command("strace", "-f", "-e", "inject=fsync:error=EIO:when=1", "true").Run(); err != nil {
		t.Skip("strace cannot be used:", err)
	}
}

// failingChild runs a role of which one system call fails, once or from then on. It returns
// the lines that the child prints.
func failingChild(t *testing.T, role, dir, call string, when int, lasts bool) (lines []string) {
	t.Helper()
	rule := fmt.Sprintf("inject=%s:error=%s:when=%d", call, injected[call], when)
	if lasts {
		rule += "+"
	}
	c := exec.Command("strace", "-f", "-o", os.DevNull, "-e", rule, testBinary(t), dir)
	c.Env = append(c.Environ(), roleVariable+"="+role)
	output, _ := c.CombinedOutput()
	return strings.Split(strings.TrimSpace(string(output)), "\n")
}

func TestNoFailedCallLosesARecordOrLooksLikeDamage(t *testing.T) {
	t.Parallel()
	requireStrace(t)
	merged := manyTables(t)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for range kvtest.Many(30) {
		calls := slices.Sorted(maps.Keys(injected))
		call := calls[random.IntN(len(calls))]
		when := 1 + random.IntN(60)
		lasts := random.IntN(3) == 0
		dir := testDatabase{dir: merged}.copy(t)
		situation := fmt.Sprintf("%s %d, lasting %t", call, when, lasts)

		lines := failingChild(t, roleWriter, dir, call, when, lasts)

		text := strings.Join(lines, "\n")
		if strings.Contains(text, "damaged") || strings.Contains(text, "goroutine") {
			t.Errorf("%s: the child printed %s", situation, text)
		}
		db, err := Open(dir, Options{})
		if err != nil {
			t.Fatalf("%s: %v", situation, err)
		}
		for session := range maxNewTables {
			requireValue(t, db, fmt.Sprint("key", session), "value")
		}
		if lines[0] == "ready" {
			requireValue(t, db, childKey, "the child")
		}
		kvtest.OK(t, db.Close())
	}
}

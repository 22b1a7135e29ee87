package persist

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// readAll reads every record of a database in every way, whatever the readings return. It
// returns the error of the last reading.
func readAll(db *DB, records int) error {
	for i := range records {
		_, _, _ = get(db, recordKey(i))
	}
	return db.View(func(r kv.Reader) (last error) {
		for _, isReverse := range []bool{true, false} {
			for _, err := range r.Scan(kv.Range{Reverse: isReverse}) {
				last = err
			}
		}
		return last
	})
}

// eachFlippedTable calls test for every table of a database and many of its bytes, all
// over the table and one by one at its end. Only that byte is flipped during the call.
func (d testDatabase) eachFlippedTable(t *testing.T, test func(path string, offset int64)) {
	t.Helper()
	for _, path := range filesWith(t, d.dir, tableExt) {
		size := kvtest.Must(os.Stat(path))(t).Size()
		places := int64(kvtest.Many(6))
		for i := range places {
			for _, offset := range []int64{size * i / places, size - 1 - i} {
				flipBytes(t, path, offset, 1)
				test(path, offset)
				flipBytes(t, path, offset, 1)
			}
		}
	}
}

func TestAFlippedByteOfATableIsRefusedIfACheckIsDue(t *testing.T) {
	t.Parallel()
	d := loadedDatabase(t, 6000)

	d.eachFlippedTable(t, func(path string, offset int64) {
		db, err := Open(d.dir, Options{})
		if err == nil {
			t.Errorf("byte %d: it opened, and a reading gives %v", offset, readAll(db, d.records))
			kvtest.OK(t, db.Close())
			return
		}
		requireDamage(t, fmt.Sprint("byte ", offset), err)
		if !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("byte %d: %v does not name %s", offset, err, path)
		}
	})

	if n := len(kvtest.Dump(t, open(t, d.dir, Options{}), nil)); n != d.records {
		t.Errorf("%d records are left of %d", n, d.records)
	}
}

// Then a reading can return too little without an error, which the package accepts. The
// process must not end.
func TestAFlippedByteOfATableDoesNotEndTheProcessIfNoCheckIsDue(t *testing.T) {
	t.Parallel()
	d := loadedDatabase(t, 6000)

	d.eachFlippedTable(t, func(_ string, offset int64) {
		db, err := openRecentlyChecked(d.dir)
		if err != nil {
			requireDamage(t, fmt.Sprint("byte ", offset), err)
			return
		}
		defer db.lock.release(true)
		defer db.badger.Close()
		_ = readAll(db, d.records)
	})
}

// openRecentlyChecked opens a database for reading as [Open] does if the database is
// large, was closed cleanly and was checked within a day: it reads every table only if
// the end of one has changed.
func openRecentlyChecked(dir string) (*DB, error) {
	files, err := prepareFiles(dir, false)
	if err != nil {
		return nil, err
	}
	s, err := readSeal(dir)
	if err == nil && s.tableSum != files.tableSum {
		_, err = inspectFiles(dir, files)
	}
	if err != nil {
		return nil, err
	}
	return openUninspected(&DB{dir: dir, isReadOnly: true, isShared: true}, s)
}

func TestALargeDatabaseIsCheckedOnlyIfItsSealGivesAReason(t *testing.T) {
	t.Parallel()
	dir := closedDatabase(t).dir
	files := kvtest.Must(prepareFiles(dir, true))(t)
	closedSeal := kvtest.Must(readSeal(dir))(t)
	now := time.Now().Unix()

	for name, c := range map[string]struct {
		change func(*seal)
		isDue  bool
	}{
		"closed and checked":                 {func(*seal) {}, false},
		"checked more than a day ago":        {func(s *seal) { s.checkedAt = now - 86_401 }, true},
		"checked in the future":              {func(s *seal) { s.checkedAt = now + 1000 }, true},
		"never checked":                      {func(s *seal) { s.checkedAt = 0 }, true},
		"not closed":                         {func(s *seal) { s.isInUse = true }, true},
		"sealed without a sum of the tables": {func(s *seal) { s.tableSum = 0 }, true},
		"tables touched since":               {func(s *seal) { s.tableSum++ }, true},
	} {
		s := closedSeal
		c.change(&s)

		files.tableBytes = smallTables + 1
		if isDue := files.isCheckDue(s); isDue != c.isDue {
			t.Errorf("%s: a check of a large database is due: %t", name, isDue)
		}
		files.tableBytes = smallTables
		if !files.isCheckDue(s) {
			t.Errorf("%s: no check of a small database is due", name)
		}
	}
}

// The next opening then checks the tables, however large the database is.
func TestAfterABrokenTableIsFoundEveryUseFails(t *testing.T) {
	t.Parallel()
	db := open(t, closedDatabase(t).dir, Options{})
	kvtest.OK(t, db.Verify())
	name := breakLargestTable(t, db.dir)

	damage := db.Verify()

	requireDamage(t, "Verify", damage)
	if !strings.Contains(fmt.Sprint(damage), name) {
		t.Errorf("%v does not name %s", damage, name)
	}
	var backup bytes.Buffer
	for use, err := range map[string]error{
		"View":   db.View(func(kv.Reader) error { t.Error("a View ran"); return nil }),
		"Update": db.Update(func(kv.Txn) error { t.Error("an Update ran"); return nil }),
		"Load":   db.Load(func(kv.Writer) error { t.Error("a Load ran"); return nil }),
		"Verify": db.Verify(),
		"Backup": db.Backup(&backup, nil),
	} {
		if !errors.Is(err, damage) {
			t.Errorf("%s gave %v", use, err)
		}
	}
	if backup.Len() > 0 {
		t.Errorf("the backup has %d bytes", backup.Len())
	}
	kvtest.OK(t, db.Close())
	if s := kvtest.Must(readSeal(db.dir))(t); s.checkedAt != 0 {
		t.Errorf("the seal is %+v, want one that is not checked", s)
	}
}

func TestABackupReadsEveryTableFirst(t *testing.T) {
	t.Parallel()
	db := open(t, closedDatabase(t).dir, Options{})
	breakLargestTable(t, db.dir)
	var backup bytes.Buffer

	err := db.Backup(&backup, nil)

	requireDamage(t, "Backup", err)
	if backup.Len() > 0 {
		t.Errorf("the backup has %d bytes", backup.Len())
	}
}

func TestASealOfAnEarlierProgramIsReadUpToItsOwnLines(t *testing.T) {
	t.Parallel()
	text := "ephemera seal 1\ncommits 41\nopen true\ntable 1 201334 1795262400000000000 40 1 196608 99\n"
	text += fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE([]byte(text)))

	got := decodeSeal([]byte(text))

	if want := (seal{isPresent: true, commits: 41, isInUse: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestASealWithAFlippedBitIsReadAsBroken(t *testing.T) {
	t.Parallel()
	whole := seal{isPresent: true, commits: 7, isInUse: true, tableVersion: 9, tableSum: 11, checkedAt: 13}
	text := whole.encode()
	if got := decodeSeal(text); got != whole {
		t.Errorf("got %+v, want %+v", got, whole)
	}

	for i := range text {
		broken := bytes.Clone(text)
		broken[i] ^= 1
		if got := decodeSeal(broken); got != whole && got != (seal{isPresent: true}) {
			t.Errorf("with byte %d flipped it is read as %+v", i, got)
		}
	}
}

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

var readings = map[string]func(db *DB, records int) error{
	"Get":       getAll,
	"Walk":      func(db *DB, records int) error { return walkAll(db, records, kv.Range{}) },
	"Walk back": func(db *DB, records int) error { return walkAll(db, records, kv.Range{Reverse: true}) },
}

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
			if !bytes.Equal(p.Key, record(i)) || !bytes.Equal(p.Value, small(i)) {
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

// places are where a table of so many bytes is broken: all over it, and in each
// byte of its end.
func places(size int64) (at []int64) {
	n := int64(rounds(6, 60))
	for i := range n {
		at = append(at, size*i/n, size-1-i)
	}
	return at
}

// A byte that has turned in a table is found before the database is opened, where
// the check is due.
func TestWhereTheCheckIsDueARottenTableIsRefused(t *testing.T) {
	t.Parallel()
	k := many(t, 6000)
	refusals := 0
	for _, path := range matching(t, k.dir, tableExt) {
		info := kvtest.Must(os.Stat(path))(t)
		for _, at := range places(info.Size()) {
			rot(t, path, at, 1)
			db, err := Open(k.dir, Options{})
			if err == nil {
				t.Errorf("byte %d: it was opened, and a reading gives %v", at, getAll(db, k.records))
				kvtest.OK(t, db.Close())
			} else {
				refused(t, fmt.Sprint("byte ", at), err)
				if !strings.Contains(err.Error(), filepath.Base(path)) {
					t.Errorf("byte %d: %v does not name %s", at, err, path)
				}
				refusals++
			}
			rot(t, path, at, 1) // which puts it back
		}
	}
	t.Logf("%d of %d refused", refusals, refusals)
	if err := getAll(open(t, k.dir, Options{}), k.records); err != nil {
		t.Error(err)
	}
}

// Where none is due, because much was checked a short time ago, an answer can be
// short. That is given up; it is counted here. The program must not end for it.
func TestWhereNoCheckIsDueARottenTableCanReadShort(t *testing.T) {
	t.Parallel()
	k := many(t, 6000)
	short, told, whole := map[string]int{}, 0, 0
	for _, path := range matching(t, k.dir, tableExt) {
		info := kvtest.Must(os.Stat(path))(t)
		for _, at := range places(info.Size()) {
			rot(t, path, at, 1)
			if db, err := openUnchecked(k.dir); err != nil {
				refused(t, fmt.Sprint("byte ", at), err)
				told++
			} else {
				for name, read := range readings {
					switch err := read(db, k.records); {
					case errors.Is(err, errShort):
						short[name]++
					case err != nil:
						told++
					default:
						whole++
					}
				}
				kvtest.OK(t, db.badger.Close())
				db.lock.release(true)
			}
			rot(t, path, at, 1)
		}
	}
	t.Logf("readings: %v are short, %d told, %d whole", short, told, whole)
}

// openUnchecked opens a database for reading as if it were large, closed in order
// and checked a moment ago. As at such an opening, a table whose end has changed
// is checked nevertheless.
func openUnchecked(dir string) (*DB, error) {
	lock, err := lockDir(dir, false, false)
	if err != nil {
		return nil, err
	}
	d := &DB{dir: dir, readOnly: true, shared: true, lock: lock}
	f, err := prepareFiles(dir, false)
	if err == nil {
		var s seal
		if s, err = readSeal(dir); err == nil && s.tableSum != f.tableSum {
			_, err = inspectFiles(dir, f)
		}
		if err == nil {
			err = d.start(inspection{seal: s})
		}
	}
	if err != nil {
		lock.release(true)
		return nil, err
	}
	return d, nil
}

// A large database is not read at each opening: only when something speaks for it.
func TestALargeDatabaseIsCheckedWhenThatIsDue(t *testing.T) {
	t.Parallel()
	k := closed(t)
	f := kvtest.Must(prepareFiles(k.dir, true))(t)
	good := kvtest.Must(readSeal(k.dir))(t)
	now := time.Now().Unix()
	for name, c := range map[string]struct {
		change func(*seal)
		due    bool
	}{
		"closed in order and checked":  {func(*seal) {}, false},
		"checked a day ago":            {func(s *seal) { s.checked = now - 86_401 }, true},
		"checked in the future":        {func(s *seal) { s.checked = now + 1000 }, true},
		"never checked":                {func(s *seal) { s.checked = 0 }, true},
		"not closed":                   {func(s *seal) { s.open = true }, true},
		"sealed by the program before": {func(s *seal) { s.tableSum = 0 }, true},
		"touched by somebody else":     {func(s *seal) { s.tableSum++ }, true},
	} {
		s := good
		c.change(&s)
		if due := f.isCheckDue(s, 0); due != c.due {
			t.Errorf("%s: due is %t", name, due)
		}
		if !f.isCheckDue(s, smallTables) {
			t.Errorf("%s: a small one is not checked", name)
		}
	}
}

// What is found while a database is open is told to everyone from then on, and the
// next opening checks, however large it is.
func TestABrokenTableThatWasFoundIsToldToEveryone(t *testing.T) {
	t.Parallel()
	k := many(t, 6000)
	db := open(t, k.dir, Options{})
	spoil(t, k.dir)
	first := db.Verify()
	refused(t, "verify", first)
	for what, err := range map[string]error{
		"a view":    db.View(func(kv.Reader) error { t.Error("a view ran"); return nil }),
		"an update": db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil }),
		"a load":    db.Load(func(kv.Writer) error { t.Error("a load ran"); return nil }),
		"verify":    db.Verify(),
	} {
		if !errors.Is(err, first) {
			t.Errorf("%s gave %v", what, err)
		}
	}
	kvtest.OK(t, db.Close())
	if s, err := readSeal(k.dir); err != nil || s.checked != 0 {
		t.Errorf("the seal is %+v, %v", s, err)
	}
}

// A seal of the program before says how far the files lead, and no more.
func TestASealOfTheProgramBeforeIsUnderstood(t *testing.T) {
	t.Parallel()
	text := "ephemera seal 1\ncommits 41\nopen true\ntable 1 201334 1795262400000000000 40 1 196608 99\nsum d8d5bc0d\n"
	at := strings.LastIndex(text, "sum ")
	got := decodeSeal([]byte(text[:at] + fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE([]byte(text[:at])))))
	if want := (seal{present: true, commits: 41, open: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	full := seal{present: true, commits: 7, open: true, tableVersion: 9, tableSum: 11, checked: 13}
	if got := decodeSeal(full.encode()); got != full {
		t.Errorf("got %+v, want %+v", got, full)
	}
	text = string(full.encode())
	for i := range text {
		broken := []byte(text)
		broken[i] ^= 1
		if got := decodeSeal(broken); got != full && got != (seal{present: true}) {
			t.Errorf("with byte %d broken it is read as %+v", i, got)
		}
	}
}

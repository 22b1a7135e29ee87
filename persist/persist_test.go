package persist

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestBadgerIsAStore(t *testing.T) {
	t.Parallel()
	kvtest.Run(t, func(t *testing.T) kv.DB { return open(t, filepath.Join(t.TempDir(), "db"), Options{}) })
}

// open opens a database that is closed, at the latest, when the test ends.
func open(t testing.TB, dir string, o Options) *DB {
	t.Helper()
	db, err := Open(dir, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

func set(t testing.TB, db *DB, key, value string) {
	t.Helper()
	err := db.Update(func(tx kv.Txn) error { return tx.Set([]byte(key), []byte(value)) })
	if err != nil {
		t.Fatalf("set: %v", err)
	}
}

func expect(t testing.TB, db *DB, key, want string) {
	t.Helper()
	err := db.View(func(r kv.Reader) error {
		value, ok, err := r.Get([]byte(key))
		if !ok || string(value) != want {
			t.Errorf("%q is %q, %v; want %q", key, value, ok, want)
		}
		return err
	})
	if err != nil {
		t.Fatalf("get: %v", err)
	}
}

func TestWhatIsCommittedIsThereAfterReopening(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	for _, o := range []Options{{}, {}, {ReadOnly: true}} {
		db := open(t, dir, o)
		if o.ReadOnly {
			expect(t, db, "key", "value")
			expect(t, db, "loaded", "value")
		} else {
			set(t, db, "key", "value")
			kvtest.OK(t, db.Load(func(w kv.Writer) error { return w.Set([]byte("loaded"), []byte("value")) }))
		}
		if err := db.Close(); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
}

func TestNoRecordOfItsOwnIsSeenThroughThePort(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	err := db.View(func(r kv.Reader) error {
		for p, err := range r.Scan(kv.Range{}) {
			t.Errorf("a new database holds %q, %v", p.Key, err)
		}
		return nil
	})
	kvtest.OK(t, err)
}

func TestANewDatabaseIsForItsUserAlone(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	made, empty := filepath.Join(top, "made", "on the way", "db"), filepath.Join(top, "empty")
	kvtest.OK(t, os.Mkdir(empty, 0o755))
	for _, dir := range []string{made, empty} {
		set(t, open(t, dir, Options{}), "key", "value")
		for _, name := range append(fileNames(t, dir), ".") {
			info := kvtest.Must(os.Stat(filepath.Join(dir, name)))(t)
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s in %s has the mode %v, want it closed to others", name, dir, info.Mode())
			}
		}
	}
}

func TestReadOnlyUseRefusesEveryWrite(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	set(t, db, "key", "value")
	kvtest.OK(t, db.Close())
	db = open(t, dir, Options{ReadOnly: true})
	for name, err := range map[string]error{
		"Update": db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil }),
		"Load":   db.Load(func(kv.Writer) error { t.Error("a load ran"); return nil }),
	} {
		if !errors.Is(err, kv.ErrReadOnly) {
			t.Errorf("%s gave %v, want: %v", name, err, kv.ErrReadOnly)
		}
	}
	expect(t, db, "key", "value")
}

func TestAnUpdateThatIsTooBigWritesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	err := db.Update(func(tx kv.Txn) error {
		for i := range 20 {
			if err := tx.Set([]byte{'k', byte(i)}, bytes.Repeat([]byte("v"), kv.MaxValue)); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, kv.ErrTooBig) {
		t.Fatalf("got %v, want: %v", err, kv.ErrTooBig)
	}
	t.Logf("the sentence: %v", err)
	err = db.View(func(r kv.Reader) error {
		for p, err := range r.Scan(kv.Range{KeysOnly: true}) {
			if string(p.Key) != "key" || err != nil {
				t.Errorf("found %q, %v", p.Key, err)
			}
		}
		return nil
	})
	kvtest.OK(t, err)
	set(t, db, "key", "still takes writes")
}

func TestCloseWaitsForTheViewsThatRun(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	closed := make(chan error, 1)
	err := db.View(func(r kv.Reader) error {
		go func() { closed <- db.Close() }()
		// The close has begun once nobody is let in any more.
		for db.View(func(kv.Reader) error { return nil }) == nil {
		}
		select {
		case err := <-closed:
			t.Errorf("Close returned %v under a running view", err)
		default:
		}
		value, ok, err := r.Get([]byte("key"))
		if !ok || string(value) != "value" {
			t.Errorf("got %q, %v", value, ok)
		}
		return err
	})
	kvtest.OK(t, err)
	if err := <-closed; err != nil {
		t.Errorf("close: %v", err)
	}
}

func TestInfoNamesThePlaceAndTheSizes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	value := strings.Repeat("0123456789abcdef", 1000)
	for i := range 100 {
		set(t, db, string(rune('a'+i)), value)
	}
	info := kvtest.Must(db.Info())(t)
	if info.Dir != dir || info.ReadOnly || info.Schema != 1 {
		t.Errorf("got %+v", info)
	}
	if written := uint64(100 * len(value)); info.Log < written || info.Disk < info.Log+info.Tables || info.Disk > 20*written {
		t.Errorf("got %+v after writing %d bytes", info, written)
	}
	kvtest.OK(t, db.Close())
	if _, err := db.Info(); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("Info of a closed database gave %v", err)
	}
}

func TestTheVersionOfBadgerIsFoundInTheBuild(t *testing.T) {
	t.Parallel()
	build := &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "github.com/dgraph-io/badger/v3", Version: "v3.0.0"},
		{Path: "github.com/dgraph-io/badger/v4", Version: "v4.9.6"},
	}}
	if got := badgerVersion(build); got != "v4.9.6" {
		t.Errorf("got %q", got)
	}
}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role, os.Args[len(os.Args)-1]))
	}
	_ = flag.Set("test.parallel", "8") // they wait for children, not for a processor
	flag.Parse()
	// A kill leaves what was written to a file system in memory as to that of a disk,
	// and a sync of the disk takes longer than most tests. Benchmarks measure it.
	const inMemory = "/dev/shm"
	measures := flag.Lookup("test.bench").Value.String() != ""
	if info, err := os.Stat(inMemory); err == nil && info.IsDir() && !long && !measures {
		_ = os.Setenv("TMPDIR", inMemory)
	}
	os.Exit(m.Run())
}

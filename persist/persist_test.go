package persist

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(runRole(role, os.Args[len(os.Args)-1]))
	}
	_ = flag.Set("test.parallel", "8") // most tests wait for a child, not for a processor
	_ = flag.Set("rapid.checks", strconv.Itoa(30*kvtest.Times()))
	flag.Parse()

	// A kill leaves the same files on a file system in memory as on a disk, and a sync of
	// a disk takes longer than most tests. Benchmarks measure the disk.
	const memoryDir = "/dev/shm"
	info, err := os.Stat(memoryDir)
	hasMemoryDir := err == nil && info.IsDir()
	isBenchmark := flag.Lookup("test.bench").Value.String() != ""
	if hasMemoryDir && kvtest.Times() == 1 && !isBenchmark {
		_ = os.Setenv("TMPDIR", memoryDir)
	}
	os.Exit(m.Run())
}

func TestADatabasePassesTheSuiteOfEveryStore(t *testing.T) {
	t.Parallel()
	kvtest.Run(t, func(t *testing.T) kv.DB { return open(t, newPath(t), Options{}) })
}

func TestANewDatabaseIsClosedToOtherUsers(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing", "parent", "db")
	existing := filepath.Join(t.TempDir(), "existing")
	kvtest.OK(t, os.Mkdir(existing, 0o755))

	for _, dir := range []string{missing, existing} {
		set(t, open(t, dir, Options{}), "key", "value")

		for _, name := range append(fileNames(t, dir), ".") {
			info := kvtest.Must(os.Stat(filepath.Join(dir, name)))(t)
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s in %s has the mode %v", name, dir, info.Mode())
			}
		}
	}
}

func TestAReadOnlyDatabaseRefusesEveryWrite(t *testing.T) {
	t.Parallel()
	db := open(t, closedDatabase(t).dir, Options{ReadOnly: true})

	updateErr := db.Update(func(kv.Txn) error { t.Error("an Update ran"); return nil })
	loadErr := db.Load(func(kv.Writer) error { t.Error("a Load ran"); return nil })

	if !errors.Is(updateErr, kv.ErrReadOnly) || !errors.Is(loadErr, kv.ErrReadOnly) {
		t.Errorf("Update gave %v, Load gave %v", updateErr, loadErr)
	}
}

func TestAnUpdateThatIsTooBigWritesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	set(t, db, "key", "value")
	before := kvtest.Dump(t, db, nil)

	err := db.Update(func(txn kv.Txn) error {
		for i := range 20 {
			if err := txn.Set([]byte{'k', byte(i)}, bytes.Repeat([]byte("v"), kv.MaxValue)); err != nil {
				return err
			}
		}
		return nil
	})

	if !errors.Is(err, kv.ErrTooBig) {
		t.Fatalf("got %v, want: %v", err, kv.ErrTooBig)
	}
	requireDump(t, db, before)
	set(t, db, "key", "later writes succeed")
}

func TestCloseWaitsForRunningViews(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	set(t, db, "key", "value")
	closed := make(chan error, 1)

	err := db.View(func(r kv.Reader) error {
		go func() { closed <- db.Close() }()
		for db.View(func(kv.Reader) error { return nil }) == nil {
			// Close has begun once another View fails.
		}

		select {
		case err := <-closed:
			t.Errorf("Close returned %v during a View", err)
		default:
		}
		value, ok, err := r.Get([]byte("key"))
		if !ok || string(value) != "value" {
			t.Errorf("got %q, %t", value, ok)
		}
		return err
	})

	kvtest.OK(t, err)
	kvtest.OK(t, <-closed)
}

func TestAPanicInTheLoopOverAScanIsTheCallersAndNoDamage(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	kvtest.OK(t, db.Update(func(txn kv.Txn) error { return txn.Set([]byte("key"), []byte("value")) }))
	defer func() {
		if panicked := recover(); panicked != "of the caller" {
			t.Errorf("got %v", panicked)
		}
	}()
	_ = db.View(func(r kv.Reader) error {
		for range r.Scan(kv.Range{Start: []byte("a"), End: []byte("z")}) {
			panic("of the caller")
		}
		return nil
	})
}

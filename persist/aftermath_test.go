package persist

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

// What is refused must be let go of: the next one to open it is told the same,
// and not that it is in use.
func TestADatabaseThatIsRefusedIsLetGoOf(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	b, err := badger.Open(options(dir))
	must(t, err)
	must(t, b.Update(func(tx *badger.Txn) error { return tx.Set([]byte("another's"), []byte("record")) }))
	must(t, b.Close())
	for range 2 {
		if _, err := Open(dir, Options{}); err == nil || errors.As(err, new(*LockedError)) || !errors.As(err, new(*DirError)) {
			t.Errorf("got %v", err)
		}
	}
}

// The next start is to read a table in whole that was found broken, also when
// this process is killed.
func TestATableThatWasFoundBrokenIsInTheSealAtOnce(t *testing.T) {
	k := many(t)
	rot(t, tables(t, k.dir)[0], 10_000)
	db := open(t, k.dir, Options{})
	if err := getAll(db, k.records); !errors.As(err, new(*DamagedError)) {
		t.Fatalf("got %v", err)
	}
	s, err := readSeal(k.dir)
	if got, ok := s.tables[db.health.table]; err != nil || !ok || got != (stamp{}) {
		t.Errorf("the seal has it as %+v, %t, %v", got, ok, err)
	}
}

func TestABackupOfANewerProgramIsRefused(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	must(t, db.badger.Update(func(tx *badger.Txn) error { return tx.Set(schemaKey, []byte("2")) }))
	dir := filepath.Join(t.TempDir(), "new")
	err := Restore(dir, bytes.NewReader(backupOf(t, db)), nil)
	var newer *SchemaError
	if !errors.As(err, &newer) || newer.Found != 2 || newer.Known != schema {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it left something: %v", err)
	}
}

// Who lost the race for a directory takes nothing out of it.
func TestARestoreIntoADirectoryThatSomebodyHoldsClearsNothing(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	text, dir := backupOf(t, db), t.TempDir()
	release, err := holdOff(dir)
	must(t, err)
	if err := Restore(dir, bytes.NewReader(text), nil); !errors.As(err, new(*LockedError)) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, restoringFile)); err != nil {
		t.Errorf("what lies there was cleared: %v", err)
	}
	release()
	must(t, Restore(dir, bytes.NewReader(text), nil))
	expect(t, open(t, dir, Options{}), "key", "value")
}

func TestARescueMendsTheHeadOfALog(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	dir := filepath.Join(t.TempDir(), "killed")
	copyDir(t, db.dir, dir)
	logs, err := filepath.Glob(filepath.Join(dir, "*"+logKind))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	rot(t, logs[0], 3)
	if _, err := Open(dir, Options{}); !errors.As(err, new(*DamagedError)) {
		t.Fatalf("got %v", err)
	}
	_, err = Rescue(dir)
	must(t, err)
	expect(t, open(t, dir, Options{}), "key", "value")
}

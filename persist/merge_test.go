package persist

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// Many short sessions with deletions leave few tables, and what a store in memory holds.
func TestMergedTablesHoldTheNewestRecords(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	dir := newPath(t)
	memory := kv.NewMemory()
	change := func(db kv.DB, key, value string) error {
		return db.Update(func(txn kv.Txn) error {
			if value == "" {
				return txn.Delete([]byte(key))
			}
			return txn.Set([]byte(key), []byte(value))
		})
	}
	for session := range 3*maxNewTables + 2 {
		db := kvtest.Must(Open(dir, Options{}))(t)
		for range 20 {
			key := string(rune('a' + random.IntN(26)))
			value := ""
			if random.IntN(3) > 0 {
				value = fmt.Sprint(session)
			}
			kvtest.OK(t, change(db, key, value))
			kvtest.OK(t, change(memory, key, value))
		}
		kvtest.OK(t, db.Close())
		if tables := filesWith(t, dir, tableExt); len(tables) > maxNewTables+2 {
			t.Fatalf("after %d sessions there are %d tables", session+1, len(tables))
		}
	}

	requireDump(t, open(t, dir, Options{ReadOnly: true}), kvtest.Dump(t, memory, nil))
}

// manyTables makes a database with as many tables in level 0 as are not merged yet.
func manyTables(t *testing.T) (dir string) {
	t.Helper()
	dir = newPath(t)
	for session := range maxNewTables {
		db := kvtest.Must(Open(dir, Options{}))(t)
		set(t, db, fmt.Sprint("key", session), "value")
		kvtest.OK(t, db.Close())
	}
	return dir
}

func TestAMergeThatCannotWriteATableChangesNothing(t *testing.T) {
	t.Parallel()
	dir := manyTables(t)
	db := kvtest.Must(Open(dir, Options{}))(t)
	set(t, db, "last", "value")
	obstacle := filepath.Join(dir, tableName(db.base+1)) // the number of the merged table
	writeFile(t, filepath.Join(obstacle, "file"), "")    // so it cannot be removed

	kvtest.OK(t, db.Close())

	kvtest.OK(t, os.RemoveAll(obstacle))
	if tables := filesWith(t, dir, tableExt); len(tables) != maxNewTables+1 {
		t.Errorf("there are %d tables", len(tables))
	}
	again := open(t, dir, Options{})
	requireValue(t, again, "last", "value")
	for session := range maxNewTables {
		requireValue(t, again, fmt.Sprint("key", session), "value")
	}
}

// The tables have the same length, number of commits and time of change.
func TestATableInThePlaceOfAnotherIsRefused(t *testing.T) {
	t.Parallel()
	withValue := func(value string) (dir string) {
		dir = newPath(t)
		for range 3 {
			db := kvtest.Must(Open(dir, Options{}))(t)
			set(t, db, "key", value)
			kvtest.OK(t, db.Close())
		}
		return dir
	}
	dir := withValue("one")
	other := withValue("two")
	tables := filesWith(t, dir, tableExt)
	swaps := map[string]string{} // the table in the place of each
	for i, path := range tables {
		swaps[path] = filepath.Join(other, filepath.Base(path))
		if i > 0 {
			swaps[tables[i-1]+" "] = path
		}
	}
	for place, source := range swaps {
		copied := testDatabase{dir: dir}.copy(t)
		target := filepath.Join(copied, filepath.Base(filepath.Clean(place[:len(place)-len(filepath.Ext(place))]+tableExt)))
		info := kvtest.Must(os.Stat(target))(t)
		text := kvtest.Must(os.ReadFile(source))(t)
		isSame := slices.Equal(text, kvtest.Must(os.ReadFile(target))(t))
		if isSame {
			t.Fatalf("%s and %s are equal", source, target)
		}
		writeFile(t, target, string(text))
		kvtest.OK(t, os.Chtimes(target, info.ModTime(), info.ModTime()))

		_, err := Open(copied, Options{})

		requireDamage(t, source+" as "+target, err)
	}
}

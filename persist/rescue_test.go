package persist

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv/kvtest"
)

func TestARescueKeepsTheOldFilesAndEveryReadableRecord(t *testing.T) {
	t.Parallel()
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { kvtest.OK(t, os.Remove(filepath.Join(dir, name))) }
	}
	cutManifest := func(t *testing.T, dir string) {
		kvtest.OK(t, os.Truncate(filepath.Join(dir, badger.ManifestFilename), 30))
	}
	cutTable := func(t *testing.T, dir string) {
		path := filesWith(t, dir, tableExt)[0]
		info := kvtest.Must(os.Stat(path))(t)
		kvtest.OK(t, os.Truncate(path, info.Size()-10)) // the end, without which nothing in it can be read
	}
	breakBlock := func(t *testing.T, dir string) { breakLargestTable(t, dir) }
	breakLogHead := func(t *testing.T, dir string) { flipBytes(t, filesWith(t, dir, logExt)[0], 3, 1) }

	for name, c := range map[string]struct {
		make      func(*testing.T) testDatabase
		breakFile func(t *testing.T, dir string) // nil: no file is broken
		mostLost  int                            // records
	}{
		"a missing MANIFEST":     {closedDatabase, remove(badger.ManifestFilename), 0},
		"a cut MANIFEST":         {closedDatabase, cutManifest, 0},
		"a missing seal":         {closedDatabase, remove(sealFileName), 0},
		"a broken block":         {closedDatabase, breakBlock, 1},
		"a cut table":            {closedDatabase, cutTable, 10},
		"a broken head of a log": {killedDatabase, breakLogHead, 0},
		"a killed writer":        {killedDatabase, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := c.make(t)
			if c.breakFile != nil {
				c.breakFile(t, d.dir)
				if _, err := Open(d.dir, Options{}); err == nil {
					t.Fatal("it opens before the rescue")
				}
			}
			before := checksums(t, d.dir)

			done := kvtest.Must(Rescue(d.dir, acceptAny))(t)

			requireUnchanged(t, "the kept files", done.OldFilesDir, before)
			db := open(t, d.dir, Options{})
			found := d.countRecords(t, db)
			hasLost := found < d.records
			if found < d.records-c.mostLost || hasLost != (len(done.BrokenTables) > 0) {
				t.Errorf("%d of %d records are there; broken tables: %v", found, d.records, done.BrokenTables)
			}
			if commits := db.commits; c.mostLost == 0 && commits < uint64(d.records) {
				t.Errorf("it counts %d commits of %d records", commits, d.records)
			}
			set(t, db, "key", "later writes succeed")
		})
	}

	if _, err := Rescue(newPath(t), acceptAny); !isError[*MissingError](err) {
		t.Errorf("the rescue of a missing directory gave %v", err)
	}
}

// countRecords returns how many records of d are in a database.
func (d testDatabase) countRecords(t *testing.T, db *DB) (found int) {
	t.Helper()
	for i := range d.records {
		value, ok, err := get(db, recordKey(i))
		kvtest.OK(t, err)
		if ok && bytes.Equal(value, largeValue(i)) {
			found++
		}
	}
	return found
}

// A broken table is read from both ends.
func TestARescueLosesOnlyTheBrokenBlockOfATable(t *testing.T) {
	t.Parallel()
	d := loadedDatabase(t, 6000)
	tables := filesWith(t, d.dir, tableExt)
	for _, path := range tables {
		flipBytes(t, path, 40_000, 4)
	}

	done := kvtest.Must(Rescue(d.dir, acceptAny))(t)

	lost := d.records - len(kvtest.Dump(t, open(t, d.dir, Options{}), nil))
	if len(done.BrokenTables) != len(tables) || lost == 0 || lost > 200*len(tables) {
		t.Errorf("%d records of %d tables are lost; broken tables: %v", lost, len(tables), done.BrokenTables)
	}
}

func TestARefusedRescueLeavesTheDirectoryAsItWas(t *testing.T) {
	t.Parallel()
	dir := closedDatabase(t).dir
	breakLargestTable(t, dir)
	sumsBefore := checksums(t, dir)
	treeBefore := pathTree(t, dir)

	_, err := Rescue(dir, func(*DB) error { return errors.New("the records make no sense") })

	if err == nil || !strings.Contains(err.Error(), "the records make no sense; it was left as it was") {
		t.Errorf("got %v", err)
	}
	requireUnchanged(t, "refused", dir, sumsBefore)
	if diff := cmp.Diff(treeBefore, pathTree(t, dir)); diff != "" {
		t.Errorf("the directory has changed (-before +after):\n%s", diff)
	}
}

// The next opening also keeps the old files apart from the new ones.
func TestTheNextOpeningFinishesAMoveThatWasInterruptedAtAnyStep(t *testing.T) {
	t.Parallel()
	old := closedDatabase(t)
	oldSums := checksums(t, old.dir)
	newDir := newPath(t)
	db := kvtest.Must(Open(newDir, Options{}))(t)
	set(t, db, "new", "value")
	want := kvtest.Dump(t, db, nil)
	kvtest.OK(t, db.Close())

	isComplete := false
	for steps := 0; !isComplete; steps++ {
		dir := old.copy(t)
		copyDir(t, newDir, filepath.Join(dir, incomingName))
		isComplete = moveSteps(t, dir, steps)

		db := kvtest.Must(Open(dir, Options{ReadOnly: steps%2 == 0}))(t)

		requireDump(t, db, want)
		kvtest.OK(t, db.Close())
		requireUnchanged(t, "the old files", filepath.Join(dir, oldFilesName), oldSums)
	}
}

// moveSteps does the first steps of a move in their order, and reports whether these are
// all of them.
func moveSteps(t *testing.T, dir string, steps int) (isComplete bool) {
	t.Helper()
	incoming := filepath.Join(dir, incomingName)
	oldFiles := filepath.Join(incoming, oldFilesName)
	kvtest.OK(t, os.Mkdir(oldFiles, 0o700))

	var renames [][2]string
	for _, name := range fileNames(t, dir) {
		renames = append(renames, [2]string{filepath.Join(dir, name), filepath.Join(oldFiles, name)})
	}
	renames = append(renames, [2]string{oldFiles, filepath.Join(dir, oldFilesName)})
	for _, name := range fileNames(t, incoming) {
		renames = append(renames, [2]string{filepath.Join(incoming, name), filepath.Join(dir, name)})
	}

	for _, rename := range renames[:min(steps, len(renames))] {
		kvtest.OK(t, os.Rename(rename[0], rename[1]))
	}
	return steps >= len(renames)
}

func TestAnOpeningRemovesAnInterruptedBuild(t *testing.T) {
	t.Parallel()
	d := closedDatabase(t)
	part := filepath.Join(d.dir, partName)
	writeFile(t, filepath.Join(part, "000001.sst"), "a part of a table")

	d.requireRecords(t, "with a part", open(t, d.dir, Options{}))

	if exists(part) {
		t.Error("the part still exists")
	}
}

package persist

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv/kvtest"
)

// damages returns ways to break a file of a size, by their descriptions.
func damages(t *testing.T, size int64) map[string]func(path string) {
	ways := map[string]func(string){
		"removed": func(path string) { kvtest.OK(t, os.Remove(path)) },
		"emptied": func(path string) { kvtest.OK(t, os.Truncate(path, 0)) },
	}
	places := int64(kvtest.Many(3))
	for i := range places {
		for _, offset := range []int64{i, size * i / places, size - 1 - i} {
			if offset < 0 || offset >= size {
				continue
			}
			ways[fmt.Sprintf("flipped at %d", offset)] = func(path string) { flipBytes(t, path, offset, 1) }
			ways[fmt.Sprintf("cut to %d", offset)] = func(path string) { kvtest.OK(t, os.Truncate(path, offset)) }
		}
	}
	return ways
}

func TestABrokenFileLosesNoRecordOrIsRefusedAndLeftAsItWas(t *testing.T) {
	t.Parallel()
	for kind, d := range map[string]testDatabase{
		"closed": closedDatabase(t),
		"killed": killedDatabase(t),
	} {
		for _, name := range fileNames(t, d.dir) {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				d.testDamages(t, name)
			})
		}
	}
}

// testDamages breaks one file in every way and opens the database.
func (d testDatabase) testDamages(t *testing.T, name string) {
	text, _ := readWithoutHole(t, filepath.Join(d.dir, name))
	refusals := 0
	openings := 0
	for way, damage := range damages(t, int64(len(text))) {
		dir := d.copy(t)
		damage(filepath.Join(dir, name))
		before := checksums(t, dir)

		db, err := Open(dir, Options{})
		if err != nil {
			refusals++
			requireDamage(t, way, err)
			if filepath.Ext(name) != valueLogExt { // it has no records, and may be made anew
				requireUnchanged(t, way, dir, before)
			}
			continue
		}

		openings++
		d.requireRecords(t, name+" "+way, db)
		kvtest.OK(t, db.Close())
		kvtest.OK(t, os.RemoveAll(dir))
	}
	t.Logf("%d refused, %d opened", refusals, openings)
}

func TestADatabaseThatIsOlderThanItsSealIsRefused(t *testing.T) {
	t.Parallel()
	d := closedDatabase(t)
	olderDir := d.copy(t)
	db := open(t, d.dir, Options{})
	set(t, db, "one more", "record")
	kvtest.OK(t, db.Close())
	newerSeal := kvtest.Must(os.ReadFile(filepath.Join(d.dir, sealFileName)))(t)
	writeFile(t, filepath.Join(olderDir, sealFileName), string(newerSeal))
	before := checksums(t, olderDir)

	_, err := Open(olderDir, Options{})

	requireDamage(t, "older", err)
	if want := "its seal counts 41 commits, and its files hold 40"; !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("got %v, want: %s", err, want)
	}
	requireUnchanged(t, "older", olderDir, before)
}

// A copy without some files must not pass for a database with fewer records.
func TestAMissingLogIsRefusedEvenWithoutTheSeal(t *testing.T) {
	t.Parallel()
	d := killedDatabase(t)
	log := filepath.Base(filesWith(t, d.dir, logExt)[0])
	for _, missing := range [][]string{{log}, {log, sealFileName}} {
		dir := d.copy(t)
		kvtest.OK(t, removeFiles(dir, missing))
		before := checksums(t, dir)

		_, err := Open(dir, Options{})

		requireDamage(t, fmt.Sprint(missing), err)
		requireUnchanged(t, fmt.Sprint(missing), dir, before)
	}
}

func TestALogThatIsLongerThanBadgerMakesItIsRefused(t *testing.T) {
	t.Parallel()
	dir := killedDatabase(t).dir
	kvtest.OK(t, os.Truncate(filesWith(t, dir, logExt)[0], maxLogSize+1))

	_, err := Open(dir, Options{})

	requireDamage(t, "a long log", err)
}

func TestEmptyLogsAreReplaced(t *testing.T) {
	t.Parallel()
	for _, d := range []testDatabase{closedDatabase(t), killedDatabase(t)} {
		writeFile(t, filepath.Join(d.dir, "00077"+logExt), "")
		writeFile(t, filepath.Join(d.dir, "000077"+valueLogExt), "")

		d.requireRecords(t, "with empty logs", open(t, d.dir, Options{}))
	}
}

func TestAMissingManifestIsNamedBeforeItsTablesAreRead(t *testing.T) {
	t.Parallel()
	dir := closedDatabase(t).dir
	kvtest.OK(t, os.Remove(filepath.Join(dir, badger.ManifestFilename)))

	for _, o := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(dir, o)

		requireDamage(t, "without a MANIFEST", err)
		if !strings.Contains(fmt.Sprint(err), "its MANIFEST is missing") {
			t.Errorf("got %v", err)
		}
	}
}

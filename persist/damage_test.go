package persist

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/kv/kvtest"
)

// damages are the ways in which a file of so many bytes is broken.
func damages(t *testing.T, size int64) map[string]func(path string) {
	ways := map[string]func(string){
		"removed": func(path string) { kvtest.OK(t, os.Remove(path)) },
		"emptied": func(path string) { kvtest.OK(t, os.Truncate(path, 0)) },
	}
	places := int64(rounds(4, 60))
	for i := range places {
		for _, at := range []int64{i, size * i / places, size - 1 - i} {
			if at >= 0 && at < size {
				ways[fmt.Sprintf("flipped at %d", at)] = func(path string) { rot(t, path, at, 1) }
				ways[fmt.Sprintf("cut to %d", at)] = func(path string) { kvtest.OK(t, os.Truncate(path, at)) }
			}
		}
	}
	return ways
}

func TestABrokenFileLosesNothingOrIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	k := closed(t)
	for _, name := range fileNames(t, k.dir) {
		t.Run(name, func(t *testing.T) { t.Parallel(); k.breakFile(t, name) })
	}
}

func TestABrokenFileAfterAKillLosesNothingOrIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	k := killed(t)
	for _, name := range fileNames(t, k.dir) {
		t.Run(name, func(t *testing.T) { t.Parallel(); k.breakFile(t, name) })
	}
}

// breakFile breaks one file in every way, and opens the database.
func (k kept) breakFile(t *testing.T, name string) {
	text, _ := contents(t, filepath.Join(k.dir, name)) // the rest is a hole
	refusals, opened := 0, 0
	for way, spoil := range damages(t, int64(len(text))) {
		dir := k.copy(t)
		spoil(filepath.Join(dir, name))
		before := sums(t, dir)
		db, err := Open(dir, Options{})
		if err != nil {
			refusals++
			refused(t, way, err)
			if after := sums(t, dir); after != before && filepath.Ext(name) != valueLogExt {
				t.Errorf("%s: refused, but changed:\n%s%s", way, before, after)
			}
			continue
		}
		opened++
		k.whole(t, name+" "+way, db)
		kvtest.OK(t, db.Close())
		kvtest.OK(t, os.RemoveAll(dir))
	}
	t.Logf("%d refused, %d opened", refusals, opened)
}

func TestADatabaseThatWasRolledBackIsOlderThanItsSeal(t *testing.T) {
	t.Parallel()
	k := closed(t)
	older := k.copy(t)
	db := open(t, k.dir, Options{})
	set(t, db, "one more", "record")
	kvtest.OK(t, db.Close())
	text, err := os.ReadFile(filepath.Join(k.dir, sealFileName))
	kvtest.OK(t, err)
	kvtest.OK(t, os.WriteFile(filepath.Join(older, sealFileName), text, 0o600))
	before := sums(t, older)
	_, err = Open(older, Options{})
	refused(t, "rolled back", err)
	if want := "its seal counts 41 commits, and its files hold 40"; !strings.Contains(fmt.Sprint(err), want) {
		t.Fatalf("got %v, want one with %q", err, want)
	}
	if after := sums(t, older); after != before {
		t.Errorf("it was changed:\n%s%s", before, after)
	}
}

func TestALostManifestIsRefusedAndTheTablesStay(t *testing.T) {
	t.Parallel()
	dir := closed(t).dir
	kvtest.OK(t, os.Remove(filepath.Join(dir, "MANIFEST")))
	before := sums(t, dir)
	for _, o := range []Options{{}, {ReadOnly: true}} {
		if _, err := Open(dir, o); !is[*DamagedError](err) || !is[*fs.PathError](err) {
			t.Fatalf("got %v", err)
		}
	}
	if after := sums(t, dir); after != before {
		t.Errorf("it was changed:\n%s%s", before, after)
	}
}

// A copy that leaves files out must not pass for a database that holds less.
func TestALogThatIsLostIsNoticed(t *testing.T) {
	t.Parallel()
	k := killed(t)
	for name, lost := range map[string][]string{
		"the log":                {"*" + logExt},
		"the log and the seal":   {"*" + logExt, sealFileName},
		"the log, seal and lock": {"*" + logExt, sealFileName, lockFileName},
	} {
		dir := k.copy(t)
		for _, pattern := range lost {
			paths := kvtest.Must(filepath.Glob(filepath.Join(dir, pattern)))(t)
			for _, path := range paths {
				kvtest.OK(t, os.Remove(path))
			}
		}
		before := sums(t, dir)
		_, err := Open(dir, Options{})
		refused(t, name, err)
		t.Log(err)
		if after := sums(t, dir); after != before {
			t.Errorf("%s: it was changed:\n%s%s", name, before, after)
		}
	}
}

func TestALogLongerThanAnyIsRefused(t *testing.T) {
	t.Parallel()
	dir := killed(t).dir
	log := matching(t, dir, logExt)[0]
	kvtest.OK(t, os.Truncate(log, 2*memoryTable+1))
	_, err := Open(dir, Options{})
	refused(t, "a long log", err)
}

func TestAnEmptyLogIsMadeAnew(t *testing.T) {
	t.Parallel()
	for _, k := range []kept{closed(t), killed(t)} {
		file(t, filepath.Join(k.dir, "00077"+logExt), "")
		file(t, filepath.Join(k.dir, "000077"+valueLogExt), "")
		k.whole(t, "with empty logs", open(t, k.dir, Options{}))
	}
}

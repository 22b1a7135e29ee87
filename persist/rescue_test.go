package persist

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv/kvtest"
)

func fine(*DB) error { return nil }

// A rescue keeps every file, and the new database holds all that can be read and
// opens without a complaint.
func TestARescueKeepsEveryFileAndOpensWhatIsLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make    func(*testing.T) kept
		spoil   func(t *testing.T, dir string)
		lost    int // records at most
		refused bool
	}{
		"a missing MANIFEST": {closed, func(t *testing.T, dir string) { kvtest.OK(t, os.Remove(filepath.Join(dir, "MANIFEST"))) }, 0, true},
		"a cut MANIFEST":     {closed, func(t *testing.T, dir string) { kvtest.OK(t, os.Truncate(filepath.Join(dir, "MANIFEST"), 30)) }, 0, true},
		"a broken block":     {closed, func(t *testing.T, dir string) { spoil(t, dir) }, 1, true},
		"a missing seal":     {closed, func(t *testing.T, dir string) { kvtest.OK(t, os.Remove(filepath.Join(dir, sealFileName))) }, 0, true},
		"a broken end":       {closed, func(t *testing.T, dir string) { cutEnd(t, matching(t, dir, tableExt)[0]) }, 10, true},
		"a log's head":       {killed, func(t *testing.T, dir string) { rot(t, matching(t, dir, logExt)[0], 3, 1) }, 0, true},
		"a kill alone":       {killed, func(*testing.T, string) {}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := c.make(t)
			c.spoil(t, k.dir)
			before := sums(t, k.dir)
			if c.refused {
				if _, err := Open(k.dir, Options{}); err == nil {
					t.Fatal("it opens before it was rescued")
				}
			}
			done := kvtest.Must(Rescue(k.dir, fine))(t)
			t.Logf("%+v", done)
			if kept := sums(t, done.Kept); kept != before && name != "a log's head" { // which Badger has begun to read
				t.Errorf("was:\n%skept:\n%s", before, kept)
			}
			found := 0
			db := open(t, k.dir, Options{})
			for i := range k.records {
				v, ok, err := get(db, record(i))
				kvtest.OK(t, err)
				if ok && bytes.Equal(v, bulk(i)) {
					found++
				}
			}
			if found < k.records-c.lost || (found < k.records) != (len(done.Broken) > 0) {
				t.Errorf("%d of %d records are there, and %v is broken", found, k.records, done.Broken)
			}
			set(t, db, "key", "takes writes")
		})
	}
	if _, err := Rescue(filepath.Join(t.TempDir(), "none"), fine); !errors.As(err, new(*MissingError)) {
		t.Errorf("got %v", err)
	}
}

// cutEnd takes the end of a table, without which nothing of it can be read.
func cutEnd(t *testing.T, path string) {
	t.Helper()
	info := kvtest.Must(os.Stat(path))(t)
	kvtest.OK(t, os.Truncate(path, info.Size()-10))
}

// A table with a broken block is read from both its ends.
func TestARescueLosesNoMoreThanTheBrokenBlock(t *testing.T) {
	t.Parallel()
	k := many(t, 6000)
	tables := matching(t, k.dir, tableExt)
	for _, path := range tables {
		rot(t, path, 40_000, 4)
	}
	done := kvtest.Must(Rescue(k.dir, fine))(t)
	found := len(everything(t, open(t, k.dir, Options{})))
	if lost := k.records - found; len(done.Broken) != len(tables) || lost == 0 || lost > 200*len(tables) {
		t.Errorf("%d of %d records are lost of %d tables, and broken are %v", lost, k.records, len(tables), done.Broken)
	}
}

func TestARescueThatIsNotFitForUseLeavesTheDirectoryAsItWas(t *testing.T) {
	t.Parallel()
	k := closed(t)
	spoil(t, k.dir)
	before, tree0 := sums(t, k.dir), tree(t, k.dir)
	_, err := Rescue(k.dir, func(*DB) error { return errors.New("nothing of it makes sense") })
	if err == nil || !strings.Contains(err.Error(), "makes sense; it was left as it was") {
		t.Errorf("got %v", err)
	}
	if after := sums(t, k.dir); after != before {
		t.Errorf("it was changed:\n%s%s", before, after)
	}
	if diff := cmp.Diff(tree0, tree(t, k.dir)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// Wherever a move is cut off, whoever opens the directory next finishes it, and
// what was set aside is never mixed in.
func TestAMoveThatIsCutOffIsFinished(t *testing.T) {
	t.Parallel()
	from := closed(t)
	old := sums(t, from.dir)
	whole := filepath.Join(t.TempDir(), "db")
	db := kvtest.Must(Open(whole, Options{}))(t)
	set(t, db, "new", "value")
	kvtest.OK(t, db.Close())
	for step := 0; ; step++ {
		dir := from.copy(t)
		below := filepath.Join(dir, incomingName, oldFilesName)
		copyDir(t, whole, filepath.Join(dir, incomingName))
		kvtest.OK(t, os.Mkdir(below, 0o700))
		last := moveSome(t, dir, step)
		db := kvtest.Must(Open(dir, Options{ReadOnly: step%2 == 0}))(t)
		expect(t, db, "new", "value")
		if n := len(everything(t, db)); n != 1 {
			t.Errorf("cut off after %d moves it holds %d records", step, n)
		}
		kvtest.OK(t, db.Close())
		if kept := sums(t, filepath.Join(dir, oldFilesName)); kept != old {
			t.Errorf("cut off after %d moves, was:\n%skept:\n%s", step, old, kept)
		}
		if last {
			t.Logf("%d steps", step)
			return
		}
	}
}

// moveSome does the first steps of a move, in its order, and tells whether that
// was all.
func moveSome(t *testing.T, dir string, steps int) (whole bool) {
	t.Helper()
	from := filepath.Join(dir, incomingName)
	below := filepath.Join(from, oldFilesName)
	var moves [][2]string
	for _, name := range fileNames(t, dir) {
		moves = append(moves, [2]string{filepath.Join(dir, name), filepath.Join(below, name)})
	}
	moves = append(moves, [2]string{below, filepath.Join(dir, oldFilesName)})
	for _, name := range fileNames(t, from) {
		moves = append(moves, [2]string{filepath.Join(from, name), filepath.Join(dir, name)})
	}
	for _, m := range moves[:min(steps, len(moves))] {
		kvtest.OK(t, os.Rename(m[0], m[1]))
	}
	return steps >= len(moves)
}

// An end before that step leaves what was there.
func TestWhatWasBuiltAndNotWholeIsGone(t *testing.T) {
	t.Parallel()
	k := closed(t)
	part := filepath.Join(k.dir, partName)
	file(t, filepath.Join(part, "000001.sst"), "a part")
	k.whole(t, "with a part", open(t, k.dir, Options{}))
	if _, err := os.Stat(part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

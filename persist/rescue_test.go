package persist

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func fine(*DB) error { return nil }

// A rescue keeps every file, and the new database holds all that can be read and
// opens without a complaint.
func TestARescueKeepsEveryFileAndOpensWhatIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		make    func(*testing.T) kept
		spoil   func(t *testing.T, dir string)
		lost    int // records at most
		refused bool
	}{
		"a missing MANIFEST": {closed, func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "MANIFEST"))) }, 0, true},
		"a cut MANIFEST":     {closed, func(t *testing.T, dir string) { must(t, os.Truncate(filepath.Join(dir, "MANIFEST"), 30)) }, 0, true},
		"a broken block":     {closed, func(t *testing.T, dir string) { spoil(t, dir) }, 1, true},
		"a missing seal":     {closed, func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, sealFile))) }, 0, true},
		"a broken end":       {closed, func(t *testing.T, dir string) { cutEnd(t, matching(t, dir, tableKind)[0]) }, 10, true},
		"a log's head":       {killed, func(t *testing.T, dir string) { rot(t, matching(t, dir, logKind)[0], 3, 1) }, 0, true},
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
			done, err := Rescue(k.dir, fine)
			must(t, err)
			t.Logf("%+v", done)
			if kept := sums(t, done.Kept); kept != before && name != "a log's head" { // which Badger has begun to read
				t.Errorf("was:\n%skept:\n%s", before, kept)
			}
			found := 0
			db := open(t, k.dir, Options{})
			for i := range k.records {
				v, ok, err := get(db, record(i))
				must(t, err)
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
	if _, err := Rescue(filepath.Join(t.TempDir(), "none"), fine); !errors.As(err, new(*DirError)) {
		t.Errorf("got %v", err)
	}
}

// cutEnd takes the end of a table, without which nothing of it can be read.
func cutEnd(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	must(t, os.Truncate(path, info.Size()-10))
}

// Of a table with a broken block, the others are read.
func TestARescueLosesNoMoreThanTheBrokenBlocks(t *testing.T) {
	k := many(t, 6000)
	for _, path := range matching(t, k.dir, tableKind) {
		rot(t, path, 40_000, 4)
	}
	done, err := Rescue(k.dir, fine)
	must(t, err)
	found := len(everything(t, open(t, k.dir, Options{})))
	if lost := k.records - found; done.Blocks == 0 || lost == 0 || lost > 200*done.Blocks {
		t.Errorf("%d of %d records are lost with %d blocks", lost, k.records, done.Blocks)
	}
}

func TestARescueThatIsNotFitForUseLeavesTheDirectoryAsItWas(t *testing.T) {
	k := closed(t)
	spoil(t, k.dir)
	before, tree0 := sums(t, k.dir), tree(t, k.dir)
	_, err := Rescue(k.dir, func(*DB) error { return errors.New("nothing of it makes sense") })
	if !errors.As(err, new(*RescueError)) || !strings.Contains(err.Error(), "makes sense; it was left as it was") {
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
	for step := 0; ; step++ {
		k := closed(t)
		old := sums(t, k.dir)
		part, err := startMove(k.dir)
		must(t, err)
		must(t, build(part, func(b *builder) error {
			return errors.Join(b.set(entry{key: schemaKey, value: []byte("1"), version: 1}),
				b.set(entry{key: portKey([]byte("new")), value: []byte("value"), version: 2}))
		}))
		must(t, os.Mkdir(filepath.Join(k.dir, "rescue"), 0o700))
		must(t, os.WriteFile(filepath.Join(part, keptFile), []byte("rescue"), 0o600))
		must(t, os.Rename(part, filepath.Join(k.dir, incoming)))
		whole := moveSome(t, k.dir, step)
		db, err := Open(k.dir, Options{ReadOnly: step%2 == 0})
		must(t, err)
		expect(t, db, "new", "value")
		if n := len(everything(t, db)); n != 1 {
			t.Errorf("cut off after %d moves it holds %d records", step, n)
		}
		must(t, db.Close())
		if kept := sums(t, filepath.Join(k.dir, "rescue")); kept != old {
			t.Errorf("cut off after %d moves, was:\n%skept:\n%s", step, old, kept)
		}
		if whole {
			t.Logf("%d steps", step)
			return
		}
	}
}

// moveSome does the first steps of a move, in its order, and tells whether that
// was all.
func moveSome(t *testing.T, dir string, steps int) (whole bool) {
	t.Helper()
	from, to := filepath.Join(dir, incoming), filepath.Join(dir, "rescue")
	var moves [][2]string
	for _, name := range fileNames(t, dir) {
		moves = append(moves, [2]string{filepath.Join(dir, name), filepath.Join(to, name)})
	}
	moves = append(moves, [2]string{filepath.Join(from, "MANIFEST"), filepath.Join(dir, "MANIFEST")})
	for _, name := range fileNames(t, from) {
		if name != "MANIFEST" && name != keptFile {
			moves = append(moves, [2]string{filepath.Join(from, name), filepath.Join(dir, name)})
		}
	}
	for _, m := range moves[:min(steps, len(moves))] {
		must(t, os.Rename(m[0], m[1]))
	}
	return steps >= len(moves)
}

// An end before that step leaves what was there.
func TestWhatWasBuiltAndNotWholeIsGone(t *testing.T) {
	k := closed(t)
	part, err := startMove(k.dir)
	must(t, err)
	file(t, filepath.Join(part, "000001.sst"), "a part")
	file(t, filepath.Join(part, logCopy+"00001.mem", "00001.mem"), "a part")
	k.whole(t, "with a part", open(t, k.dir, Options{}))
	if _, err := os.Stat(part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

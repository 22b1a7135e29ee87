package persist

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/kv"
)

func TestACompactionThatIsHeldKeepsNoOtherDatabaseFromClosing(t *testing.T) {
	k := kept{dir: filepath.Join(t.TempDir(), "db")}
	c := start(t, self(t), "beside", k.dir, nil)
	if c.says != "ready" {
		t.Fatal(c.says)
	}
	c.stop(t)
	db := open(t, k.dir, Options{})
	expect(t, db, "written by", "the child")
}

// With many tables in hand Badger takes no write before it has compacted some,
// which it never does when that is held.
func TestAWriterWhoWaitsForACompactionIsToldWhenItIsHeld(t *testing.T) {
	for _, write := range []string{"update", "load"} {
		t.Run(write, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "db")
			must(t, create(dir))
			for range 15 { // one table each; these are too many
				db, err := openUncompacted(dir)
				must(t, err)
				set(t, db, "key", "value")
				must(t, db.Close())
			}
			c := start(t, self(t), "crowded "+write, dir, nil)
			if !strings.Contains(c.says, "a block has rotted meanwhile") {
				t.Errorf("the writer is told %q, %s", c.says, &c.stderr)
			}
			if more, _ := c.more.ReadString('\n'); more != "" {
				t.Errorf("when it closes it is told %q", more)
			}
			if err := c.Wait(); err != nil {
				t.Errorf("it ended with %v, %s", err, &c.stderr)
			}
			expect(t, open(t, dir, Options{}), "key", "value")
		})
	}
}

// onWrite calls a function before the first write.
type onWrite struct{ first func() }

func (w *onWrite) Write(p []byte) (int, error) {
	if w.first != nil {
		w.first()
		w.first = nil
	}
	return len(p), nil
}

var _ io.Writer = (*onWrite)(nil)

// Badger leaves out of a backup what it cannot read, and says nothing.
func TestABackupThatCameUponABrokenBlockFails(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	err := db.Backup(&onWrite{func() { believedBroken(db) }}, nil)
	if damaged := (*DamagedError)(nil); !errors.As(err, &damaged) {
		t.Errorf("got %v", err)
	}
}

// What a commit that failed has left on the disk is not known, and neither is
// what a writer would read.
func TestAWriterForgetsWhatItKnewWhenACommitFails(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	err := db.Update(func(tx kv.Txn) error {
		return errors.Join(tx.Set([]byte("key"), []byte("other")), db.badger.Close())
	})
	if dir := (*DirError)(nil); !errors.As(err, &dir) {
		t.Fatalf("got %v", err)
	}
	if value, known := db.recent.get([]byte("key")); known {
		t.Errorf("it still takes it for %q", value)
	}
	if n := db.commits.Load(); n != 1 {
		t.Errorf("%d commits are counted", n)
	}
}

// Two that mend the same files at once would mend what the other is writing.
func TestARescueLeavesADatabaseAloneThatSomebodyLooksAt(t *testing.T) {
	k := many(t)
	release, err := holdOff(k.dir)
	must(t, err)
	defer release()
	before := sums(t, k.dir)
	_, err = Rescue(k.dir)
	if locked := (*LockedError)(nil); !errors.As(err, &locked) {
		t.Errorf("got %v", err)
	}
	if after := sums(t, k.dir); after != before {
		t.Errorf("it changed\n%s to\n%s", before, after)
	}
}

// believedBroken makes a database believe that it has come upon a broken block.
func believedBroken(db *DB) {
	db.health.damage.Store(&DamagedError{Dir: db.dir, Problem: "a block has rotted meanwhile"})
	brokenBlocks.Add(1)
}

func TestADatabaseKnownToBeBrokenBeginsNothing(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	err := db.Load(func(w kv.Writer) error {
		believedBroken(db)
		for n := 0; n < 2*lookEvery; n += len(bulk(0)) {
			if err := w.Set(record(n), bulk(n)); err != nil {
				return err
			}
		}
		t.Error("a load went on")
		return nil
	})
	for what, err := range map[string]error{
		"a load":    err,
		"a view":    db.View(func(kv.Reader) error { t.Error("a view ran"); return nil }),
		"an update": db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil }),
	} {
		if damaged := (*DamagedError)(nil); !errors.As(err, &damaged) {
			t.Errorf("%s gave %v", what, err)
		}
	}
}

// The seal must not count what is not there, nor lag behind a load.
func TestOnlyWhatWritesIsCountedAndALoadIsSealedAtOnce(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	for range 3 {
		must(t, db.Update(func(tx kv.Txn) error { _, _, err := tx.Get([]byte("key")); return err }))
	}
	if n := db.commits.Load(); n != 0 {
		t.Errorf("%d commits are counted, and nothing was written", n)
	}
	set(t, db, "key", "value")
	must(t, db.Load(func(w kv.Writer) error { return w.Set([]byte("loaded"), nil) }))
	sealed, err := readSeal(db.dir)
	if n := db.commits.Load(); err != nil || n != 2 || sealed.commits != 2 || !sealed.open {
		t.Errorf("%d commits are counted, the seal says %+v, %v", n, sealed, err)
	}
}

//go:build linux

package persist

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// smallDisk mounts a disk of so many bytes.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		// A process that another test starts meanwhile has its files open too, for a moment.
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestAFullDiskIsSeenBeforeItEndsTheProcess(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "size=96m")
	dir := filepath.Join(disk, "db")
	db, err := Open(dir, Options{})
	kvtest.OK(t, err)
	n := 0
	var full *SpaceError
	for full == nil {
		err := db.Update(func(tx kv.Txn) error { return tx.Set(record(n), bulk(n)) })
		if err == nil {
			n++
		} else if !errors.As(err, &full) {
			t.Fatal(err)
		}
	}
	t.Logf("%d records, then: %v", n, full)
	if full.Dir != dir || full.Free >= full.Needed || !strings.Contains(full.Error(), dir) {
		t.Errorf("got %+v", full)
	}
	kvtest.OK(t, db.Close())
	k := kept{dir: dir, records: n}

	// Something else fills the disk to the last byte. It does so only now: what a
	// compaction under way still needs cannot be taken from it.
	rest := filepath.Join(disk, "rest")
	fill(t, rest, 0)
	if _, err := Open(dir, Options{}); !errors.As(err, &full) {
		t.Fatalf("opening on a full disk gave %v", err)
	}
	t.Log(full)
	db, err = Open(dir, Options{ReadOnly: true})
	if err != nil {
		t.Fatalf("reading on a full disk: %v", err)
	}
	k.whole(t, "reading on a full disk", db)
	kvtest.OK(t, db.Close())

	// There is room to read with, but not to write.
	fill(t, rest, spaceForMemory/2)
	db = kvtest.Must(Open(dir, Options{}))(t)
	k.whole(t, "on a disk almost full", db)
	err = db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil })
	if !errors.As(err, &full) {
		t.Errorf("an update gave %v", err)
	}
	err = db.Load(func(kv.Writer) error { t.Error("a load ran"); return nil })
	if !errors.As(err, &full) {
		t.Errorf("a load gave %v", err)
	}
	kvtest.OK(t, db.Close())

	// There is room again.
	kvtest.OK(t, syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=400m"))
	db = open(t, dir, Options{})
	set(t, db, "key", "value")
	k.whole(t, "with room again", db)
}

func TestALoadStopsBeforeTheDiskIsFull(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(smallDisk(t, "size=128m"), "db")
	db := open(t, dir, Options{})
	err := db.Load(func(w kv.Writer) error {
		for n := 0; ; n++ {
			if err := w.Set(record(n), bulk(n)); err != nil {
				return err
			}
		}
	})
	var full *SpaceError
	if !errors.As(err, &full) {
		t.Fatalf("got %v", err)
	}
	t.Log(full)
	_, ok, err := get(db, record(0))
	if err != nil || !ok {
		t.Errorf("what was loaded before is not there: %v, %v", ok, err)
	}
}

func TestADatabaseOpenedWhenTheDiskWasFullIsToldToOpenAgain(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, fmt.Sprintf("size=%d", spaceForMemory*4/5))
	db := open(t, filepath.Join(disk, "db"), Options{})
	var full *SpaceError
	update := func() error { return db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil }) }
	if err := update(); !errors.As(err, &full) || full.Reopen {
		t.Errorf("got %v", err)
	}
	kvtest.OK(t, syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=400m"))
	if err := update(); !errors.As(err, &full) || !full.Reopen || !strings.Contains(full.Error(), "open it again") {
		t.Errorf("got %v", err)
	}
}

// Something else fills the disk bit by bit while a process writes, and makes
// room again when that process asks for it.
func TestAWriterOutlivesADiskThatFillsUnderIt(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, fmt.Sprintf("size=%dm", rounds(128, 400)))
	dir, rest := filepath.Join(disk, "db"), filepath.Join(disk, "rest")
	c := start(t, self(t), "patient", dir, nil)
	k := kept{dir: dir}
	fulls := 0
	for said := c.says; ; said = c.hear(t) {
		if said != "full" {
			acknowledge(t, &k, said)
			// What is kept free is for what a writer has under way.
			if free, _, _ := freeOn(disk); free > spaceForMemory+min(tablesIn(t, dir), maxCompacted) {
				grow(t, rest, 1<<20)
			}
			continue
		}
		if os.Remove(rest) != nil {
			break // the database itself fills it
		}
		fulls++
		kvtest.Must(io.WriteString(c.end, "go on\n"))(t)
	}
	t.Logf("%d records, %d times full", k.records, fulls)
	if fulls < 2 {
		t.Error("that is too few to show anything")
	}
	if err := c.end.Close(); err != nil {
		t.Error(err)
	}
	for { // it writes on until it is full and hears of no room any more
		line, err := c.more.ReadString('\n')
		if err != nil {
			break
		}
		if line = strings.TrimSpace(line); line != "full" {
			acknowledge(t, &k, line)
		}
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("it ended with %v, %s", err, &c.stderr)
	}
	db := open(t, dir, Options{ReadOnly: true})
	k.whole(t, "in the end", db)
}

// Nobody can see in advance that something else takes the last byte while a
// table is on its way to the disk. That may end the process, and no more.
func TestADiskThatIsFilledAtOnceLosesNothing(t *testing.T) {
	t.Parallel()
	ended, times := 0, rounds(1, 6)
	for round := range times {
		disk := smallDisk(t, "size=200m")
		k := kept{dir: filepath.Join(disk, "db"), killed: true}
		c := start(t, self(t), "patient", k.dir, nil)
		acknowledge(t, &k, c.says)
		for range 380 + 60*round/times { // about when a memory table is full
			acknowledge(t, &k, c.hear(t))
		}
		fill(t, filepath.Join(disk, "rest"), 0)
		for {
			line, err := c.more.ReadString('\n')
			if line = strings.TrimSpace(line); err != nil || line == "full" {
				break
			}
			acknowledge(t, &k, line)
		}
		_ = c.end.Close()
		if c.Wait() != nil {
			ended++
		}
		fill(t, filepath.Join(disk, "rest"), 0) // also what it dropped last
		if _, err := Open(k.dir, Options{}); err == nil {
			t.Error("it opened on a full disk")
		} else if full := (*SpaceError)(nil); !errors.As(err, &full) {
			t.Errorf("it does not say that the disk is full: %v", err)
		}
		kvtest.OK(t, os.Remove(filepath.Join(disk, "rest")))
		db := kvtest.Must(Open(k.dir, Options{}))(t)
		k.whole(t, "with room again", db)
		kvtest.OK(t, db.Close())
	}
	t.Logf("it ended %d of %d processes", ended, times)
}

// hear gives the next line of a child that lives.
func (c *child) hear(t *testing.T) string {
	t.Helper()
	line, err := c.more.ReadString('\n')
	if err != nil {
		t.Fatalf("it is gone: %v, %s", err, &c.stderr)
	}
	return strings.TrimSpace(line)
}

// tablesIn gives the bytes in tables.
func tablesIn(t *testing.T, dir string) (size int64) {
	t.Helper()
	f := kvtest.Must(listFiles(dir))(t)
	for id := range f.tables {
		if info, err := os.Stat(filepath.Join(dir, tableName(id))); err == nil {
			size += info.Size()
		}
	}
	return size
}

// grow makes a file longer by so many bytes, or by what there is room for.
func grow(t *testing.T, path string, by int) {
	t.Helper()
	f := kvtest.Must(os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600))(t)
	_, _ = f.Write(make([]byte, by))
	kvtest.OK(t, f.Close())
}

// fill writes a file until so many bytes are left on its disk.
func fill(t *testing.T, path string, left int64) {
	t.Helper()
	f := kvtest.Must(os.Create(path))(t)
	defer f.Close()
	free, _, _ := freeOn(filepath.Dir(path))
	block := make([]byte, 1<<16)
	for len(block) > 0 && free > left {
		n, err := f.Write(block[:min(int64(len(block)), free-left)])
		if free -= int64(n); err != nil {
			block = block[:len(block)/2]
			free = left + int64(len(block))
		}
	}
}

// Badger goes on when it cannot make the file of a table, and drops the tables
// that it was to replace.
func TestADiskThatTakesNoMoreFilesIsSeenBeforeItLosesATable(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "size=400m,nr_inodes=1100")
	db := open(t, filepath.Join(disk, "db"), Options{})
	set(t, db, "key", "value")
	for i := range 200 {
		kvtest.OK(t, os.WriteFile(filepath.Join(disk, fmt.Sprint("rest", i)), nil, 0o600))
	}
	for why, again := range map[string]func(){
		"it was long ago":             func() { db.space.at = time.Now().Add(-time.Hour) },
		"much has been written since": func() { db.space.at = time.Now().Add(time.Hour); db.tableBytes.Add(spaceCheckBytes) },
	} {
		again()
		err := db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil })
		if full := (*SpaceError)(nil); !errors.As(err, &full) || !full.Files || !strings.Contains(full.Error(), "takes hardly any more files") {
			t.Errorf("%s: got %v", why, err)
		}
	}
	kvtest.OK(t, db.Close())
	if again := open(t, db.dir, Options{}); !again.lowSpace {
		t.Error("it is opened so that tables are compacted")
	}
}

// The first that Badger does with a log is to make a table of it.
func TestToOpenALogTakesRoomForItsTable(t *testing.T) {
	t.Parallel()
	k := killed(t)
	disk := smallDisk(t, "size=64m")
	dir := filepath.Join(disk, "db")
	copyDir(t, k.dir, dir)
	rest := filepath.Join(disk, "rest")
	fill(t, rest, spaceToStart+512<<10)
	_, err := Open(dir, Options{})
	if full := (*SpaceError)(nil); !errors.As(err, &full) || full.Needed < spaceToStart+1<<20 {
		t.Fatalf("got %v", err)
	}
	kvtest.OK(t, os.Remove(rest))
	k.whole(t, "with room", open(t, dir, Options{}))
}

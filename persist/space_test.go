//go:build linux

package persist

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ephemera/core/kv"
)

// smallDisk mounts a disk of so many bytes.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestAFullDiskIsSeenBeforeItEndsTheProcess(t *testing.T) {
	disk := smallDisk(t, "size=96m")
	dir := filepath.Join(disk, "db")
	db, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var full *SpaceError
	for ; full == nil; n++ {
		err := db.Update(func(tx kv.Txn) error { return tx.Set(record(n), bulk(n)) })
		if err != nil && !errors.As(err, &full) {
			t.Fatal(err)
		}
	}
	n--
	t.Logf("%d records, then: %v", n, full)
	if full.Dir != dir || full.Free >= full.Needed || !strings.Contains(full.Error(), dir) {
		t.Errorf("got %+v", full)
	}
	rest := filepath.Join(disk, "rest")
	fill(t, rest, 30<<20) // what a flush has freed meanwhile, and more
	err = db.Load(func(kv.Writer) error { t.Error("a load ran"); return nil })
	if !errors.As(err, &full) {
		t.Errorf("a load gave %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	k := kept{dir: dir, records: n}

	// Something else fills the disk to the last byte.
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
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	// There is room to read with, but not to write.
	fill(t, rest, 20<<20)
	db, err = Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	k.whole(t, "on a disk almost full", db)
	err = db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil })
	if !errors.As(err, &full) {
		t.Errorf("an update gave %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	// There is room again.
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=400m"); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir, Options{})
	set(t, db, "key", "value")
	k.whole(t, "with room again", db)
}

func TestALoadStopsBeforeTheDiskIsFull(t *testing.T) {
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
	disk := smallDisk(t, "size=30m")
	db := open(t, filepath.Join(disk, "db"), Options{})
	var full *SpaceError
	update := func() error { return db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil }) }
	if err := update(); !errors.As(err, &full) || full.Reopen {
		t.Errorf("got %v", err)
	}
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=400m"); err != nil {
		t.Fatal(err)
	}
	if err := update(); !errors.As(err, &full) || !full.Reopen || !strings.Contains(full.Error(), "open it again") {
		t.Errorf("got %v", err)
	}
}

// fill writes a file until so many bytes are left on its disk.
func fill(t *testing.T, path string, left int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	free, _ := freeBytes(filepath.Dir(path))
	block := make([]byte, 1<<16)
	for len(block) > 0 && free > left {
		n, err := f.Write(block[:min(int64(len(block)), free-left)])
		if free -= int64(n); err != nil {
			block = block[:len(block)/2]
			free = left + int64(len(block))
		}
	}
}

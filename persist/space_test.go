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

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// mountSmallDisk mounts a file system in memory and returns its directory. The options
// are those of tmpfs, such as "size=96m".
func mountSmallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("this user cannot mount a file system: %v", err)
	}
	t.Cleanup(func() {
		// A process that a parallel test is starting has its files open for a moment.
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func enlargeDisk(t *testing.T, dir string) {
	t.Helper()
	kvtest.OK(t, syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=400m"))
}

// fillDisk writes a file until so many bytes are free on its disk.
func fillDisk(t *testing.T, path string, free int64) {
	t.Helper()
	file := kvtest.Must(os.Create(path))(t)
	defer file.Close()
	left, _ := freeSpaceOn(filepath.Dir(path))
	block := make([]byte, 1<<16)
	for len(block) > 0 && left > free {
		n, err := file.Write(block[:min(int64(len(block)), left-free)])
		left -= int64(n)
		if err != nil { // retry with half of the block, down to the last byte
			block = block[:len(block)/2]
			left = free + int64(len(block))
		}
	}
}

// removeFile frees the space of a file at once. A process that a parallel test is
// starting may have the file open, which keeps the space of a file that is only removed.
func removeFile(t *testing.T, path string) {
	t.Helper()
	kvtest.OK(t, os.Truncate(path, 0))
	kvtest.OK(t, os.Remove(path))
}

// growFile makes a file longer by so many bytes, or by as many as are free.
func growFile(t *testing.T, path string, bytes int) {
	t.Helper()
	file := kvtest.Must(os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600))(t)
	_, _ = file.Write(make([]byte, bytes))
	kvtest.OK(t, file.Close())
}

// requireSpaceError returns the [*SpaceError] in err and fails if there is none.
func requireSpaceError(t *testing.T, situation string, err error) *SpaceError {
	t.Helper()
	var full *SpaceError
	if !errors.As(err, &full) {
		t.Fatalf("%s: got %v, want a SpaceError", situation, err)
	}
	return full
}

// requireWritesRefused requires that no write runs, and returns the error of an Update.
func requireWritesRefused(t *testing.T, situation string, db *DB) *SpaceError {
	t.Helper()
	loadErr := db.Load(func(kv.Writer) error { t.Error("a Load ran"); return nil })
	updateErr := db.Update(func(kv.Txn) error { t.Error("an Update ran"); return nil })
	requireSpaceError(t, situation, loadErr)
	return requireSpaceError(t, situation, updateErr)
}

func TestWritesAndOpeningsAreRefusedBeforeAFullDiskEndsTheProcess(t *testing.T) {
	t.Parallel()
	disk := mountSmallDisk(t, "size=96m")
	d := testDatabase{dir: filepath.Join(disk, "db")}
	db := kvtest.Must(Open(d.dir, Options{}))(t)
	var err error
	for err == nil {
		err = db.Update(func(txn kv.Txn) error { return txn.Set(recordKey(d.records), largeValue(d.records)) })
		if err == nil {
			d.records++
		}
	}
	full := requireSpaceError(t, "the database fills the disk", err)
	if full.Dir != d.dir || full.Free >= full.Needed || !strings.Contains(full.Error(), d.dir) {
		t.Errorf("got %+v", full)
	}
	kvtest.OK(t, db.Close())

	// Another program fills the disk to the last byte. It waits until the database is
	// closed, because a compaction cannot do without the space that it still needs.
	otherFile := filepath.Join(disk, "other")
	fillDisk(t, otherFile, 0)
	_, err = Open(d.dir, Options{})
	requireSpaceError(t, "opening for writing on a full disk", err)
	db = kvtest.Must(Open(d.dir, Options{ReadOnly: true}))(t)
	d.requireRecords(t, "reading on a full disk", db)
	kvtest.OK(t, db.Close())

	// There is space to open, but not to write.
	fillDisk(t, otherFile, spaceForMemory/2)
	db = kvtest.Must(Open(d.dir, Options{}))(t)
	d.requireRecords(t, "on a disk that is almost full", db)
	requireWritesRefused(t, "on a disk that is almost full", db)
	kvtest.OK(t, db.Close())

	enlargeDisk(t, disk)
	db = open(t, d.dir, Options{})
	set(t, db, "key", "value")
	d.requireRecords(t, "with space again", db)
}

func TestALoadStopsBeforeTheDiskIsFull(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(mountSmallDisk(t, "size=128m"), "db"), Options{})

	err := db.Load(func(w kv.Writer) error {
		for n := 0; ; n++ {
			if err := w.Set(recordKey(n), largeValue(n)); err != nil {
				return err
			}
		}
	})

	requireSpaceError(t, "Load", err)
	if _, ok, err := get(db, recordKey(0)); err != nil || !ok {
		t.Errorf("the first record is there: %t, %v", ok, err)
	}
}

func TestADatabaseOpenedOnAFullDiskWritesOnceThereIsSpace(t *testing.T) {
	t.Parallel()
	disk := mountSmallDisk(t, fmt.Sprintf("size=%d", spaceForMemory*4/5))
	db := open(t, filepath.Join(disk, "db"), Options{})
	requireWritesRefused(t, "on the full disk", db)

	enlargeDisk(t, disk)

	set(t, db, "key", "value")
}

// Another file grows while a child writes, and is removed when the child reports a full
// disk.
func TestAWriterSurvivesADiskThatFillsSlowly(t *testing.T) {
	t.Parallel()
	disk := mountSmallDisk(t, fmt.Sprintf("size=%dm", min(kvtest.Many(128), 400)))
	d := testDatabase{dir: filepath.Join(disk, "db")}
	otherFile := filepath.Join(disk, "other")
	writer := startChild(t, rolePatient, d.dir)
	timesFull := 0
	for line := writer.firstLine; ; line = writer.readLine(t) {
		if line != "full" {
			d.acknowledge(t, line)
			// The space that the writer reserves for itself stays free.
			reserved := int64(spaceForMemory)
			if free, _ := freeSpaceOn(disk); free > reserved {
				growFile(t, otherFile, 1<<20)
			}
			continue
		}
		if _, err := os.Stat(otherFile); err != nil {
			break // the database itself fills the disk
		}
		removeFile(t, otherFile)
		timesFull++
		kvtest.Must(io.WriteString(writer.stdin, "go on\n"))(t)
	}
	if timesFull < 2 {
		t.Errorf("the disk was full %d times, which is too few for this test", timesFull)
	}

	kvtest.OK(t, writer.stdin.Close()) // ends the writer when the disk is full again
	for _, line := range writer.remainingLines() {
		if line != "full" {
			d.acknowledge(t, line)
		}
	}
	if err := writer.Wait(); err != nil {
		t.Fatalf("the writer ended with %v, %s", err, &writer.stderr)
	}
	d.requireRecords(t, "in the end", open(t, d.dir, Options{ReadOnly: true}))
	t.Logf("%d records, %d times full", d.records, timesFull)
}

// No check can foresee that another program takes all the space at once while Badger
// writes a table. That may end the process, but loses no record.
func TestADiskThatFillsAtOnceLosesNoRecord(t *testing.T) {
	t.Parallel()
	ended := 0
	processes := kvtest.Many(1)
	for round := range processes {
		disk := mountSmallDisk(t, "size=200m")
		otherFile := filepath.Join(disk, "other")
		d := testDatabase{dir: filepath.Join(disk, "db")}
		writer := startChild(t, rolePatient, d.dir)
		d.acknowledge(t, writer.firstLine)
		for range 380 + 60*round/processes { // about when a memory table is full
			d.acknowledge(t, writer.readLine(t))
		}

		fillDisk(t, otherFile, 0)
		for line := writer.readLastLine(); line != "" && line != "full"; line = writer.readLastLine() {
			d.acknowledge(t, line)
		}
		_ = writer.stdin.Close()
		if writer.Wait() != nil {
			ended++
		}

		fillDisk(t, otherFile, 0) // the writer may have removed a file
		_, err := Open(d.dir, Options{})
		requireSpaceError(t, "opening on the full disk", err)
		removeFile(t, otherFile)
		db := kvtest.Must(Open(d.dir, Options{}))(t)
		d.requireRecords(t, "with space again", db)
		kvtest.OK(t, db.Close())
	}
	t.Logf("%d of %d processes ended", ended, processes)
}

// Badger has no file for a table or a log then.
func TestADiskThatTakesNoMoreFilesLosesNoRecord(t *testing.T) {
	t.Parallel()
	disk := mountSmallDisk(t, "size=400m,nr_inodes=200")
	d := testDatabase{dir: filepath.Join(disk, "db")}
	db := kvtest.Must(Open(d.dir, Options{}))(t)
	for i := range 300 {
		if os.WriteFile(filepath.Join(disk, fmt.Sprint("other", i)), nil, 0o600) != nil {
			break
		}
	}
	var err error
	for ; err == nil && d.records < 3000; d.records++ {
		err = db.Update(func(txn kv.Txn) error { return txn.Set(recordKey(d.records), largeValue(d.records)) })
	}
	d.records--

	if !isError[*DirError](err) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("after %d records the error is %v", d.records, err)
	}
	requireLeft(t, db)
	for i := range 300 {
		_ = os.Remove(filepath.Join(disk, fmt.Sprint("other", i)))
	}
	d.requireRecords(t, "with space for files", open(t, d.dir, Options{}))
}

// Badger makes a table of a log first.
func TestAnOpeningNeedsSpaceForATableOfItsLog(t *testing.T) {
	t.Parallel()
	killed := killedDatabase(t)
	disk := mountSmallDisk(t, "size=64m")
	dir := filepath.Join(disk, "db")
	copyDir(t, killed.dir, dir)
	otherFile := filepath.Join(disk, "other")
	fillDisk(t, otherFile, spaceToStart+512<<10)

	_, err := Open(dir, Options{})

	if full := requireSpaceError(t, "with a log", err); full.Needed < spaceToStart+1<<20 {
		t.Errorf("got %+v", full)
	}
	removeFile(t, otherFile)
	killed.requireRecords(t, "with space again", open(t, dir, Options{}))
}

package persist

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
)

// restoringFile is how the program before this one marked a directory that it
// was restoring into.
const restoringFile = "RESTORING"

// files are those of a database.
type files struct {
	all      []fs.DirEntry
	tables   []fs.DirEntry
	logs     []fs.DirEntry // that hold something
	empty    []string      // names of those that hold nothing
	values   []string      // names of value logs, which hold nothing either
	database bool          // rather than an empty directory, or a cut-off creation
	pending  bool          // a whole one waits to be moved in place; see replace.go
	part     bool          // one is being built, or its building was interrupted
	size     int64         // bytes of all tables; see check
	sum      uint32        // over them
}

// listFiles lists the files of a directory; none where it is not there. It fails
// with a [*DirError] where no database may be made.
func listFiles(dir string) (f files, err error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return f, &DirError{Dir: dir, Problem: "it is a file, and a database is a directory"}
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, dirError(dir, err)
	}
	foreign, restoring := "", false
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == restoringFile:
			restoring = true
			continue
		case name == incoming:
			f.pending = true
			continue
		case name == incoming+partSuffix:
			f.part = true
			continue
		case !ownFile(name):
			foreign = name
			continue
		}
		f.all = append(f.all, e)
		f.database = f.database || holdsRecords(name)
		switch {
		case filepath.Ext(name) == tableKind:
			f.tables = append(f.tables, e)
		case isEmptyLog(e):
			f.empty = append(f.empty, name)
		case filepath.Ext(name) == logKind:
			f.logs = append(f.logs, e)
		case filepath.Ext(name) == valueKind:
			f.values = append(f.values, name)
		}
	}
	switch {
	case f.database && restoring:
		return f, &DirError{Dir: dir, Problem: "an earlier version was restoring into it and was cut off, so what it holds is incomplete; restore again, into another directory"}
	case !f.database && !f.pending && foreign != "":
		return f, &DirError{Dir: dir, Problem: "the directory holds other files, such as " + foreign + "; name an empty or a new one"}
	}
	return f, nil
}

// onlyPart reports whether there is nothing but the unfinished build of a database.
func (f *files) onlyPart() bool {
	return f.part && !f.database && !f.pending
}

// removeDatabase removes the files of a database, but for the lock.
func removeDatabase(dir string) error {
	f, err := listFiles(dir)
	errs := []error{err}
	for _, e := range f.all {
		if e.Name() != lockFile {
			errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// tailSize is how much of each table's end is in the sum. Badger's goroutines end
// the process over some of these bytes, so a table in which they have changed is
// checked before it is opened, however short ago it was.
const tailSize = 64

// check makes sure that Badger can open every file as it is going to, and sums up
// the tables for [seal].files. What Badger would wait for without end, or end the
// process over, is refused with a [*DirError].
func (f *files) check(dir string, write bool) error {
	how := os.O_RDONLY
	if write {
		how = os.O_RDWR
	}
	sum := crc32.NewIEEE()
	f.size = 0
	for _, e := range f.all {
		if err := regular(dir, e.Name()); err != nil {
			return err
		}
		if e.Name() == lockFile {
			continue // it is held by now
		}
		file, err := os.OpenFile(filepath.Join(dir, e.Name()), how, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return unusable(dir, err)
		}
		if info, err := file.Stat(); err == nil && filepath.Ext(e.Name()) == tableKind {
			end := make([]byte, min(tailSize, info.Size()))
			_, _ = file.ReadAt(end, info.Size()-int64(len(end))) // what cannot be read changes the sum
			fmt.Fprintf(sum, "%s %d %d %x\n", e.Name(), info.Size(), info.ModTime().UnixNano(), end)
			f.size += info.Size()
		}
		_ = file.Close()
	}
	f.sum = sum.Sum32()
	return nil
}

// regular fails with a [*DirError] where something else than a file stands under
// a name in dir, and is content where there is nothing. Badger would wait for ever for a
// pipe, and end the process over some of the others.
func regular(dir, name string) error {
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
			return &DirError{Dir: dir, Problem: "its " + name + " is a link that leads nowhere, and should be a file"}
		}
		return nil
	}
	if err != nil {
		return unusable(dir, err)
	}
	kind := "no file that can hold records"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return &DirError{Dir: dir, Problem: "its " + name + " is " + kind + ", and should be a file"}
}

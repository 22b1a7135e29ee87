package persist

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// restoringFileName is the file with which an earlier version marked a directory while it
// restored a backup into it.
const restoringFileName = "RESTORING"

// listing lists the files in the directory of a database by their kinds.
type listing struct {
	names           []string        // names of the database's files, except for the lock
	tableIDs        map[uint64]bool // numbers of the tables
	logs            []fs.DirEntry   // the logs that are not empty, the oldest first
	recordlessNames []string        // names of files without records, which Badger can create again

	hasDatabase bool // it holds a database, not only the beginning of a creation that was cut off
	hasPending  bool // a complete database waits to be moved into place; see replace.go
	hasPart     bool // a database is being built, or its building was interrupted

	tableBytes int64  // bytes of all tables; set by checkAndSumFiles
	tableSum   uint32 // checksum over the tables, for [seal]; set by checkAndSumFiles
}

// listFiles lists the files of a directory, none of a missing one.
//
// It fails with a [*DirError] if the directory cannot be read, if an earlier version was
// interrupted while it restored a backup into it, or if it holds files of other programs and no
// database, because the user has probably named the wrong one.
func listFiles(dir string) (l listing, err error) {
	l.tableIDs = map[uint64]bool{}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l, dirError(dir, err)
	}

	foreignFile := "" // a file that is not part of a database
	isRestoring := false
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case name == restoringFileName:
			isRestoring = true
		case name == incomingName:
			l.hasPending = true
		case name == partName:
			l.hasPart = true
		case name == lockFileName: // it says nothing about the database
		case isDatabaseFile(name):
			l.addFile(entry)
		default:
			foreignFile = name
		}
	}

	switch {
	case l.hasDatabase && isRestoring:
		return l, cannotUseError(dir,
			"an earlier version was restoring into it and was cut off, so what it holds is incomplete; restore again, into another directory")
	case !l.hasDatabase && !l.hasPending && foreignFile != "":
		return l, cannotUseError(dir,
			"the directory holds other files, such as "+foreignFile+"; name an empty or a new one")
	}
	return l, nil
}

// addFile adds a file of a database by its kind. The MANIFEST and others are only in l.names.
func (l *listing) addFile(entry fs.DirEntry) {
	name := entry.Name()
	l.names = append(l.names, name)
	l.hasDatabase = l.hasDatabase || provesDatabase(name)

	id, isTable := tableID(name)
	switch {
	case isTable:
		l.tableIDs[id] = true
	case isRecordless(entry):
		l.recordlessNames = append(l.recordlessNames, name)
	case filepath.Ext(name) == logExt:
		l.logs = append(l.logs, entry)
	}
}

func (l *listing) logBytes() (size int64) {
	for _, log := range l.logs {
		if info, err := log.Info(); err == nil {
			size += bytesOnDisk(info)
		}
	}
	return size
}

// removeDatabase removes the files of a database, except for the lock file. It goes on after
// an error and returns all errors.
func removeDatabase(dir string) error {
	files, err := listFiles(dir)
	errs := []error{err}
	for _, name := range files.names {
		errs = append(errs, os.Remove(filepath.Join(dir, name)))
	}
	return errors.Join(errs...)
}

// summedTail is how many bytes at the end of each table are part of the checksum over the
// tables. If these bytes are wrong, Badger ends the process when it opens the table, so a change
// must be noticed before.
const summedTail = 64

// checkAndSumFiles verifies that Badger can open each file, for writing if forWriting is
// set. It also sets l.tableBytes and l.tableSum. It fails with a [*DirError] for a file that
// cannot be opened, or that is not a regular file.
func (l *listing) checkAndSumFiles(dir string, forWriting bool) error {
	if err := requireRegularFile(dir, lockFileName); err != nil {
		return err
	}
	mode := os.O_RDONLY
	if forWriting {
		mode = os.O_RDWR
	}

	checksum := crc32.NewIEEE()
	for _, name := range l.names {
		if err := requireRegularFile(dir, name); err != nil {
			return err
		}

		// A file that was removed since the files were listed is skipped.
		file, err := os.OpenFile(filepath.Join(dir, name), mode, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return openError(dir, err)
		}

		if filepath.Ext(name) == tableExt {
			l.tableBytes += sumTable(checksum, file)
		}
		_ = file.Close()
	}
	l.tableSum = checksum.Sum32()
	return nil
}

// sumTable adds the name, the size, the time of change and the last bytes of a table to a
// checksum, and returns the size. Bytes that cannot be read are added as zeros.
func sumTable(checksum io.Writer, table *os.File) (size int64) {
	info, err := table.Stat()
	if err != nil {
		return 0
	}
	tail := make([]byte, min(summedTail, info.Size()))
	_, _ = table.ReadAt(tail, info.Size()-int64(len(tail)))
	fmt.Fprintf(checksum, "%s %d %d %x\n", info.Name(), info.Size(), info.ModTime().UnixNano(), tail)
	return info.Size()
}

// requireRegularFile fails with a [*DirError] if there is a file of that name and it is, for
// example, a directory, a pipe or a link without a target. Badger would wait forever for a pipe,
// and end the process over other kinds.
func requireRegularFile(dir, name string) error {
	// Stat follows a link. If its target is missing, Lstat returns the link itself.
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Lstat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return openError(dir, err)
	case !info.Mode().IsRegular():
		return cannotUseError(dir, "its "+name+" is not a regular file")
	}
	return nil
}

package persist

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/ristretto/v2/z"
)

// A database that is restored or rescued is built in a directory inside the one where it
// belongs, which is called partName. Once it is complete and on the disk, the directory is
// renamed to incomingName. From then on its files are moved up, by this process or by
// whoever locks the outer directory next.
//
// The files of the old database are moved first, into a directory oldFilesName inside
// the incoming one, which then moves up as a whole. So as long as that directory is
// inside the incoming one, the files of the outer directory are old.
const (
	incomingName = "ephemera-incoming"
	partName     = incomingName + ".part"
	oldFilesName = "rescue"
)

// lockForReplace locks a directory exclusively and lists its files, so that a database can
// be moved into it. If mayCreate is set, it creates a missing directory. lock.dir is the
// absolute path of dir. The caller has to release the lock, except after an error.
func lockForReplace(dir string, mayCreate bool) (files listing, lock *dirLock, err error) {
	absoluteDir, err := filepath.Abs(dir)
	if err != nil {
		return files, nil, dirError(dir, err)
	}
	const exclusive, forWriting = true, true
	lock, err = lockDir(absoluteDir, exclusive, mayCreate)
	if err != nil {
		return files, nil, err
	}
	files, err = prepareFiles(absoluteDir, forWriting)
	if err == nil {
		err = lock.sign() // so that others know whom they wait for
	}
	if err != nil {
		lock.release(removeCreated)
		return files, nil, err
	}
	return files, lock, nil
}

// replacement describes how to make a new database, and how it replaces an old one, if
// there is one.
type replacement struct {
	logs        []fs.DirEntry        // logs of the old database, which Badger reads
	fill        func(*builder) error // adds every other record
	check       func(*DB) error      // fails if the new database must not be used
	mustKeepOld bool                 // keep the files of the old database
}

// replaceDatabase builds a new database in a directory inside dir. If the new database is
// complete and opens without an error, it is moved into dir in place of the old one.
//
// oldFiles is the directory to which the old files were moved, or "" if plan does not keep
// them. After an error dir is as it was, with one exception: after [errMoveUnfinished], the
// next opening finishes the move.
func replaceDatabase(dir string, plan replacement) (oldFiles string, err error) {
	// Build the new database aside.
	part := filepath.Join(dir, partName)
	if err := os.Mkdir(part, 0o700); err != nil {
		return "", dirError(dir, err)
	}
	if err := plan.buildIncoming(dir, part); err != nil {
		return "", errors.Join(&buildError{part: part, err: err}, removePart(part))
	}

	// buildIncoming has decided that the new database replaces the old one. So an error from
	// here on does not undo the move: it only delays the rest.
	oldFiles, err = finishMove(dir)
	if err != nil {
		problem := "the new one is whole, but not all of its files could be moved in place (" +
			err.Error() + "); the next command that opens it finishes that"
		return oldFiles, &DirError{
			Dir:     dir,
			Problem: problem,
			Err:     errors.Join(errMoveUnfinished, err),
		}
	}
	return oldFiles, nil
}

// buildIncoming builds the new database in the directory part, verifies it and syncs it to
// the disk. Its last step renames part to incomingName. From that step on the new database
// replaces the one in dir, even if the process ends before the files are moved.
func (r replacement) buildIncoming(dir, part string) error {
	if err := r.buildDatabase(dir, part); err != nil {
		return err
	}
	if err := r.verify(part); err != nil {
		return err
	}

	// If this directory exists, finishMove keeps the old files and moves them into it.
	if r.mustKeepOld {
		if err := os.Mkdir(filepath.Join(part, oldFilesName), 0o700); err != nil {
			return err
		}
	}
	if err := syncDir(part); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(dir, incomingName))
}

// buildError is an error in building a database in the directory part. Its text names the
// directory around part, because part itself is removed before anybody reads the error.
type buildError struct {
	part string
	err  error
}

func (e *buildError) Error() string {
	return strings.ReplaceAll(e.err.Error(), e.part, filepath.Dir(e.part))
}

func (e *buildError) Unwrap() error { return e.err }

// errMoveUnfinished marks an error that came after the new database was complete, while its
// files were moved into place. The next opening finishes the move. After any other error
// the directory is as it was.
var errMoveUnfinished = errors.New("the new database is not in place yet")

// buildDatabase makes the new database in the directory part. It copies the logs of the
// old database in dir, whose records Badger reads when it opens them, and then calls
// r.fill, which adds every other record.
func (r replacement) buildDatabase(dir, part string) error {
	db := &DB{dir: part}
	if err := requireSpace(part, spaceForMemory); err != nil {
		return err
	}
	if err := db.create(); err != nil {
		return err
	}
	for _, log := range r.logs {
		if err := copyLog(filepath.Join(dir, log.Name()), filepath.Join(part, log.Name())); err != nil {
			return err
		}
	}

	// Commits need no sync here, because closing Badger puts every record into a table.
	newBadger, err := openBadger(badgerOptions(part).WithSyncWrites(false))
	if err != nil {
		return err
	}
	target := &builder{db: db, badger: newBadger, loader: newBadger.NewKVLoader(1)}
	err = r.fill(target)
	if err == nil {
		err = target.flush()
	}
	if err != nil {
		if !errors.Is(err, errLeft) {
			_ = inTime(newBadger.Close) // the first error matters more
		}
		return err
	}
	if err := tryToWrite(part, maxLogSize); err != nil {
		return err
	}
	return dirError(dir, inTime(newBadger.Close))
}

// copyLog copies a log with zeros in place of the id of an encryption key. This program
// never encrypts, so only a broken log has such an id. Of a log that is longer than any
// valid one, copyLog copies one byte more than the longest valid length, so that the copy
// is still recognised as too long.
func copyLog(fromPath, toPath string) error {
	return withMappedFile(fromPath, func(file *z.MmapFile) error {
		size := min(len(file.Data), maxLogSize+1)
		content := bytes.Clone(file.Data[:size])
		clear(content[:min(logKeyIDSize, size)])
		return os.WriteFile(toPath, content, 0o600)
	})
}

// verify opens the new database, calls r.check with it, and closes it. The opening reads
// every block of every table. verify returns the errors of all three steps.
func (r replacement) verify(part string) error {
	db := &DB{dir: part}
	if err := db.open(); err != nil {
		return err
	}
	return errors.Join(r.check(db), db.Close())
}

// builder adds records with their versions to a new database.
type builder struct {
	db     *DB // for its checks of the free space
	badger *badger.DB
	loader *badger.KVLoader // holds the records that are not written yet
	bytes  int              // at least what these records take in the loader
}

// With one more record of the longest key and value, batchBytes are less than a loader takes
// before it writes by itself. recordBytes is what a record takes beside its key and value.
const (
	batchBytes  = 200 << 10
	recordBytes = 200
)

// add adds one version of a record, or a deletion, which hides the older versions of its
// key. It fails with a [*SpaceError] if the disk is almost full, and otherwise with a
// [*DirError].
func (b *builder) add(record *pb.KV) error {
	size := len(record.Key) + len(record.Value)
	if err := b.db.reserveSpace(size); err != nil {
		return err
	}
	b.bytes += size + recordBytes
	err := b.loader.Set(record)
	if err != nil || b.bytes < batchBytes {
		return dirError(b.db.dir, err)
	}
	return b.flush()
}

// flush writes the records in the loader. Each write waits for the one before it, because
// Badger ends the process at a write after one that has failed.
func (b *builder) flush() error {
	err := inTime(b.loader.Finish)
	b.loader = b.badger.NewKVLoader(1)
	b.bytes = 0
	return dirError(b.db.dir, err)
}

// finishMove moves the files of a complete new database into dir, from the directory
// incomingName inside it. Before that, it moves the old files out of the way. If there is no
// new database, it moves nothing. In any case it removes the rest of an interrupted build.
//
// It can be repeated after an interruption at any point: as long as incomingName holds a
// directory for old files, the files in dir are old. dir must be locked exclusively.
//
// oldFiles is the directory to which it has moved the old files, or "" for none.
func finishMove(dir string) (oldFiles string, err error) {
	if err := removePart(filepath.Join(dir, partName)); err != nil {
		return "", err
	}
	incoming := filepath.Join(dir, incomingName)
	if !exists(incoming) {
		return "", nil
	}
	if err := syncDir(dir); err != nil { // incomingName must be on the disk before any move
		return "", err
	}

	// Move the old files into the directory for them, and then that directory into dir.
	if incomingOldFiles := filepath.Join(incoming, oldFilesName); exists(incomingOldFiles) {
		if err := moveFiles(dir, incomingOldFiles); err != nil {
			return "", err
		}
		oldFiles = unusedName(filepath.Join(dir, oldFilesName))
		err := errors.Join(os.Rename(incomingOldFiles, oldFiles), syncDir(dir), syncDir(incoming))
		if err != nil {
			return oldFiles, err
		}
	}

	// Move the new files into dir, which only the user may open, like that of any database.
	if err := moveFiles(incoming, dir); err != nil {
		return oldFiles, err
	}
	_ = os.Chmod(dir, 0o700)
	return oldFiles, errors.Join(os.Remove(incoming), syncDir(dir))
}

// unusedName returns path if nothing has that name, and otherwise the first of path-2,
// path-3 and so on that nothing has. It gives up after path-1000.
func unusedName(path string) string {
	name := path
	for number := 2; number <= 1000 && exists(name); number++ {
		name = fmt.Sprint(path, "-", number)
	}
	return name
}

// exists reports whether there is a file, a directory or a link of a name. A link exists
// even if its target does not. If the system does not say, exists returns true, so that
// what needs the file fails and is not left out.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// moveFiles moves the files of a database from one directory to another on the same disk,
// and syncs the entries of the second one. It leaves the lock file where it is.
func moveFiles(fromDir, toDir string) error {
	files, err := listFiles(fromDir)
	if err != nil {
		return err
	}
	for _, name := range files.names {
		if err := os.Rename(filepath.Join(fromDir, name), filepath.Join(toDir, name)); err != nil {
			return err
		}
	}
	return syncDir(toDir)
}

// removePart removes the directory in which a database was being built, if it exists. It
// fails if the directory holds anything other than the files of a database.
func removePart(part string) error {
	if !exists(part) {
		return nil
	}
	return errors.Join(
		removeDatabase(part),
		removeFiles(part, []string{oldFilesName}),
		os.Remove(part),
	)
}

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

// lockForReplace locks a directory exclusively and lists its files. If mayCreate is set, it
// creates a missing directory. lock.dir is the absolute path of dir. The caller has to release
// the lock, except after an error.
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

// replacement describes how a new database is made.
type replacement struct {
	logs        []fs.DirEntry        // logs of the old database, which Badger reads
	fill        func(*builder) error // adds every other record
	check       func(*DB) error      // fails if the new database must not be used
	mustKeepOld bool                 // keep the files of the old database
}

// replaceDatabase builds a new database in a directory inside dir. If it is complete and opens
// without an error, it is moved into dir in place of the old one.
//
// oldFiles is the directory to which the old files were moved, or "" if plan does not keep
// them. After an error dir is as it was, unless it is [errMoveUnfinished].
func replaceDatabase(dir string, plan replacement) (oldFiles string, err error) {
	part := filepath.Join(dir, partName)
	if err := os.Mkdir(part, 0o700); err != nil {
		return "", dirError(dir, err)
	}
	if err := plan.buildIncoming(dir, part); err != nil {
		return "", errors.Join(&buildError{part: part, err: err}, removePart(part))
	}

	// The new database counts now, so an error from here on only delays the rest of the move.
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

// buildIncoming builds the new database in the directory part, verifies it and syncs it. With its
// last step, which renames part to incomingName, the new database replaces the one in dir, even
// if the process ends before the files are moved.
func (r replacement) buildIncoming(dir, part string) error {
	if err := r.buildDatabase(dir, part); err != nil {
		return err
	}

	// The opening reads every block.
	db := &DB{dir: part}
	if err := db.open(); err != nil {
		return err
	}
	if err := errors.Join(r.check(db), db.Close()); err != nil {
		return err
	}

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

// buildError names the directory around part, which is removed before anybody reads the error.
type buildError struct {
	part string
	err  error
}

func (e *buildError) Error() string {
	return strings.ReplaceAll(e.err.Error(), e.part, filepath.Dir(e.part))
}

func (e *buildError) Unwrap() error { return e.err }

// errMoveUnfinished marks an error while the files of a complete database were moved into place.
// The next opening finishes the move.
var errMoveUnfinished = errors.New("the new database is not in place yet")

// buildDatabase makes the new database in the directory part.
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

// copyLog copies a log with zeros in place of the id of an encryption key, which only a broken
// log has. Of a log that is too long, it copies one byte too many, so that the copy is too.
func copyLog(fromPath, toPath string) error {
	return withMappedFile(fromPath, func(file *z.MmapFile) error {
		size := min(len(file.Data), maxLogSize+1)
		content := bytes.Clone(file.Data[:size])
		clear(content[:min(logKeyIDSize, size)])
		return os.WriteFile(toPath, content, 0o600)
	})
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
// key. It fails with a [*SpaceError] or a [*DirError].
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

// finishMove moves the old files out of the way and those of a complete new database into dir,
// if there is one, and removes the rest of an interrupted build. It can be repeated after an
// interruption at any point. dir must be locked exclusively.
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

	if err := moveFiles(incoming, dir); err != nil {
		return oldFiles, err
	}
	_ = os.Chmod(dir, 0o700)
	return oldFiles, errors.Join(os.Remove(incoming), syncDir(dir))
}

// unusedName returns the first of path, path-2, path-3 and so on that nothing has. It gives up
// after path-1000.
func unusedName(path string) string {
	name := path
	for number := 2; number <= 1000 && exists(name); number++ {
		name = fmt.Sprint(path, "-", number)
	}
	return name
}

// exists reports whether there is a file, a directory or a link of a name. If the system does
// not say, it returns true, so that what needs the file fails and is not left out.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// moveFiles moves the files of a database, without the lock file, to another directory on the
// same disk, whose entries it syncs.
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

// removePart removes the directory in which a database was being built, if there is one. It
// fails if it holds anything other than the files of a database.
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

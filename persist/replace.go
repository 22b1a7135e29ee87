package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
)

// A database that is restored or rescued is built in a directory inside the one where it
// belongs, which is called partName. Once it is complete and on the disk, the directory is
// renamed to incomingName: that one step decides. From then on its files are moved up,
// by this process or by whoever locks the outer directory next.
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
// be moved into it. If create is set it creates a missing directory. dir is the absolute
// path of name. The caller releases the lock; after an error there is none to release.
func lockForReplace(name string, create bool) (dir string, files listing, lock *dirLock, err error) {
	dir, err = filepath.Abs(name)
	if err != nil {
		return dir, files, nil, dirError(name, err)
	}
	lock, err = lockDir(dir, true, create)
	if err != nil {
		return dir, files, nil, err
	}
	files, err = prepareFiles(dir, true)
	if err == nil {
		// The lock file names this process, for others who wait.
		err = lock.sign()
	}
	if err != nil {
		lock.release(false)
	}
	return dir, files, lock, err
}

// replacement describes a new database that replaces another one, or nothing.
type replacement struct {
	logs    []fs.DirEntry        // logs of the old database, which Badger reads
	fill    func(*builder) error // adds every other record
	check   func(*DB) error      // returns an error for a database that must not be used
	keepOld bool                 // keep the files of the old database
}

// replaceDatabase builds a database in a directory inside dir, and moves it into place if it
// is complete and opens without an error. It returns the directory to which the old files
// were moved, or "" if r does not keep them. After an error dir is as it was, unless the
// error is [errMoveUnfinished]: then the next opening finishes the move.
func replaceDatabase(dir string, r replacement) (oldFiles string, err error) {
	// Build the new database aside.
	part := filepath.Join(dir, partName)
	if err := os.Mkdir(part, 0o700); err != nil {
		return "", dirError(dir, err)
	}
	if err := r.buildPart(dir, part); err != nil {
		return "", errors.Join(&buildError{part: part, err: err}, removePart(part))
	}

	// From here on it replaces the old one, whatever happens.
	oldFiles, err = finishMove(dir)
	if err != nil {
		err = &DirError{
			Dir:     dir,
			Problem: "the new one is whole, but not all of its files could be moved in place (" + err.Error() + "); the next command that opens it finishes that",
			Err:     errors.Join(errMoveUnfinished, err),
		}
	}
	return oldFiles, err
}

// buildPart builds the new database in the directory part, verifies it and syncs it to the
// disk. Its last step renames part to incomingName. From that step on the new database
// replaces the one in dir, even if the process ends before the files are moved.
func (r replacement) buildPart(dir, part string) error {
	if err := r.build(dir, part); err != nil {
		return err
	}
	if err := r.verify(part); err != nil {
		return err
	}

	// This directory says that the old files are to be kept, and takes them.
	if r.keepOld {
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

// build makes the new database in the directory part. It copies the logs of the old database
// in dir, whose records Badger reads when it opens them, and then calls r.fill, which adds
// every other record.
func (r replacement) build(dir, part string) error {
	d := &DB{dir: part}
	if err := d.checkSpace(); err != nil {
		return err
	}
	if err := d.create(); err != nil {
		return err
	}
	for _, log := range r.logs {
		if err := copyLog(filepath.Join(dir, log.Name()), filepath.Join(part, log.Name())); err != nil {
			return err
		}
	}

	// No commit has to be durable before the end, when every record is in a table.
	b, err := openBadger(options(part).WithSyncWrites(false))
	if err != nil {
		return err
	}
	const maxPendingBatches = 4
	to := &builder{db: d, loader: b.NewKVLoader(maxPendingBatches)}
	err = errors.Join(r.fill(to), to.loader.Finish())
	if closeErr := b.Close(); err == nil && closeErr != nil {
		err = dirError(dir, closeErr)
	}
	return err
}

// verify opens the new database, which reads every block of every table, calls r.check with
// it, and closes it. It returns the errors of all three.
func (r replacement) verify(part string) error {
	d := &DB{dir: part}
	if err := d.open(); err != nil {
		return err
	}
	return errors.Join(r.check(d), d.Close())
}

// builder adds records with their versions to a new database.
type builder struct {
	db     *DB // for its checks of the free space
	loader *badger.KVLoader
}

// add adds one version of a record; a deletion hides the older versions of its key. It
// fails with a [*SpaceError] if the disk is almost full, and with a [*DirError].
func (b *builder) add(record *pb.KV) error {
	if err := b.db.countWrite(len(record.Key) + len(record.Value)); err != nil {
		return err
	}
	return dirError(b.db.dir, b.loader.Set(record))
}

// finishMove moves the files of a new database that is complete from the directory
// incomingName inside dir into dir, after it has moved the old ones out of the way. It does
// nothing if there is no such directory. It also removes what is left of an interrupted
// build. It can be repeated after an interruption at any point: as long as incomingName
// holds a directory for old files, the files in dir are old.
//
// It returns the directory to which it has moved the old files, or "" if there were none.
// dir must be locked exclusively.
func finishMove(dir string) (oldFiles string, err error) {
	if err := removePart(filepath.Join(dir, partName)); err != nil {
		return "", err
	}
	incoming := filepath.Join(dir, incomingName)
	if !exists(incoming) {
		return "", nil
	}
	if err := syncDir(dir); err != nil { // the renaming comes before any move
		return "", err
	}

	// The old files move out of the way first.
	if old := filepath.Join(incoming, oldFilesName); exists(old) {
		if err := moveFiles(dir, old); err != nil {
			return "", err
		}
		oldFiles = unusedName(filepath.Join(dir, oldFilesName))
		if err := errors.Join(os.Rename(old, oldFiles), syncDir(dir), syncDir(incoming)); err != nil {
			return oldFiles, err
		}
	}

	// Then the new ones move in.
	if err := moveFiles(incoming, dir); err != nil {
		return oldFiles, err
	}
	_ = os.Chmod(dir, 0o700) // like a new database
	return oldFiles, errors.Join(os.Remove(incoming), syncDir(dir))
}

// unusedName returns path if nothing has that name, and otherwise the first of path-2, path-3
// and so on that nothing has.
func unusedName(path string) string {
	name := path
	for n := 2; exists(name); n++ {
		name = fmt.Sprint(path, "-", n)
	}
	return name
}

// exists reports whether there is a file, a directory or a link of a name. A link exists even
// if its target does not.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// moveFiles moves the files of a database, except for the lock file, from one directory to
// another on the same disk, and syncs the names in the second one.
func moveFiles(from, to string) error {
	files, err := listFiles(from)
	if err != nil {
		return err
	}
	for _, name := range files.all {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return syncDir(to)
}

// removePart removes the directory of a build, if it exists. It fails if the directory
// holds anything else than the files of a build.
func removePart(part string) error {
	if !exists(part) {
		return nil
	}
	return errors.Join(removeDatabase(part), removeFiles(part, []string{oldFilesName}), os.Remove(part))
}

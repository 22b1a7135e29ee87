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

// A database that is restored or rescued is built in a directory of its own
// inside the one where it belongs, under the name [incoming] with [partSuffix].
// When it is whole and on the disk it takes the name [incoming]: that is the one
// step that counts. From then on its files are moved up, by this process or by
// whoever next locks the directory. What stood there before is moved first, into
// a directory [keptDir] inside [incoming], which then moves up as a whole: as long
// as it is below, what is above is old.
const (
	incoming   = "ephemera-incoming"
	partSuffix = ".part"
	keptDir    = "rescue"
)

// lockForReplace locks a directory alone and lists its files, for a database that is to
// be put there.
func lockForReplace(name string) (dir string, f files, lock *dirLock, err error) {
	if dir, err = filepath.Abs(name); err != nil {
		return dir, f, nil, dirError(name, err)
	}
	if lock, err = lockDir(dir, true, true); err != nil {
		return dir, f, nil, err
	}
	if f, err = settle(dir, true); err != nil {
		lock.release(false)
	}
	return dir, f, lock, err
}

// newcomer is the database that is to be.
type newcomer struct {
	logs  []fs.DirEntry        // of the database of before, which Badger is to read
	fill  func(*builder) error // with everything else
	check func(*DB) error      // whether it is fit for use
	keep  bool                 // the files of before
}

// replace builds a database aside and moves it in place when it is whole and opens
// without a complaint. It gives the directory where the files of before are kept.
// After an error the directory is as it was, but for one that is [errUnmoved].
func replace(dir string, n newcomer) (kept string, err error) {
	part := filepath.Join(dir, incoming+partSuffix)
	if err := os.Mkdir(part, 0o700); err != nil {
		return "", dirError(dir, err)
	}
	if err = n.build(dir, part); err == nil {
		// As it would be found: every table is read.
		d := &DB{dir: part}
		if err = d.open(); err == nil {
			err = errors.Join(n.check(d), d.Close())
		}
	}
	if err == nil && n.keep {
		err = os.Mkdir(filepath.Join(part, keptDir), 0o700)
	}
	if err = errors.Join(err, syncDir(part)); err == nil {
		err = os.Rename(part, filepath.Join(dir, incoming))
	}
	if err != nil {
		return "", errors.Join(&buildError{part: part, err: err}, removePart(part))
	}
	if kept, err = finishMove(dir); err != nil {
		err = &DirError{Dir: dir, Err: errors.Join(errUnmoved, err),
			Problem: "the new one is whole, but not all of its files could be moved in place (" + err.Error() + "); the next command that opens it goes on with that"}
	}
	return kept, err
}

// buildError is an error about a directory that was removed after it. Its text names
// the directory above instead.
type buildError struct {
	part string
	err  error
}

func (e *buildError) Error() string {
	return strings.ReplaceAll(e.err.Error(), e.part, filepath.Dir(e.part))
}

func (e *buildError) Unwrap() error { return e.err }

// errUnmoved tells an error behind the step that counts from one before it, after
// which everything is as it was.
var errUnmoved = errors.New("the new database is not in place yet")

// build makes the database of its parts.
func (n newcomer) build(dir, part string) error {
	d := &DB{dir: part}
	if err := errors.Join(d.room(), d.create()); err != nil {
		return err
	}
	for _, e := range n.logs {
		text, err := readLog(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		clear(text[:min(logKeyID, len(text))]) // there is no encryption, whatever it says
		if err := os.WriteFile(filepath.Join(part, e.Name()), text, 0o600); err != nil {
			return err
		}
	}
	// Nothing counts before the end, when everything is in tables.
	b, err := openBadger(options(part).WithSyncWrites(false))
	if err != nil {
		return err
	}
	const pending = 4 // batches on their way
	in := &builder{db: d, loader: b.NewKVLoader(pending)}
	err = errors.Join(n.fill(in), in.loader.Finish())
	if closing := b.Close(); err == nil && closing != nil {
		err = dirError(dir, closing)
	}
	return err
}

// builder fills a new database with records and their versions.
type builder struct {
	db     *DB // for its look at the space
	loader *badger.KVLoader
}

// set adds one version of a record.
func (b *builder) set(e entry) error {
	if err := b.db.roomFor(len(e.key) + len(e.value)); err != nil {
		return err
	}
	record := &pb.KV{Key: e.key, Value: e.value, Version: e.version}
	if e.deleted {
		record.Meta = []byte{deleted}
	}
	if err := b.loader.Set(record); err != nil {
		return dirError(b.db.dir, err)
	}
	return nil
}

// finishMove does what is left of a move, and removes what was left of building. It
// gives the directory to which it has moved the files of before. The directory has
// to be locked alone.
func finishMove(dir string) (kept string, err error) {
	if err := removePart(filepath.Join(dir, incoming+partSuffix)); err != nil {
		return "", err
	}
	from := filepath.Join(dir, incoming)
	if !exists(from) {
		return "", nil
	}
	if err := syncDir(dir); err != nil { // that it is whole comes before any move
		return "", err
	}
	if below := filepath.Join(from, keptDir); exists(below) {
		if err := moveFiles(dir, below); err != nil {
			return "", err
		}
		kept = filepath.Join(dir, keptDir)
		for n := 2; exists(kept); n++ {
			kept = filepath.Join(dir, fmt.Sprint(keptDir, "-", n))
		}
		if err := errors.Join(os.Rename(below, kept), syncDir(dir), syncDir(from)); err != nil {
			return kept, err
		}
	}
	if err := moveFiles(from, dir); err != nil {
		return kept, err
	}
	_ = os.Chmod(dir, 0o700) // as a new database has it
	return kept, errors.Join(os.Remove(from), syncDir(dir))
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// moveFiles moves the files of a database, but for the lock.
func moveFiles(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); ownFile(name) && name != lockFile {
			if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
				return err
			}
		}
	}
	return syncDir(to)
}

// removePart removes what was built, by the names of its files, and nothing else.
func removePart(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, e := range entries {
		if name := e.Name(); ownFile(name) || name == keptDir {
			errs = append(errs, os.Remove(filepath.Join(dir, name)))
		}
	}
	return errors.Join(append(errs, os.Remove(dir))...)
}

package persist

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
)

// Restore makes a database of a backup in a directory that is missing or
// empty, or that holds a restore which was cut off. Until it is whole the
// directory is marked, and Open refuses it; after an error it is as it was.
// progress, which can be nil, is told from time to time how many bytes of
// records are in. It fails with a [*BackupError] for a file that is none or
// not whole, a [*SchemaError], a [*SpaceError], a [*LockedError], or a
// [*DirError].
func Restore(dir string, r io.Reader, progress func(bytes int64)) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return &DirError{Dir: dir, Problem: err.Error(), Err: err}
	}
	packed, err := gzip.NewReader(bufio.NewReaderSize(r, 64<<10))
	if err != nil || packed.Comment != backupForm {
		return &BackupError{Problem: "the file is not a backup of Ephemera", Err: err}
	}
	made, err := prepare(dir)
	if err != nil {
		return err
	}
	err = fillFrom(dir, packed, progress)
	if locked := (*LockedError)(nil); err == nil || errors.As(err, &locked) {
		return err // what lies there now belongs to whoever holds the lock
	}
	return errors.Join(err, clear(dir, made))
}

// prepare makes the directory and marks it; made tells that it was not there.
func prepare(dir string) (made bool, err error) {
	mark := filepath.Join(dir, restoringFile)
	if _, err := os.Stat(mark); err == nil {
		release, err := holdAlone(dir)
		if err != nil {
			return false, err
		}
		err = clear(dir, false)
		release()
		if err != nil {
			return false, err
		}
	}
	found, err := inspect(dir)
	if err != nil {
		return false, err
	}
	if found == database {
		return false, &DirError{Dir: dir, Problem: "it holds a database already; restore into an empty or a new directory"}
	}
	_, err = os.Stat(dir)
	made = errors.Is(err, fs.ErrNotExist)
	if err := create(dir); err != nil {
		return made, err
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return made, dirError(dir, err)
	}
	return made, syncDir(dir)
}

// fillFrom writes the records into the marked directory and takes the mark
// away.
func fillFrom(dir string, packed *gzip.Reader, progress func(int64)) error {
	d := &DB{dir: dir}
	// Nothing counts before the end, so nothing is synced before it.
	b, err := openBadger(options(dir).WithSyncWrites(false))
	if err != nil {
		return explain(dir, err)
	}
	err = d.load(b, packed, progress)
	if closing := b.Close(); err == nil && closing != nil {
		err = dirError(dir, closing)
	}
	if err != nil {
		return err
	}
	if err := d.sealNow(false); err != nil {
		return dirError(dir, err)
	}
	if err := os.Remove(filepath.Join(dir, restoringFile)); err != nil {
		return dirError(dir, err)
	}
	return syncDir(dir)
}

func (d *DB) load(b *badger.DB, packed *gzip.Reader, progress func(int64)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &BackupError{Problem: "it is damaged (" + firstWords(r) + ")"}
		}
	}()
	meter := meter{tell: progress}
	var looked int64
	in := &frames{r: bufio.NewReaderSize(packed, 64<<10), pass: func(n int) error {
		if meter.bytes += int64(n); meter.bytes-looked < lookEvery {
			return nil
		}
		d.tables.Add(meter.bytes - looked)
		looked = meter.bytes
		if progress != nil {
			progress(meter.bytes)
		}
		return d.room()
	}}
	if err := d.room(); err != nil {
		return err
	}
	const pending = 4 // batches on their way
	if err := b.Load(in, pending); err != nil {
		if full := (*SpaceError)(nil); errors.As(err, &full) {
			return full
		}
		return &BackupError{Problem: "it is cut short or damaged (" + firstWords(err) + ")", Err: err}
	}
	version, err := readSchema(b)
	switch {
	case err != nil:
		return dirError(d.dir, err)
	case version == 0:
		return &BackupError{Problem: "it holds no database of Ephemera"}
	case version > schema:
		return &SchemaError{Dir: "the backup", Found: version, Known: schema}
	}
	n, err := readCommits(b)
	d.commits.Store(n)
	if err != nil {
		return dirError(d.dir, err)
	}
	return nil
}

// clear empties a directory that was marked, and removes it if it was made.
func clear(dir string, made bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return dirError(dir, err)
	}
	var errs []error
	// The mark goes last: until then, what is left is known to be incomplete.
	for _, e := range entries {
		if e.Name() != restoringFile {
			errs = append(errs, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return dirError(dir, err)
	}
	err = os.Remove(filepath.Join(dir, restoringFile))
	if err == nil && made {
		err = os.Remove(dir)
	}
	if err != nil {
		return dirError(dir, err)
	}
	return nil
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return dirError(dir, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return dirError(dir, fmt.Errorf("its entries cannot be synced: %w", err))
	}
	return nil
}

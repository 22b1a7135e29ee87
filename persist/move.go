package persist

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// A database that is restored or rescued is built in a directory of its own
// inside the one where it belongs, under the name [incoming] with [partSuffix].
// When it is whole and on the disk it takes the name [incoming]: that is the one
// step that counts. From then on its files are moved up, by this process or by
// whoever next locks the directory. What stood there before is moved into the
// directory that [keptFile] names, first, and MANIFEST is the first to move up:
// as long as it is below, what is above is old.
const (
	incoming   = "ephemera-incoming"
	partSuffix = ".part"
	keptFile   = "KEPT"
)

// startMove makes the directory in which a database is built.
func startMove(dir string) (part string, err error) {
	part = filepath.Join(dir, incoming+partSuffix)
	if err := removeOwn(part); err != nil {
		return part, err
	}
	return part, os.Mkdir(part, 0o700)
}

// commitMove says that what was built is whole, and moves it in place. kept names a
// directory inside, which is there already, for what it replaces; empty
// where there is nothing.
func commitMove(dir, part, kept string) error {
	if kept != "" {
		if err := os.WriteFile(filepath.Join(part, keptFile), []byte(kept), 0o600); err != nil {
			return err
		}
	}
	if err := syncAll(part); err != nil {
		return err
	}
	if err := os.Rename(part, filepath.Join(dir, incoming)); err != nil {
		return err
	}
	if err := syncDir(dir); err != nil {
		return err
	}
	return finishMove(dir)
}

// finishMove does what is left of a move, and removes what was left of building.
// The directory has to be locked alone.
func finishMove(dir string) error {
	err := removeOwn(filepath.Join(dir, incoming+partSuffix))
	if _, missing := os.Stat(filepath.Join(dir, incoming)); err == nil && missing == nil {
		err = move(dir, filepath.Join(dir, incoming))
	}
	if err != nil {
		return dirError(dir, err)
	}
	return nil
}

func move(dir, from string) error {
	kept, err := os.ReadFile(filepath.Join(from, keptFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	manifest := badger.ManifestFilename
	if _, err := os.Stat(filepath.Join(from, manifest)); err == nil {
		if len(kept) > 0 {
			if err := moveFiles(dir, filepath.Join(dir, filepath.Base(string(kept)))); err != nil {
				return err
			}
		}
		if err := os.Rename(filepath.Join(from, manifest), filepath.Join(dir, manifest)); err != nil {
			return err
		}
		if err := syncDir(dir); err != nil {
			return err
		}
	}
	if err := moveFiles(from, dir); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(from, keptFile)); err != nil {
		return err
	}
	return errors.Join(os.Remove(from), syncDir(dir))
}

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

// removeOwn removes the files of a database by their names, and the directory
// if nothing else is in it; also that of a log in which a rescue reads.
func removeOwn(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, logCopy) && e.IsDir():
			errs = append(errs, removeOwn(filepath.Join(dir, name)))
		case ownFile(name) || name == keptFile:
			errs = append(errs, os.Remove(filepath.Join(dir, name)))
		}
	}
	return errors.Join(append(errs, os.Remove(dir))...)
}

// syncAll waits until the disk has every file of a directory.
func syncAll(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := syncFile(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return syncDir(dir)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

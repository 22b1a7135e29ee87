package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// dirLock is a lock on the directory of a database, held from before its files are listed
// until after the last write. Writing, restoring and rescuing take an exclusive lock;
// readers share one. The options of Badger keep it from taking the same lock.
type dirLock struct {
	dir         string
	exclusive   bool
	file        *os.File // carries the lock
	signed      bool     // the file LOCK holds the id of this process
	createdDirs []string // directories created for the lock, the innermost first
}

// lockAttempts is how often lockDir tries to lock a directory that other processes remove or
// replace at the same time.
const lockAttempts = 100

// lockDir locks a directory. If create is set, it creates a missing one for its user
// alone. It fails with a [*MissingError] if dir is missing, a [*LockedError] if another
// process holds a lock that excludes this one, and a [*DirError].
func lockDir(dir string, exclusive, create bool) (*dirLock, error) {
	for attempt := 1; ; attempt++ {
		lock := &dirLock{dir: dir, exclusive: exclusive}
		err := lock.acquire(create)
		if err == nil {
			return lock, nil
		}
		if lock.file != nil {
			unlock(lock.file)
		}

		var refused *DirError
		isMissing := errors.Is(err, fs.ErrNotExist)
		wasRemovedMeanwhile := create && isMissing

		// Another process may remove or replace the directory between the look and the
		// lock.
		mayRetry := wasRemovedMeanwhile || errors.Is(err, errReplaced)
		switch {
		case mayRetry && attempt < lockAttempts:
			continue
		case errors.As(err, &refused):
			return nil, err
		case errors.Is(err, errLocked):
			return nil, &LockedError{Dir: dir, PID: readLockFile(dir)}
		case isMissing:
			return nil, &MissingError{dir}
		}
		return nil, openError(dir, err)
	}
}

var (
	errLocked   = errors.New("it is locked")
	errReplaced = errors.New("it was replaced by another directory")
)

// acquire takes the lock. With create it first creates the directory if that is missing. It
// fails with errLocked if another lock excludes this one, and with errReplaced if somebody
// put another directory in the place of the one that was locked. Even after an error l.file
// may be open; the caller closes it.
func (l *dirLock) acquire(create bool) error {
	info, err := os.Stat(l.dir)
	switch {
	case err == nil && !info.IsDir():
		return &DirError{Dir: l.dir, Problem: "it is a file, and a database is a directory"}
	case create && errors.Is(err, fs.ErrNotExist):
		l.createdDirs = missingDirs(l.dir)
		if err := os.MkdirAll(l.dir, 0o700); err != nil {
			return err
		}
	}

	// Lock the directory, and see whether it is still the one that has the name.
	l.file, err = flock(l.dir, l.exclusive)
	if err != nil {
		return err
	}
	named, err := os.Stat(l.dir)
	if err != nil {
		return err
	}
	if locked, err := l.file.Stat(); err != nil || !sameDir(named, locked) {
		return errReplaced
	}
	return nil
}

// missingDirs lists dir and those of its parents that are missing, the innermost first: a/b/c
// and a/b if only a exists.
func missingDirs(dir string) (missing []string) {
	for !exists(dir) && dir != filepath.Dir(dir) {
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
	return missing
}

// sign writes the id of this process into the lock file, so that the errors of other
// processes can name it. Call it after prepareFiles, which refuses the directory of
// another program. On a full disk the lock stays unsigned. It fails with a [*DirError] if
// the user may not write to the directory.
func (l *dirLock) sign() error {
	err := signLock(filepath.Join(l.dir, lockFileName), fmt.Appendf(nil, "%d\n", os.Getpid()))
	if isNotWritable(err) {
		return openError(l.dir, err)
	}
	l.signed = true
	return nil
}

// release unlocks the directory. Unless keepDirs is set, it removes the directories that
// were created for the lock, as far as they are empty.
func (l *dirLock) release(keepDirs bool) {
	if l.signed {
		unsignLock(filepath.Join(l.dir, lockFileName))
	}
	if !keepDirs {
		_ = removeFiles("", l.createdDirs) // fails for a directory that is not empty
	}
	unlock(l.file)
}

// readLockFile returns the process id in the lock file, or 0 if there is none.
func readLockFile(dir string) int {
	if requireRegularFile(dir, lockFileName) != nil {
		return 0 // reading a pipe could block forever
	}
	text, err := os.ReadFile(filepath.Join(dir, lockFileName))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

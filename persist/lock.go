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

// dirLock is a lock on the directory of a database, which a process takes before it lists the
// files, and holds until after its last write. Only readers share a lock.
type dirLock struct {
	dir         string
	isExclusive bool     // no other process may hold a lock on the directory
	file        *os.File // the open file that carries the lock
	isSigned    bool     // the file LOCK holds the id of this process
	createdDirs []string // directories created for the lock, the innermost first
}

// Arguments of [lockDir] and [dirLock.release].
const (
	createMissing = true
	refuseMissing = false

	keepCreated   = true
	removeCreated = false
)

// lockAttempts is how often lockDir tries to lock a directory that others remove or replace.
const lockAttempts = 100

// lockDir locks a directory. If mayCreate is set, it creates a missing one, which only the user
// can open. It fails with a [*MissingError], a [*LockedError] or a [*DirError].
func lockDir(dir string, exclusive, mayCreate bool) (*dirLock, error) {
	for attempt := 1; ; attempt++ {
		lock := &dirLock{dir: dir, isExclusive: exclusive}
		err := lock.acquire(mayCreate)
		if err == nil {
			return lock, nil
		}
		if lock.file != nil {
			unlock(lock.file)
		}

		// Another process may have removed or replaced the directory after this one created
		// or found it, and before it was locked.
		wasRemovedMeanwhile := mayCreate && errors.Is(err, fs.ErrNotExist)
		mayRetry := wasRemovedMeanwhile || errors.Is(err, errReplaced)
		if !mayRetry || attempt == lockAttempts {
			return nil, lockError(dir, err)
		}
	}
}

func lockError(dir string, err error) error {
	switch {
	case errors.As(err, new(*DirError)):
		return err
	case errors.Is(err, errLocked):
		return &LockedError{Dir: dir, PID: readLockFile(dir)}
	case errors.Is(err, fs.ErrNotExist):
		return &MissingError{dir}
	}
	return openError(dir, err)
}

var (
	errLocked   = errors.New("it is locked")
	errReplaced = errors.New("it was replaced by another directory")
)

// acquire takes the lock, as lockDir does once. It fails with errLocked if another lock excludes
// this one, and with errReplaced if another directory was put in the place of the locked one.
// After an error l.file may be open, and the caller has to close it.
func (l *dirLock) acquire(mayCreate bool) error {
	info, err := os.Stat(l.dir)
	if err == nil && !info.IsDir() {
		return cannotUseError(l.dir, "it is a file, and a database is a directory")
	}
	if mayCreate && errors.Is(err, fs.ErrNotExist) {
		l.createdDirs = missingDirs(l.dir)
		if err := os.MkdirAll(l.dir, 0o700); err != nil {
			return err
		}
	}
	l.file, err = flock(l.dir, l.isExclusive)
	if err != nil {
		return err
	}
	return l.checkPlace()
}

// checkPlace fails if the locked directory no longer has its name: with errReplaced if another
// one has it.
func (l *dirLock) checkPlace() error {
	namedDir, err := os.Stat(l.dir)
	if err != nil {
		return err
	}
	lockedDir, err := l.file.Stat()
	if err != nil || !sameDir(namedDir, lockedDir) {
		return errReplaced
	}
	return nil
}

// missingDirs lists dir and its missing parents, the innermost first.
func missingDirs(dir string) (dirs []string) {
	for !exists(dir) && dir != filepath.Dir(dir) {
		dirs = append(dirs, dir)
		dir = filepath.Dir(dir)
	}
	return dirs
}

// sign writes the id of this process into the lock file, for the errors of other processes. Call
// it after prepareFiles, which refuses the directory of another program. sign fails with a
// [*DirError] if the user may not write to the directory, and ignores other errors, such as a full
// disk, because the lock works without the id.
func (l *dirLock) sign() error {
	pid := fmt.Appendf(nil, "%d\n", os.Getpid())
	err := signLock(filepath.Join(l.dir, lockFileName), pid)
	if isNotWritable(err) {
		return openError(l.dir, err)
	}
	l.isSigned = true
	return nil
}

// release unlocks the directory. Unless keepDirs is set, it removes the empty directories that
// were created for the lock.
func (l *dirLock) release(keepDirs bool) {
	if l.isSigned {
		unsignLock(filepath.Join(l.dir, lockFileName))
	}
	if !keepDirs {
		_ = removeFiles("", l.createdDirs) // fails for a directory that is not empty
	}
	unlock(l.file)
}

// readLockFile returns the process id in the lock file; 0 for none.
func readLockFile(dir string) int {
	// Reading a pipe could block forever.
	if requireRegularFile(dir, lockFileName) != nil {
		return 0
	}
	content, err := os.ReadFile(filepath.Join(dir, lockFileName))
	if err != nil {
		return 0
	}
	text := strings.TrimSpace(string(content))
	pid, _ := strconv.Atoi(text)
	return pid
}

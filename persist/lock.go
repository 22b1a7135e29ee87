package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dirLock is held by whoever uses a directory, from the first look at its files to
// the last write: by one alone to open it for writing, to restore or to rescue,
// or by several to read. Badger's own lock is the same one, and is left out.
type dirLock struct {
	dir   string
	alone bool
	held  *os.File
	made  []string // directories that were not there before, the innermost first
}

// lockDir locks a directory. It makes one that is missing, for its user alone, if
// it is locked alone, and signs with the pid for those who are refused, but for a
// reader, who is done soon. It fails with a [*LockedError] or a [*DirError].
func lockDir(dir string, alone, sign bool) (*dirLock, error) {
	for tries := 0; ; tries++ {
		l := &dirLock{dir: dir, alone: alone}
		err := l.lock(sign)
		if err == nil {
			return l, nil
		}
		if l.held != nil {
			unlock(l.held)
		}
		switch refused := (*DirError)(nil); {
		case errors.Is(err, errReplaced) || alone && errors.Is(err, fs.ErrNotExist) && tries < 100:
			continue // who had it before has removed the directory
		case errors.As(err, &refused):
			return nil, err
		case errors.Is(err, errLocked):
			return nil, &LockedError{Dir: dir, PID: holder(dir)}
		}
		return nil, unusable(dir, err)
	}
}

var (
	errLocked   = errors.New("it is locked")
	errReplaced = errors.New("another directory has its name by now")
)

func (l *dirLock) lock(sign bool) error {
	_, err := os.Stat(l.dir)
	if errors.Is(err, fs.ErrNotExist) && l.alone {
		l.made = missingDirs(l.dir)
		err = os.MkdirAll(l.dir, 0o700)
	}
	if err == nil && l.alone { // to lock writes into the directory
		if _, err = listFiles(l.dir); err == nil {
			err = regular(l.dir, lockFile)
		}
	}
	if err == nil {
		l.held, err = flock(l.dir, l.alone)
	}
	if err != nil {
		return err
	}
	now, err := os.Stat(l.dir)
	if err != nil {
		return err
	}
	if locked, err := l.held.Stat(); err != nil || !sameDir(now, locked) {
		return errReplaced
	}
	if l.alone && !sign {
		unsignLock(filepath.Join(l.dir, lockFile)) // of one that was killed
	}
	if sign {
		err = signLock(filepath.Join(l.dir, lockFile), fmt.Appendf(nil, "%d\n", os.Getpid()))
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return err
		}
	}
	return nil // on a full disk the lock holds without
}

// missingDirs lists dir and the directories around it that are not there.
func missingDirs(dir string) (missing []string) {
	for !exists(dir) && dir != filepath.Dir(dir) {
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
	return missing
}

// release lets others in. Directories that were made for nothing are removed if
// they are empty.
func (l *dirLock) release(keep bool) {
	if l.alone {
		unsignLock(filepath.Join(l.dir, lockFile))
	}
	if !keep {
		_ = removeAll("", l.made) // in which others may have put something
	}
	unlock(l.held)
}

// holder reads the pid from the lock file; 0 when there is none.
func holder(dir string) int {
	if regular(dir, lockFile) != nil {
		return 0 // to read it might wait for ever
	}
	text, err := os.ReadFile(filepath.Join(dir, lockFile))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

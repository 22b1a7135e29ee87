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
	made  bool // the directory was not there before
}

// lockDir locks a directory. It makes one that is missing, for its user alone, if
// it is locked alone. It fails with a [*LockedError] or a [*DirError].
func lockDir(dir string, alone bool) (*dirLock, error) {
	for tries := 0; ; tries++ {
		l := &dirLock{dir: dir, alone: alone}
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && alone:
			l.made = true
			err = os.MkdirAll(dir, 0o700)
		case err == nil && !info.IsDir():
			return nil, &DirError{Dir: dir, Problem: "it is a file, and a database is a directory"}
		}
		if err == nil && alone {
			err = mayLock(dir)
		}
		if err == nil {
			l.held, err = flock(dir, alone)
		}
		if alone && errors.Is(err, fs.ErrNotExist) && tries < 100 {
			continue // who had it before has removed the directory
		}
		if err != nil {
			return nil, lockError(dir, err)
		}
		if l.stillThere() {
			if err := l.sign(); err != nil {
				return nil, errors.Join(lockError(dir, err), l.held.Close())
			}
			return l, nil
		}
		_ = l.held.Close() // as above
	}
}

// mayLock fails where to lock would write into what is not a database's.
func mayLock(dir string) error {
	f, err := listFiles(dir)
	if err == nil {
		err = f.refuseForeign(dir)
	}
	if err == nil {
		err = regular(dir, lockFile)
	}
	return err
}

var errLocked = errors.New("it is locked")

func lockError(dir string, err error) error {
	switch refused := (*DirError)(nil); {
	case errors.As(err, &refused):
		return err
	case errors.Is(err, errLocked):
		return &LockedError{Dir: dir, PID: holder(dir)}
	}
	return unusable(dir, err)
}

// stillThere says whether what is locked is what now has the directory's name.
func (l *dirLock) stillThere() bool {
	now, err := os.Stat(l.dir)
	if err != nil {
		return false
	}
	locked, err := l.held.Stat()
	return err == nil && sameDir(now, locked)
}

// sign leaves the pid for those who are refused.
func (l *dirLock) sign() error {
	if !l.alone {
		return nil
	}
	err := signLock(filepath.Join(l.dir, lockFile), fmt.Appendf(nil, "%d\n", os.Getpid()))
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return err
	}
	return nil // on a full disk the lock holds without
}

// release lets others in. A directory that was made for nothing goes again, if it
// is empty.
func (l *dirLock) release(keep bool) {
	if l.alone {
		unsignLock(filepath.Join(l.dir, lockFile))
	}
	if l.made && !keep {
		_ = os.Remove(l.dir)
	}
	_ = l.held.Close()
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

// regular fails with a [*DirError] where something else than a file stands under
// a name in dir, and is content where there is nothing. Badger would wait for ever for a
// pipe, and end the process over some of the others.
func regular(dir, name string) error {
	info, err := os.Stat(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		if link, err := os.Lstat(filepath.Join(dir, name)); err == nil && link.Mode()&fs.ModeSymlink != 0 {
			return &DirError{Dir: dir, Problem: "its " + name + " is a link that leads nowhere, and should be a file"}
		}
		return nil
	}
	if err != nil {
		return unusable(dir, err)
	}
	if kind := kindOf(info.Mode()); kind != "" {
		return &DirError{Dir: dir, Problem: "its " + name + " is " + kind + ", and should be a file"}
	}
	return nil
}

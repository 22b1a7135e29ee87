//go:build unix && !aix && !solaris && !illumos

package persist

import (
	"errors"
	"os"
	"syscall"
)

// holdOff keeps writers out of a directory while its files are looked at: what
// another process is just writing would look broken. It fails with a
// [*LockedError].
func holdOff(dir string) (release func(), err error) {
	// The lock that Badger takes, but shared, so that readers are let in.
	return lock(dir, syscall.LOCK_SH)
}

// holdAlone keeps everybody out of a directory while its files are changed. It
// fails with a [*LockedError].
func holdAlone(dir string) (release func(), err error) { return lock(dir, syscall.LOCK_EX) }

func lock(dir string, how int) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, dirError(dir, err)
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close()
		return nil, &LockedError{Dir: dir, PID: holder(dir)}
	}
	// A file system without locks is Badger's to complain about.
	return func() { _ = f.Close() }, nil
}

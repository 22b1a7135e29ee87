//go:build unix && !aix && !solaris

package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// sharedReaders says whether several can read a closed database at once.
const sharedReaders = true

// flock locks a directory. It fails with [errLocked] where somebody else has it.
func flock(dir string, alone bool) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errLocked
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func sameDir(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// signLock makes the lock file anew, so that a link in its place is not followed.
func signLock(path string, text []byte) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func unsignLock(path string) { _ = os.Remove(path) }

// occupied gives the bytes that a file takes on the disk. Badger's logs are
// mostly holes, so their length would tell of megabytes that are not there.
func occupied(file fs.FileInfo) int64 {
	if stat, ok := file.Sys().(*syscall.Stat_t); ok {
		return int64(stat.Blocks) * 512 // the unit of st_blocks, whatever the disk's is
	}
	return file.Size()
}

// syncDir waits until the disk has the entries of a directory.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("its entries cannot be synced: %w", err)
	}
	return nil
}

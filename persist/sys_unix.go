//go:build linux || darwin || freebsd

package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// sharedReaders reports whether several processes can read a closed database at once.
const sharedReaders = true

// flock locks a directory and returns it open, as what carries the lock. It does not wait: if
// another process has a lock that excludes this one, it fails with [errLocked].
func flock(dir string, exclusive bool) (*os.File, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, err
	}

	mode := syscall.LOCK_SH
	if exclusive {
		mode = syscall.LOCK_EX
	}
	flockErr := syscall.Flock(int(file.Fd()), mode|syscall.LOCK_NB)
	if flockErr == nil {
		return file, nil
	}
	_ = file.Close()
	if errors.Is(flockErr, syscall.EWOULDBLOCK) {
		return nil, errLocked
	}
	return nil, flockErr
}

// unlock releases the lock and closes its file. Closing alone would not release it while
// a process that is being started has a copy of the descriptor.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	_ = file.Close()
}

func sameDir(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// signLock writes the lock file anew, so that a link in its place is not followed.
func signLock(path string, text []byte) error {
	_ = os.Remove(path)
	return os.WriteFile(path, text, 0o600)
}

// unsignLock removes the lock file. If it remains, the errors of other processes may name a
// process that has ended, and nothing else is wrong.
func unsignLock(path string) { _ = os.Remove(path) }

var umaskLock sync.Mutex // held while the umask of the process is changed

// createForUserAlone makes this process create files that no other user can read or write,
// until restore is called. Another call waits until then.
func createForUserAlone() (restore func()) {
	umaskLock.Lock()
	previousMask := syscall.Umask(0o077)
	return func() {
		syscall.Umask(previousMask)
		umaskLock.Unlock()
	}
}

// bytesOnDisk returns the bytes that a file takes on the disk. Badger's logs are mostly
// holes, so they take much less than their length.
func bytesOnDisk(file fs.FileInfo) int64 {
	if stat, ok := file.Sys().(*syscall.Stat_t); ok {
		return int64(stat.Blocks) * 512 // the unit of st_blocks, whatever the disk's is
	}
	return file.Size()
}

func syncDir(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("its entries cannot be synced: %w", err)
	}
	return nil
}

// freeSpaceOn returns how many bytes a user can still write on the disk of a directory, without
// regard to quotas. ok is false if the system does not say.
func freeSpaceOn(dir string) (bytes int64, ok bool) {
	var stats syscall.Statfs_t
	if err := syscall.Statfs(dir, &stats); err != nil {
		return 0, false
	}
	return int64(stats.Bavail) * int64(stats.Bsize), true
}

package persist

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// sharedReaders reports whether several processes can read a closed database at once.
// Badger cannot here.
const sharedReaders = false

// fileFlagDeleteOnClose is FILE_FLAG_DELETE_ON_CLOSE of the Windows API.
const fileFlagDeleteOnClose = 0x04000000

// flock locks a directory by a file in it that no other process can open meanwhile. It
// fails with [errLocked] if another process has it open.
func flock(dir string, _ bool) (*os.File, error) {
	path := filepath.Join(dir, lockFileName)
	widePath, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}

	// Without sharing, a second opening fails. The file goes when it is closed.
	handle, err := syscall.CreateFile(
		widePath, 0, 0, nil,
		syscall.OPEN_ALWAYS, fileFlagDeleteOnClose, 0)
	const sharingViolation = syscall.Errno(32)
	if errors.Is(err, sharingViolation) {
		return nil, errLocked
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

// unlock releases the lock by closing its file, which also removes it.
func unlock(f *os.File) { _ = f.Close() }

// sameDir reports true: a directory with an open file in it cannot be replaced.
func sameDir(fs.FileInfo, fs.FileInfo) bool { return true }

// signLock does nothing: the lock file cannot be opened a second time.
func signLock(string, []byte) error { return nil }

// unsignLock does nothing: the lock file is removed when it is closed.
func unsignLock(string) {}

// createForUserAlone does nothing: a file has the permissions of its directory.
func createForUserAlone() (restore func()) { return func() {} }

// bytesOnDisk returns the length of a file. What it takes on the disk is not known here.
func bytesOnDisk(file fs.FileInfo) int64 { return file.Size() }

// syncDir does nothing: a directory cannot be synced here.
func syncDir(string) error { return nil }

// freeSpaceOn returns ok = false: free space is not measured on Windows, so no write is
// refused for lack of it.
func freeSpaceOn(string) (bytes int64, ok bool) { return 0, false }

//go:build unix && !aix && !solaris

package command

import (
	"os"
	"syscall"
)

// lockTempFile locks a file, so that other processes see that this one still writes it. It
// fails at once if another process has locked the file.
func lockTempFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// removeIfUnlocked removes a temporary file that no process writes any more. A process that
// writes the file has locked it.
func removeIfUnlocked(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if lockTempFile(f) == nil {
		_ = os.Remove(path)
	}
}

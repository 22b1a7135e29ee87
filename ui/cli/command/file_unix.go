//go:build unix && !aix && !solaris

package command

import (
	"os"
	"syscall"
)

// holdFile tells others that the file is being written.
func holdFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// removeUnheld removes a file that nobody writes.
func removeUnheld(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if holdFile(f) == nil {
		_ = os.Remove(path)
	}
}

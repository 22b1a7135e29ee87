package persist

import (
	"os"
	"syscall"
)

// given says whether the disk can give a part of a file. It goes nowhere, which
// takes a third of the time of reading it.
func given(f *os.File, from, to int64) bool {
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	defer nowhere.Close()
	for from < to {
		n, err := syscall.Sendfile(int(nowhere.Fd()), int(f.Fd()), &from, int(to-from))
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return false
		}
	}
	return true
}

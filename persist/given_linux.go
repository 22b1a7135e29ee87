package persist

import (
	"os"
	"sync"
	"syscall"
)

// nowhere is opened once, as a start asks for the indexes of dozens of tables.
var nowhere = sync.OnceValues(func() (*os.File, error) { return os.OpenFile(os.DevNull, os.O_WRONLY, 0) })

// given says whether the disk can give a part of a file. It goes nowhere, which
// takes a third of the time of reading it.
func given(f *os.File, from, to int64) bool {
	null, err := nowhere()
	if err != nil {
		return false
	}
	for from < to {
		n, err := syscall.Sendfile(int(null.Fd()), int(f.Fd()), &from, int(to-from))
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return false
		}
	}
	return true
}

package persist

import (
	"errors"
	"os"
	"syscall"
)

// What lseek takes beside the three that every system has.
const (
	seekData = 3
	seekHole = 4
)

// usedUpTo gives where the last bytes of a file end that the disk keeps; behind
// them is a hole.
func usedUpTo(f *os.File, size int64) int64 {
	used := int64(0)
	for {
		at, err := f.Seek(used, seekData)
		if errors.Is(err, syscall.ENXIO) {
			return used // there is no more
		}
		if err != nil {
			return size
		}
		if used, err = f.Seek(at, seekHole); err != nil {
			return size
		}
	}
}

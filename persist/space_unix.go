//go:build linux || darwin || freebsd

package persist

import (
	"math"
	"syscall"
)

// freeOn tells how many bytes of the disk a user may still fill, and how many
// files it takes. A quota is not in it. ok is false where it cannot be told.
func freeOn(dir string) (free, files int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, 0, false
	}
	files = math.MaxInt64
	if s.Files > 0 { // some have no such limit
		files = int64(s.Ffree)
	}
	return int64(s.Bavail) * int64(s.Bsize), files, true
}

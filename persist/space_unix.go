//go:build linux || darwin || freebsd

package persist

import "syscall"

// freeBytes tells how much of the disk a user may still fill. A quota is not
// in it. ok is false where it cannot be told.
func freeBytes(dir string) (free int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}

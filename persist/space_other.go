//go:build !(linux || darwin || freebsd)

package persist

// freeOn cannot tell here.
func freeOn(string) (free, files int64, ok bool) { return 0, 0, false }

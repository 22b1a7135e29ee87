//go:build !(linux || darwin || freebsd)

package persist

// freeBytes cannot tell here.
func freeBytes(string) (free int64, ok bool) { return 0, false }

//go:build !linux

package persist

import "os"

// usedUpTo does not know of holes here.
func usedUpTo(_ *os.File, size int64) int64 { return size }

//go:build unix

package persist

import (
	"io/fs"
	"syscall"
)

// occupied gives the bytes that a file takes on the disk. Badger's logs are
// mostly holes, so their length would tell of megabytes that are not there.
func occupied(file fs.FileInfo) int64 {
	if stat, ok := file.Sys().(*syscall.Stat_t); ok {
		return int64(stat.Blocks) * 512 // the unit of st_blocks, whatever the disk's is
	}
	return file.Size()
}

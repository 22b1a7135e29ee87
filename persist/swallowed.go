package persist

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4/y"
	"github.com/klauspost/compress/s2"
)

// Badger reads a table block by block. Of a block that it cannot read it makes
// an error, and drops that error: a get says "not found", a walk goes on behind
// the table, and a compaction writes the rest and deletes the table for good.
// Nothing that Badger offers tells of it.
//
// All that it does with the error is to put its text into another one. So the
// two errors that a broken block begins with are replaced by ones that know
// when their text is asked for. It is asked for where the block is read, before
// the read goes on.

// brokenBlocks counts the blocks that Badger could not read, in any database of
// this process.
var brokenBlocks atomic.Uint64

// held is closed when the first compaction is held.
var (
	held     = make(chan struct{})
	heldOnce sync.Once
)

func init() {
	y.ErrChecksumMismatch = &brokenBlock{y.ErrChecksumMismatch}
	s2.ErrCorrupt = &brokenBlock{s2.ErrCorrupt}
}

// brokenBlock is an error that notes when its text is asked for.
type brokenBlock struct{ error }

func (b *brokenBlock) Error() string {
	brokenBlocks.Add(1)
	if compacts() {
		// What it writes would replace a table that is not in it. It is held
		// for good: until it ends it deletes nothing, and to be cut off by the
		// end of the process is what compactions are made for.
		heldOnce.Do(func() { close(held) })
		select {}
	}
	return b.error.Error()
}

// compacts says whether the caller is one of Badger's compactions.
func compacts() bool {
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls)])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, "levelsController).subcompact") {
			return true
		}
		if !more {
			return false
		}
	}
}

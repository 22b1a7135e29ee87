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

// All of that is for the whole process, and an error does not tell which
// database it is about: each one that is asked next looks at its own tables
// (see intact.go). What is read to find that out is counted too, which costs
// another database another look, and no more. The errors stay the same to
// errors.Is, and no database is open yet when they are replaced.
//
// It holds for Badger v4.9.6, which has no other way to tell. A version that no
// longer asks for the text fails the tests in rot_test.go: readers would be
// given less than there is, and a compaction would drop a table.

// brokenBlocks counts the blocks that Badger could not read, in any database of
// this process.
var brokenBlocks atomic.Uint64

// held are the compactions that are held, of any database of this process.
var held = holding{next: make(chan struct{})}

// holding counts what is held for good.
type holding struct {
	mu   sync.Mutex
	n    int
	next chan struct{} // closed when one more is held
}

func (h *holding) add() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n++
	close(h.next)
	h.next = make(chan struct{})
}

// so gives how many are held by now, and a channel that is closed when it is
// one more.
func (h *holding) so() (n int, next <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.n, h.next
}

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
		held.add()
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

package persist

import (
	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// options are Badger's settings for a desktop tool. Its defaults are a
// server's: hundreds of megabytes of memory, and no sync at a commit.
func options(dir string) badger.Options {
	return badger.DefaultOptions(dir).
		WithSyncWrites(true).
		WithMemTableSize(8 << 20).
		WithNumMemtables(2).
		WithBaseTableSize(8 << 20).
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(0).
		WithCompression(badgeroptions.Snappy). // a smaller file opens faster
		WithValueLogFileSize(16 << 20).
		WithValueThreshold(1 << 20). // above kv.MaxValue: every value lies beside its key
		WithNumCompactors(2).
		WithDetectConflicts(false). // there is one writer
		WithMetricsEnabled(false).
		WithLogger(nil) // it would write over the screen
}

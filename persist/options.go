package persist

import (
	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// memoryTable is how many bytes of records are collected in memory, and in a
// log, before they become a table. A start after a kill reads the log again,
// some 15 µs for each message. One transaction holds at most 15 % of it, which
// is enough for the longest value, the longest key and the longest message
// that a chain takes, each with its history.
const memoryTable = 3 << 20

// options are Badger's settings for a desktop tool. Its defaults are a
// server's: hundreds of megabytes of memory, and no sync at a commit.
func options(dir string) badger.Options {
	o := badger.DefaultOptions(dir).
		WithSyncWrites(true).
		WithMemTableSize(memoryTable).
		WithNumMemtables(2).
		WithBaseTableSize(4 << 20).
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(0).
		WithCompression(badgeroptions.Snappy).                   // a smaller file opens faster
		WithChecksumVerificationMode(badgeroptions.OnBlockRead). // the default believes every byte
		WithValueLogFileSize(1 << 20).                           // the least: it stays empty, and a start touches all of it
		WithValueThreshold(256 << 10).                           // above kv.MaxValue: every value lies beside its key
		WithNumCompactors(2).
		WithDetectConflicts(false). // there is one writer
		WithMetricsEnabled(false).
		WithLogger(nil) // it would write over the screen
	// Compaction holds up to a dozen buffers of twice a table's size, and keeps
	// them. Tables that grow from level to level take several hundred megabytes
	// in a large import, for which there is no need in a database of this size.
	o.TableSizeMultiplier = 1
	return o
}

package persist

import (
	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// BareOptions returns the options for benchmarks of bare Badger. It syncs every commit,
// and verifies no block, so that a benchmark shows what the verification costs.
func BareOptions(dir string) badger.Options {
	return badgerOptions(dir).WithChecksumVerificationMode(badgeroptions.NoVerification).WithSyncWrites(true)
}

// FullLog is the size in bytes at which a log becomes a table.
const FullLog = memoryTableSize

// OpenUnchecked opens a database for writing without an inspection of its files.
func OpenUnchecked(dir string) (*DB, error) { return openUninspected(&DB{dir: dir}, seal{}) }

// openUninspected locks and opens the database of d without an inspection of its files. It
// only compares the number of commits with that of the seal.
func openUninspected(d *DB, s seal) (*DB, error) {
	lock, err := lockDir(d.dir, !d.isShared, false)
	if err != nil {
		return nil, err
	}
	d.lock = lock
	files, err := prepareFiles(d.dir, !d.isShared)
	if err == nil {
		err = requireSpace(d.dir, spaceToStart+files.logBytes())
	}
	if err == nil {
		err = d.startBadger(inspection{seal: s})
	}
	if err != nil {
		lock.release(true)
		return nil, err
	}
	return d, nil
}

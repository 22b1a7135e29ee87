package persist

import (
	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// BareOptions are the options of Badger below a database, for measuring
// against it. Bare Badger believes its blocks, so what it costs not to shows. It
// syncs whatever the database does, so that a database that does not is too fast.
func BareOptions(dir string) badger.Options {
	return options(dir).WithChecksumVerificationMode(badgeroptions.NoVerification).WithSyncWrites(true)
}

// FullLog is the size of a log, in bytes, that becomes a table.
const FullLog = memoryTable

// OpenUnchecked opens a database for writing without a check of its tables.
func OpenUnchecked(dir string) (*DB, error) {
	lock, err := lockDir(dir, true, true)
	if err != nil {
		return nil, err
	}
	d := &DB{dir: dir, lock: lock}
	f, err := prepareFiles(dir, true)
	if err == nil {
		err = d.checkSpaceToOpen(f)
	}
	if err == nil {
		err = d.start(inspection{})
	}
	if err != nil {
		lock.release(true)
		return nil, err
	}
	return d, nil
}

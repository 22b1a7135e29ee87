package persist

import (
	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// BareOptions are the options of Badger below a database, for measuring
// against it. Bare Badger believes its blocks, so what it costs not to shows.
func BareOptions(dir string) badger.Options {
	return options(dir).WithChecksumVerificationMode(badgeroptions.NoVerification)
}

// FullLog is the size of a log, in bytes, that becomes a table.
const FullLog = memoryTable

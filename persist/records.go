package persist

import (
	"cmp"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// memoryTableSize is how many bytes of records are collected in memory, and in a log,
// before they become a table. After the process was killed, the next opening reads the
// log again, which takes some 15 µs for each message. One transaction can have at most 15
// % of memoryTableSize. That is enough for the longest value, the longest key and the
// longest message that a chain accepts, each with its history.
const memoryTableSize = 3 << 20

// badgerOptions returns Badger's settings for a desktop tool. Badger's defaults are those
// of a server: hundreds of megabytes of memory, and no sync to the disk at a commit.
func badgerOptions(dir string) badger.Options {
	return badger.DefaultOptions(dir).
		WithSyncWrites(true).
		WithMemTableSize(memoryTableSize).
		WithNumMemtables(2).
		WithBaseTableSize(4 << 20).
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(0).
		WithCompression(badgeroptions.Snappy).                   // a smaller file opens faster
		WithChecksumVerificationMode(badgeroptions.OnBlockRead). // the default checks nothing
		// The value log stays empty, since every value lies beside its key. An opening
		// touches all of it, so it has the least size.
		WithValueLogFileSize(1 << 20).
		WithValueThreshold(256 << 10). // above kv.MaxValue
		// See merge.go. Badger never compacts, and never waits for a compaction.
		WithNumCompactors(0).
		WithNumLevelZeroTables(math.MaxInt32 - 1).
		WithNumLevelZeroTablesStall(math.MaxInt32).
		WithDetectConflicts(false). // there is one writer
		WithMetricsEnabled(false).
		WithLogger(nil) // it would write over the screen
}

// currentSchema is the version of the form in which records are stored in Badger. It
// changes when a program that knows only the old version would misread the new one.
const currentSchema = 1

func encodeSchema() []byte { return strconv.AppendInt(nil, currentSchema, 10) }

// schemaKey is the key of the record with the schema version, in decimal: "1".
var schemaKey = []byte{ownRecords, 's', 'c', 'h', 'e', 'm', 'a'}

// commitsKey is the key of the record with the number of commits. Every transaction that
// writes also writes this record, so it shows how many commits the files hold. The seal, a
// file beside Badger's, shows how many they should hold.
var commitsKey = []byte{ownRecords, 'c', 'o', 'm', 'm', 'i', 't', 's'}

const commitsSize = 8 // bytes of an encoded number of commits

func encodeCommits(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// decodeCommits returns 0 for a value of another length, and for nil, a missing record.
func decodeCommits(value []byte) uint64 {
	if len(value) != commitsSize {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// checkOwnRecords reads the number of commits into d.commits and compares it with the number in
// the seal. It also compares the stored schema version with that of this program, and writes it
// into a new database. It fails with a [*DamagedError], a [*SchemaError] or a [*DirError].
func (d *DB) checkOwnRecords(sealedCommits uint64) error {
	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	commitsValue, _, countErr := readRecord(txn, commitsKey)
	schemaValue, _, versionErr := readRecord(txn, schemaKey)
	if err := cmp.Or(countErr, versionErr); err != nil {
		return dirError(d.dir, err)
	}

	d.commits = decodeCommits(commitsValue)
	storedSchema, _ := strconv.Atoi(string(schemaValue))
	switch {
	case d.commits < sealedCommits:
		// inspectFiles finds this if it reads the tables. Here it did not read them.
		return lostCommitsError(d.dir, sealedCommits, d.commits)
	case storedSchema > currentSchema:
		return &SchemaError{Dir: d.dir, FoundSchema: storedSchema}
	case storedSchema > 0:
		return nil
	case commitsValue != nil: // a new database gets its schema before its first commit
		return damagedError(d.dir, nil, "its schema version is lost")
	case d.badger.MaxVersion() > 0:
		return cannotUseError(d.dir, otherProgram)
	case d.isShared:
		return cannotUseError(d.dir,
			"its creation was cut off, and read-only use does not finish it")
	}

	// The database is new.
	err := d.badger.Update(func(txn *badger.Txn) error {
		return txn.Set(schemaKey, encodeSchema())
	})
	return dirError(d.dir, err)
}

// otherProgram is the problem of a directory whose Badger files lack this package's records.
const otherProgram = "it is a Badger database of another program"

package persist

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/dgraph-io/badger/v4"
)

// The package's own records lie under the first byte [ownRecords].

// schema is the version of how records lie in Badger. It changes when a
// program that knows only the old one would misread the new one.
const schema = 1

var schemaKey = []byte{ownRecords, 's', 'c', 'h', 'e', 'm', 'a'}

// commitsKey holds how many times this database was written to. It is written
// in the transaction of every write, so it tells how far the files lead; the
// seal tells how far they should.
var commitsKey = []byte{ownRecords, 'c', 'o', 'm', 'm', 'i', 't', 's'}

const commitsSize = 8

func encodeCommits(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// decodeCommits gives 0 for what is no count.
func decodeCommits(value []byte) uint64 {
	if len(value) != commitsSize {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// checkOwn holds an open database to its seal and to the schema that this program
// knows, and marks a new one. It fails with a [*DamagedError], a [*SchemaError] or a
// [*DirError].
func (d *DB) checkOwn(sealed uint64) error {
	refused := func(problem string, err error) error { return &DirError{Dir: d.dir, Problem: problem, Err: err} }
	var count, version []byte
	err := d.badger.View(func(txn *badger.Txn) (err error) {
		if count, _, err = getFrom(txn, commitsKey); err == nil {
			version, _, err = getFrom(txn, schemaKey)
		}
		return err
	})
	if err != nil {
		return dirError(d.dir, err)
	}
	d.commits.Store(decodeCommits(count))
	found, err := strconv.Atoi(string(version))
	switch {
	case d.commits.Load() < sealed:
		// The tables were not checked, and there was no log: Badger has cut nothing.
		return &DamagedError{Dir: d.dir, Problem: fmt.Sprintf(lostCommits, sealed, d.commits.Load())}
	case version != nil && (err != nil || found < 1):
		return refused("its schema version is not a number: "+strconv.Quote(string(version)), err)
	case found > schema:
		return &SchemaError{Dir: d.dir, Found: found, Known: schema}
	case found > 0:
		return nil
	case count != nil: // which is never written before the schema
		return &DamagedError{Dir: d.dir, Problem: "its schema version is lost"}
	case d.badger.MaxVersion() > 0:
		return refused(anothers, nil)
	case d.shared:
		return refused("its creation was cut off, and read-only use does not finish it", nil)
	}
	err = d.badger.Update(func(txn *badger.Txn) error {
		return txn.Set(schemaKey, strconv.AppendInt(nil, schema, 10))
	})
	if err != nil {
		return dirError(d.dir, err)
	}
	return nil
}

const anothers = "it is a Badger database of another program"

package persist

import (
	"encoding/binary"
	"errors"
	"math"
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

// readCommits gives 0 for a database that was never written to.
func readCommits(b *badger.DB) (n uint64, err error) {
	err = readOwn(b, commitsKey, func(v []byte) error {
		if len(v) != commitsSize {
			return errors.New("its count of commits cannot be read")
		}
		n = binary.BigEndian.Uint64(v)
		return nil
	})
	return n, err
}

// readSchema gives 0 for a database without a version.
func readSchema(b *badger.DB) (version int, err error) {
	err = readOwn(b, schemaKey, func(text []byte) (err error) {
		if version, err = strconv.Atoi(string(text)); err != nil || version < 1 {
			return errors.New("its schema version is not a number: " + strconv.Quote(string(text)))
		}
		return nil
	})
	return version, err
}

// readOwn hands one of this package's own records to read, where it is there.
func readOwn(b *badger.DB, key []byte, read func(value []byte) error) error {
	return b.View(func(txn *badger.Txn) error {
		item, err := txn.Get(key)
		if errors.Is(err, badger.ErrKeyNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return item.Value(read)
	})
}

// checkSchema holds an open database to the schema that this program knows, and
// marks a new one. It fails with a [*SchemaError] or a [*DirError].
func (d *DB) checkSchema() error {
	found, err := readSchema(d.badger)
	switch {
	case err != nil:
		return dirError(d.dir, err)
	case found > schema:
		return &SchemaError{Dir: d.dir, Found: found, Known: schema}
	case found > 0:
		return nil
	case d.badger.MaxVersion() > 0:
		return &DirError{Dir: d.dir, Problem: anothers}
	case d.shared:
		return &DirError{Dir: d.dir, Problem: "its creation was cut off, and read-only use does not finish it"}
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

// checkCommits holds an open database to its seal: what the files lead to must not
// be less, and what came out of logs must follow what is in tables without a gap,
// which a log that is missing leaves. tables is the version that the tables lead
// to. It fails with an [*OlderError] or a [*DamagedError].
func (d *DB) checkCommits(sealed uint64, logs int, tables uint64) error {
	n, err := readCommits(d.badger)
	if err != nil {
		return dirError(d.dir, err)
	}
	d.commits.Store(n)
	if n < sealed {
		return &OlderError{Dir: d.dir, Sealed: sealed, Found: n, Replayed: logs > 0}
	}
	if logs == 0 {
		return nil
	}
	first, before := uint64(math.MaxUint64), uint64(0) // counts: the oldest of the logs, the newest of the tables
	err = d.badger.View(func(txn *badger.Txn) error {
		o := badger.IteratorOptions{AllVersions: true}
		it := txn.NewKeyIterator(commitsKey, o)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() { // the newest comes first
			count := uint64(0)
			err := it.Item().Value(func(v []byte) error {
				if len(v) == commitsSize {
					count = binary.BigEndian.Uint64(v)
				}
				return nil
			})
			if err != nil {
				return err
			}
			if it.Item().Version() <= tables {
				before = count
				return nil
			}
			first = count
		}
		return nil
	})
	if err != nil {
		return dirError(d.dir, err)
	}
	if first != math.MaxUint64 && first > before+1 {
		return &DamagedError{Dir: d.dir, Replayed: true, Problem: "a log is missing: one begins with commit " +
			strconv.FormatUint(first, 10) + ", and the tables lead to commit " + strconv.FormatUint(before, 10)}
	}
	return nil
}

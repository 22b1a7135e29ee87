package persist

import (
	"encoding/binary"
	"errors"

	"github.com/dgraph-io/badger/v4"
)

// commitsKey holds how many times this database was written to. It is written
// in the transaction of every write, so the newest one that can be found tells
// how far the files lead; the seal tells how far they should.
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

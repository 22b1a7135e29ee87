package persist

import (
	"bytes"
	"errors"
	"iter"
	"runtime/debug"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// The first byte of a key in Badger. It separates this package's own records, such as the
// number of commits, from those of its callers.
const (
	ownRecords    = 0x00
	callerRecords = 0x01
)

// View calls fn with a reader of the database as it is now: later commits don't change what
// fn reads. It fails with [kv.ErrClosed], with a [*DamagedError] if a table was found
// broken, or with fn's error.
func (d *DB) View(fn func(kv.Reader) error) error {
	if err := d.beginUse(); err != nil {
		return err
	}
	defer d.endUse()
	defer panicOnFault()()

	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	return fn(reader{txn: txn, db: d})
}

// panicOnFault makes a memory fault in this goroutine a panic, which can be recovered, where
// Go would end the process. It lasts until the returned function is called. Badger maps
// tables into memory, so reading a block that the disk cannot read is such a fault.
func panicOnFault() (restore func()) {
	before := debug.SetPanicOnFault(true)
	return func() { debug.SetPanicOnFault(before) }
}

// reader is a read transaction of Badger as a [kv.Reader].
type reader struct {
	txn *badger.Txn
	db  *DB
}

// Get returns the value of a key; ok is false if there is no such record. A panic of Badger
// over a broken table becomes the [*DamagedError] of that table.
func (r reader) Get(key []byte) (value []byte, ok bool, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			value = nil
			ok = false
			err = r.db.damageBehind(panicked)
		}
	}()
	return getFrom(r.txn, callerKey(key))
}

// getFrom reads a record of Badger; ok is false if there is none.
func getFrom(txn *badger.Txn, key []byte) (value []byte, ok bool, err error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	value, err = item.ValueCopy(nil)
	return value, err == nil, err
}

// Scan returns the records whose keys are in a range, in the order of keys or in reverse. A
// nil End is the end of the caller's records. The yielded key and value are valid until
// the next step. An error, such as the [*DamagedError] of a broken table, is yielded last.
func (r reader) Scan(rng kv.Range) iter.Seq2[kv.Pair, error] {
	start := callerKey(rng.Start)
	end := []byte{callerRecords + 1} // after every key of a caller
	prefix := start[:1]
	if rng.End != nil {
		end = callerKey(rng.End)
		prefix = commonPrefix(start, end) // Badger skips tables that have no key with it
	}
	isPastRange := func(key []byte) bool {
		if rng.Reverse {
			return bytes.Compare(key, start) < 0
		}
		return bytes.Compare(key, end) >= 0
	}

	return func(yield func(kv.Pair, error) bool) {
		inBadger := true // false while yield runs: its panics are not about broken blocks
		defer func() {
			if !inBadger {
				return
			}
			if panicked := recover(); panicked != nil {
				yield(kv.Pair{}, r.db.damageBehind(panicked))
			}
		}()
		// Prefetching starts a goroutine for each value, which is slower than reading
		// values one by one: they lie beside their keys.
		it := r.txn.NewIterator(badger.IteratorOptions{Reverse: rng.Reverse, Prefix: prefix})
		defer it.Close()

		var pair kv.Pair
		setValue := func(value []byte) error { pair.Value = value; return nil }
		seekFirst(it, start, end, rng.Reverse)
		for ; it.Valid(); it.Next() {
			item := it.Item()
			key := item.Key()
			if isPastRange(key) {
				return
			}
			pair.Key = key[1:] // without callerRecords
			if !rng.KeysOnly {
				if err := item.Value(setValue); err != nil {
					yield(kv.Pair{}, err)
					return
				}
			}

			inBadger = false
			if !yield(pair, nil) {
				return
			}
			inBadger = true
		}
	}
}

// seekFirst moves an iterator to the first key of a scan from start (inclusive) to end
// (exclusive). A reverse scan begins with the last key before end: Badger's Seek finds end
// itself if it exists, which is skipped.
func seekFirst(it *badger.Iterator, start, end []byte, reverse bool) {
	if !reverse {
		it.Seek(start)
		return
	}
	it.Seek(end)
	if it.Valid() && bytes.Equal(it.Item().Key(), end) {
		it.Next()
	}
}

// callerKey returns the key in Badger for a key of a caller: the byte 0x01 and the key, in a
// new slice.
func callerKey(key []byte) []byte {
	prefixed := make([]byte, 1+len(key))
	prefixed[0] = callerRecords
	copy(prefixed[1:], key)
	return prefixed
}

// commonPrefix returns the longest common prefix of two keys.
func commonPrefix(a, b []byte) []byte {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

package persist

import (
	"bytes"
	"errors"
	"iter"
	"runtime/debug"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// The first byte of a key in Badger.
const (
	ownRecords    = 0x00 // records of this package
	callerRecords = 0x01
)

// View runs fn over a consistent snapshot. It fails with [kv.ErrClosed], with a
// [*DamagedError] when a table turns out to be broken, or with fn's error.
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

// panicOnFault turns faults of this goroutine into panics until the function that it
// returns is called. Tables are mapped, so a block that the disk cannot read is a fault.
func panicOnFault() (restore func()) {
	before := debug.SetPanicOnFault(true)
	return func() { debug.SetPanicOnFault(before) }
}

// reader is a read transaction of Badger as a [kv.Reader].
type reader struct {
	txn *badger.Txn
	db  *DB
}

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

func (r reader) Scan(rng kv.Range) iter.Seq2[kv.Pair, error] {
	start := callerKey(rng.Start)
	end := []byte{callerRecords + 1}
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
		inBadger := true // only Badger's panics report broken blocks
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
			pair.Key = key[1:]
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

// seekFirst moves an iterator to the first key of a scan. The end of the range is
// exclusive.
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

// callerKey returns, in a new slice, the key in Badger for a key of a caller.
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

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
	ownRecords  = 0x00
	portRecords = 0x01
)

// View runs fn over a consistent snapshot. It fails with [kv.ErrClosed], with a
// [*DamagedError] when a table turned out to be broken, or with fn's error.
func (d *DB) View(fn func(kv.Reader) error) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	// Tables are mapped: where the disk cannot give a block, a read is a fault,
	// and a fault is told like any other block that cannot be read.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	return fn(reader{txn, d})
}

// reader is a read transaction of Badger as a [kv.Reader].
type reader struct {
	txn *badger.Txn
	db  *DB
}

func (r reader) Get(key []byte) (value []byte, ok bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			value, ok, err = nil, false, r.db.broken(p)
		}
	}()
	return getFrom(r.txn, portKey(key))
}

// getFrom reads a record of Badger; ok is false when there is none.
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
	start, end := portKey(rng.Start), []byte{portRecords + 1}
	prefix := start[:1]
	if rng.End != nil {
		end = portKey(rng.End)
		// Badger leaves out the tables that have nothing under the prefix.
		prefix = common(start, end)
	}
	opt := badger.IteratorOptions{Reverse: rng.Reverse, Prefix: prefix}
	return func(yield func(kv.Pair, error) bool) {
		inBadger := true // whose panics are about broken blocks
		defer func() {
			if !inBadger {
				return
			}
			if p := recover(); p != nil {
				yield(kv.Pair{}, r.db.broken(p))
			}
		}()
		it := r.txn.NewIterator(opt)
		defer it.Close()
		var p kv.Pair
		// Values lie beside their keys, so to read them one by one is faster
		// than Badger's prefetching in a goroutine each.
		setValue := func(value []byte) error { p.Value = value; return nil }
		for seek(it, start, end, rng.Reverse); it.Valid(); it.Next() {
			item := it.Item()
			key := item.Key()
			if rng.Reverse && bytes.Compare(key, start) < 0 || !rng.Reverse && bytes.Compare(key, end) >= 0 {
				return
			}
			p.Key = key[1:]
			if !rng.KeysOnly {
				if err := item.Value(setValue); err != nil {
					yield(kv.Pair{}, err)
					return
				}
			}
			inBadger = false
			if !yield(p, nil) {
				return
			}
			inBadger = true
		}
	}
}

// seek goes to the first key of a walk.
func seek(it *badger.Iterator, start, end []byte, reverse bool) {
	if !reverse {
		it.Seek(start)
		return
	}
	it.Seek(end)
	if it.Valid() && bytes.Equal(it.Item().Key(), end) {
		it.Next() // the end of a range is exclusive, Badger's is not
	}
}

// portKey is where Badger keeps a key of the port. The slice is new.
func portKey(key []byte) []byte {
	k := make([]byte, 1+len(key))
	k[0] = portRecords
	copy(k[1:], key)
	return k
}

// common gives the longest common prefix.
func common(a, b []byte) []byte {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

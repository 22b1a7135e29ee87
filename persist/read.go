package persist

import (
	"bytes"
	"errors"
	"iter"
	"runtime/debug"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// The first byte of a key in Badger separates this package's own records, such as the
// number of commits, from those of its callers.
const (
	ownRecords    = 0x00
	callerRecords = 0x01
)

var callerPrefix = []byte{callerRecords} // before a caller's key in Badger

// View calls fn with a reader of the database as it is now. It fails with [kv.ErrClosed], with a
// [*DamagedError] if a table was found broken, or with the error of fn.
func (d *DB) View(fn func(kv.Reader) error) error {
	if err := d.beginUse(); err != nil {
		return err
	}
	defer d.endUse()
	defer panicOnFault()()

	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	return fn(d.callerReader(txn))
}

// panicOnFault makes every memory fault in this goroutine a panic, which can be recovered,
// until the returned function is called. Otherwise Go ends the process at a memory fault.
// Badger maps tables into memory, so a block that the disk cannot read causes such a fault.
func panicOnFault() (restore func()) {
	previousSetting := debug.SetPanicOnFault(true)
	return func() { debug.SetPanicOnFault(previousSetting) }
}

func (d *DB) callerReader(txn *badger.Txn) kv.Reader {
	return kv.PrefixedReader(reader{txn: txn, db: d}, callerPrefix)
}

// reader is a read transaction of Badger as a [kv.Reader] of all records.
type reader struct {
	txn *badger.Txn
	db  *DB
}

// Get returns the [*DamagedError] of a broken table, over which Badger panics.
func (r reader) Get(key []byte) (value []byte, ok bool, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = r.db.findDamage(panicked)
		}
	}()
	return readRecord(r.txn, key)
}

func readRecord(txn *badger.Txn, key []byte) (value []byte, ok bool, err error) {
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

// Scan yields the records in a range, which must have an end. It yields an error, such as the
// [*DamagedError] of a broken table, last.
func (r reader) Scan(bounds kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) { r.scan(bounds, yield) }
}

func (r reader) scan(bounds kv.Range, yield func(kv.Pair, error) bool) {
	isYielding := false // yield is running, so a panic is the caller's, and not about a broken block
	defer func() {
		if isYielding {
			return
		}
		if panicked := recover(); panicked != nil {
			yield(kv.Pair{}, r.db.findDamage(panicked))
		}
	}()

	// The iterator does not prefetch values. Prefetching starts a goroutine for each value,
	// and values can be read quickly, because they are stored beside their keys.
	iterator := r.txn.NewIterator(badger.IteratorOptions{
		Reverse: bounds.Reverse,
		Prefix:  commonPrefix(bounds.Start, bounds.End), // Badger skips tables without such keys
	})
	defer iterator.Close()

	var pair kv.Pair
	setValue := func(value []byte) error { // one function value for all records
		pair.Value = value
		return nil
	}
	for seekFirst(iterator, bounds); iterator.Valid(); iterator.Next() {
		item := iterator.Item()
		pair.Key = item.Key()
		isPastEnd := !bounds.Reverse && bytes.Compare(pair.Key, bounds.End) >= 0
		isPastStart := bounds.Reverse && bytes.Compare(pair.Key, bounds.Start) < 0
		if isPastEnd || isPastStart {
			return
		}
		if !bounds.KeysOnly {
			if err := item.Value(setValue); err != nil {
				yield(kv.Pair{}, err)
				return
			}
		}
		isYielding = true
		if !yield(pair, nil) {
			return
		}
		isYielding = false
	}
}

// seekFirst moves an iterator to the first key of a scan of bounds. Backwards, Badger's Seek stops
// at a record with the key bounds.End, which is not in the range.
func seekFirst(iterator *badger.Iterator, bounds kv.Range) {
	if !bounds.Reverse {
		iterator.Seek(bounds.Start)
		return
	}
	iterator.Seek(bounds.End)
	if iterator.Valid() && bytes.Equal(iterator.Item().Key(), bounds.End) {
		iterator.Next()
	}
}

func commonPrefix(a, b []byte) []byte {
	length := 0
	for length < len(a) && length < len(b) && a[length] == b[length] {
		length++
	}
	return a[:length]
}

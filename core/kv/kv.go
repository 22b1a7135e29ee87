// Package kv is the storage port: an ordered map of bytes to bytes, read and
// written in transactions.
//
// A contract on a CosmWasm chain sees exactly such a store, so the contract's rules are
// written once and run in memory, on a Badger database, or in a preview whose writes are
// dropped. The package must never know what the bytes mean (packages cw721 and chain do),
// nor where they are stored (package persist does). It holds:
//
//   - the port: [Reader], [Writer], [Txn], [DB];
//   - views of a store: [PrefixedTxn], [Overlay];
//   - typed records in the layout of cw-storage-plus, the Rust library with which contracts
//     store their data: [Item] and [Map];
//   - [Memory], a store in memory, empty or over another store that it only reads.
//
// The tests in package kvtest check every store.
package kv

import (
	"errors"
	"fmt"
	"iter"
)

// The limits of the CosmWasm virtual machine. Every store has them, so that whatever works in
// memory also works on disk and on a chain.
const (
	MaxKey   = 64_000    // bytes of one key
	MaxValue = 128 << 10 // bytes of one value
)

// CheckEntry fails with a [*LimitError] for a record over the limits. Every store calls it
// before it writes a record.
func CheckEntry(key, value []byte) error {
	if len(key) > MaxKey {
		return &LimitError{Kind: "key", Size: len(key), Max: MaxKey}
	}
	if len(value) > MaxValue {
		return &LimitError{Kind: "value", Size: len(value), Max: MaxValue}
	}
	return nil
}

// Pair is one record of a scan. Both slices are valid only until the scan yields the next
// record; clone them to keep them.
type Pair struct {
	Key   []byte
	Value []byte // nil in a scan of keys only
}

// Range selects records by key, in byte order.
type Range struct {
	Start    []byte // the first key in the range; nil means from the beginning
	End      []byte // the first key after the range; nil means to the end
	Reverse  bool   // the scan goes from the end to the start
	KeysOnly bool   // the scan reads no values, which is several times faster on disk
}

// Reader reads one consistent state of a store.
type Reader interface {
	// Get returns the value of a record, which is not nil even if it is empty, or nil and
	// false without such a record. The caller may keep the value, and the reader the key, so
	// neither must be changed.
	Get(key []byte) (value []byte, ok bool, err error)

	// Scan yields the records of r in key order, and an error last. Nothing may be written to
	// the store while a scan of it runs.
	Scan(r Range) iter.Seq2[Pair, error]
}

// Writer changes a store. It may keep the slices that it is passed, so the caller must
// not change them afterwards.
type Writer interface {
	// Set writes a record. It fails with a [*LimitError] if the key or the value is too long.
	Set(key, value []byte) error
	// Delete does nothing without such a record.
	Delete(key []byte) error
}

// Txn is a read-write transaction. Its reads see its own writes.
type Txn interface {
	Reader
	Writer
}

// DB is a store with transactions. There is one writer at a time; readers see the last
// committed state and never wait for a writer. After Close, every call fails with
// [ErrClosed]. The methods also return the errors of the storage behind them, such as a
// disk's.
type DB interface {
	// View runs fn over a consistent snapshot and returns fn's error.
	View(fn func(Reader) error) error

	// Update runs fn and then commits all its writes; a store on disk has them on disk
	// when Update returns. If fn fails, Update discards the writes and returns fn's
	// error. It fails with [ErrReadOnly] if the store was opened for reading, and with
	// an error that wraps [ErrTooBig] if fn wrote too much for one transaction.
	Update(fn func(Txn) error) error

	// Load runs fn, which may write any number of records, and commits them in several
	// batches. If fn fails or the process is killed, the batches written so far stay in the
	// store, so the caller marks the store as incomplete first. Load fails with fn's error,
	// and with [ErrReadOnly] if the store was opened for reading.
	Load(fn func(Writer) error) error

	// Close waits for the running writer. It also waits for running readers, or leaves
	// them their snapshots. A second call does nothing.
	Close() error
}

// Abandoner is a [DB] that can delete its own files, for a command that creates a
// database and fails before the database is of use.
type Abandoner interface {
	// Abandon makes Close delete the store's files if opening the store has created them, and
	// reports whether it has. If so, every later write fails with [ErrClosed].
	Abandon() bool
}

// ErrClosed is returned by every use of a store after its Close.
var ErrClosed = errors.New("the database is closed")

// ErrReadOnly is returned by a write to a store that was opened for reading.
var ErrReadOnly = errors.New("the database was opened read-only")

// LimitError reports data that is too large: a key or a value for a store, a message for
// a compiled contract, or all that such a contract writes in one transaction.
type LimitError struct {
	Kind string // "key", "value", "message" or "transaction"
	Size int    // bytes
	Max  int    // bytes
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s of %d bytes is over the limit of %d bytes", e.Kind, e.Size, e.Max)
}

// ErrTooBig is wrapped by the error of an Update that writes more than the store can
// commit in one transaction. None of its writes were committed.
var ErrTooBig = errors.New("too much for one transaction")

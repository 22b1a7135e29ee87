// Package kv is the storage port: an ordered map of bytes to bytes, read and
// written in transactions.
//
// Everything that Ephemera keeps goes through here. A contract in a CosmWasm
// chain sees exactly such a store, so the rules above it can be written once
// and run on memory, on Badger, or in a preview that leaves nothing.
//
// The package must never know what the bytes mean (that is cw721's and
// chain's), nor where they end up (that is persist's). It holds:
//
//   - the port: [Reader], [Writer], [Txn], [DB];
//   - views of a store: [Prefixed], [Overlay];
//   - typed records in the cw-storage-plus layout: [Item] and [Map];
//   - [Memory], a store without a disk, or over one that it only reads.
//
// Every store passes the suite in kvtest.
package kv

import (
	"errors"
	"fmt"
	"iter"
)

// Limits of the CosmWasm VM, held by every store so that what works in memory
// works on disk and on a chain.
const (
	MaxKey   = 64_000    // bytes of one key
	MaxValue = 128 << 10 // bytes of one value
)

// CheckEntry holds a write to [MaxKey] and [MaxValue]; every store calls it
// before it takes one. It fails with a [*LimitError].
func CheckEntry(key, value []byte) error {
	if len(key) > MaxKey {
		return &LimitError{What: "key", Size: len(key), Max: MaxKey}
	}
	if len(value) > MaxValue {
		return &LimitError{What: "value", Size: len(value), Max: MaxValue}
	}
	return nil
}

// Pair is one record met by a scan. Both slices belong to the store and hold
// only until the scan moves on: copy what leaves the loop.
type Pair struct {
	Key   []byte
	Value []byte // nil in a scan of keys only
}

// Range selects records by key, in byte order.
type Range struct {
	Start    []byte // first key, inclusive; nil: from the beginning
	End      []byte // first key past the range, exclusive; nil: to the end
	Reverse  bool   // walk from the end to the start
	KeysOnly bool   // leave Value nil, which is several times faster on disk
}

// Reader reads one consistent state of a store.
type Reader interface {
	// Get returns the value under key; ok is false when there is none. The
	// slice may be kept by the caller and must not be changed; neither may the
	// key, which a reader may keep as long as it is of use.
	Get(key []byte) (value []byte, ok bool, err error)

	// Scan walks the records of r in key order. An error ends the walk and
	// comes as the last element. Writing to the store while a scan of it runs
	// is not allowed.
	Scan(r Range) iter.Seq2[Pair, error]
}

// Writer changes a store. Neither slice may be reused by the caller after the
// call.
type Writer interface {
	// Set writes a record. It fails with a [*LimitError].
	Set(key, value []byte) error
	// Delete removes a record; there need not be one.
	Delete(key []byte) error
}

// Txn is a read-write transaction: it reads its own writes.
type Txn interface {
	Reader
	Writer
}

// DB is a store that hands out transactions. There is one writer at a time;
// readers see the last committed state and never wait for a writer. After Close
// all of it fails with [ErrClosed], and every store may fail in ways of its own.
type DB interface {
	// View runs fn over a consistent snapshot, and gives fn's error.
	View(fn func(Reader) error) error

	// Update runs fn and then commits all its writes, durably where the store
	// is durable. An error from fn discards every write and is returned. It
	// fails with [ErrReadOnly], and with one that wraps [ErrTooBig].
	Update(fn func(Txn) error) error

	// Load writes in bulk: in batches, in any number, and without the
	// promise that an error or a crash leaves nothing behind. The caller
	// marks the database as incomplete first (see chain's import). It fails with
	// fn's error, and with [ErrReadOnly].
	Load(fn func(Writer) error) error

	// Close waits for a writer at work. A reader at work is waited for, or keeps
	// what it reads. A second call does nothing.
	Close() error
}

// Abandoner is a [DB] that can remove itself.
type Abandoner interface {
	// Abandon makes Close remove a store that did not exist before it was opened, and
	// reports whether Close will. From then on every write fails with [ErrClosed].
	Abandon() bool
}

// ErrClosed is returned by every use of a store after its Close.
var ErrClosed = errors.New("the database is closed")

// ErrReadOnly is returned by a write to a store that was opened for reading.
var ErrReadOnly = errors.New("the database was opened read-only")

// LimitError says that a key or a value is larger than a store takes, or what a
// message of a compiled contract hands over to it.
type LimitError struct {
	What string // "key" or "value"; wasm says "transaction", chain "message"
	Size int    // bytes
	Max  int    // bytes
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s of %d bytes is over the limit of %d bytes", e.What, e.Size, e.Max)
}

// ErrTooBig is wrapped by the error of an Update that holds more than the
// store can commit at once. Nothing of it was written.
var ErrTooBig = errors.New("too much for one transaction")

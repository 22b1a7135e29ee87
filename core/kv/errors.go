package kv

import (
	"errors"
	"fmt"
)

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

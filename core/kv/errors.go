package kv

import "errors"

// ErrClosed is returned by every use of a store after its Close.
var ErrClosed = errors.New("the database is closed")

// ErrTooBig is wrapped by the error of an Update that holds more than the
// store can commit at once. Nothing of it was written.
var ErrTooBig = errors.New("too much for one transaction")

package chain

import (
	"bytes"

	"ephemera/core/kv"
)

// mutantRecords begins the keys of records that only a mutant of the contract writes: the
// keys of a [kv.Map] named "mutant".
var mutantRecords = []byte("\x00\x06mutant")

// mutantTxn is the contract's part of a transaction as a mutant sees it. A mutant is the
// contract with one deliberate mistake, and may keep records of its own for that. They are
// in another part of the transaction: they are undone with the message, but no view of the
// contract's records shows them.
type mutantTxn struct {
	kv.Txn        // of the contract's records
	own    kv.Txn // of the records that only the mutant has
}

// partOf returns the part of the transaction that has the record with a key: the mutant's
// own part, or the contract's.
func (t mutantTxn) partOf(key []byte) kv.Txn {
	if bytes.HasPrefix(key, mutantRecords) {
		return t.own
	}
	return t.Txn
}

// Get reads a record.
func (t mutantTxn) Get(key []byte) ([]byte, bool, error) { return t.partOf(key).Get(key) }

// Set writes a record.
func (t mutantTxn) Set(key, value []byte) error { return t.partOf(key).Set(key, value) }

// Delete deletes a record.
func (t mutantTxn) Delete(key []byte) error { return t.partOf(key).Delete(key) }

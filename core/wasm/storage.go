package wasm

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/kv"
)

// maxStorageBytes is how many bytes the contract may pass to the storage in one transaction.
// These are keys and values to write, keys to read, and the first and last keys of scans.
// There is a limit because the host keeps them in memory until the transaction ends.
const maxStorageBytes = 32 << 20

// readForStorage reads a key or a value that the contract passes to the storage, and adds
// its length to env.Held. It ends the call with a [*kv.LimitError] if the sum is above
// maxStorageBytes.
func (c *call) readForStorage(ptr, maxLength uint32) []byte {
	b := c.in.read(ptr, maxLength)
	*c.env.Held += len(b)
	if *c.env.Held > maxStorageBytes {
		stopOn(&kv.LimitError{What: "transaction", Size: *c.env.Held, Max: maxStorageBytes})
	}
	return b
}

// dbRead is the host function db_read. It returns the pointer to the value of the key at
// p[0], or 0 if there is no such record.
func (c *call) dbRead(p []uint32) uint32 {
	key := c.readForStorage(p[0], maxKey)
	value, ok, err := c.store.Get(key)
	stopOn(err)
	if !ok {
		return 0
	}
	return c.put(value)
}

// dbWrite is the host function db_write. It stores the value at p[1] under the key at p[0].
func (c *call) dbWrite(p []uint32) uint32 {
	store := c.writer()
	key := c.readToWrite(p[0], "Key", maxKey)
	value := c.readToWrite(p[1], "Value", maxValue)
	stopOn(store.Set(key, value))
	return 0
}

// dbRemove is the host function db_remove. It deletes the record with the key at p[0].
func (c *call) dbRemove(p []uint32) uint32 {
	stopOn(c.writer().Delete(c.readForStorage(p[0], maxKey)))
	return 0
}

// writer returns the store for a write. It closes the scan that is open in the store, because
// a store must not be written during a scan. In a query, where a contract must not write, it
// ends the call with a [*Refusal].
func (c *call) writer() kv.Writer {
	if c.writes == nil {
		refuse("Must not call a writing storage function in this context.")
	}
	c.closeScan()
	return c.writes
}

// readToWrite reads a key or a value that the contract wants to write. It ends the call with
// a [*Refusal] if that is longer than maxLength bytes. part is "Key" or "Value", as the text
// of the refusal calls it.
func (c *call) readToWrite(ptr uint32, part string, maxLength uint32) []byte {
	length := c.in.region(ptr).length
	if length > maxLength {
		refuse("Generic error: %s too big. Tried to write %d bytes to storage, limit is %d.", part, length, maxLength)
	}
	return c.readForStorage(ptr, maxLength)
}

// maxScans is how many scans a call may begin; wasmd has the same number.
const maxScans = 32768

// scan is a scan of the storage that a contract has begun.
//
// Contracts never end their scans, have several at once, and write between two steps of one.
// The store allows none of that. So at most one scan is open in the store, and none during a
// write. Each scan remembers which records remain, so that it can be opened again there.
type scan struct {
	remaining kv.Range // the records that the contract has not got yet
	done      bool     // there are no more records

	next func() (kv.Pair, error, bool) // reads a record from the store while the scan is open there
	stop func()                        // ends the scan in the store
}

// dbScan is the host function db_scan. It begins a scan and returns its id, which is 1 for
// the first scan. Its parameters are a pointer to the first key (0 for the beginning of the
// storage), a pointer to the first key after the range (0 for the end of the storage), and
// the order (1 for ascending keys, 2 for descending ones).
func (c *call) dbScan(p []uint32) uint32 {
	startPtr := p[0]
	endPtr := p[1]
	order := p[2]

	// Read the range. It may be empty.
	var s scan
	if startPtr != 0 {
		s.remaining.Start = c.readForStorage(startPtr, maxKey)
	}
	if endPtr != 0 {
		s.remaining.End = c.readForStorage(endPtr, maxKey)
		s.done = bytes.Compare(s.remaining.Start, s.remaining.End) >= 0
	}

	// Check the order.
	const ascending, descending = 1, 2
	if order != ascending && order != descending {
		refuseMemory("Got an invalid value for iteration order: %d", int32(order))
	}
	s.remaining.Reverse = order == descending

	// Number the scan.
	if len(c.scans) == maxScans {
		refuse("the contract has begun more than %d scans in one call", maxScans)
	}
	c.scans = append(c.scans, &s)
	return uint32(len(c.scans))
}

// dbNext is the host function db_next. It returns the pointer to the next record of the scan
// with the id p[0]: the key and its length, then the value and its length, in 4 bytes each.
// After the last record both are empty.
func (c *call) dbNext(p []uint32) uint32 {
	pair, _ := c.nextRecord(p[0])
	data := make([]byte, 0, len(pair.Key)+len(pair.Value)+8)
	data = append(data, pair.Key...)
	data = binary.BigEndian.AppendUint32(data, uint32(len(pair.Key)))
	data = append(data, pair.Value...)
	data = binary.BigEndian.AppendUint32(data, uint32(len(pair.Value)))
	return c.put(data)
}

// dbNextKey is the host function db_next_key. It returns the pointer to the key of the next
// record of the scan with the id p[0], or 0 after the last one.
func (c *call) dbNextKey(p []uint32) uint32 {
	pair, ok := c.nextRecord(p[0])
	if !ok {
		return 0
	}
	return c.put(pair.Key)
}

// dbNextValue is the host function db_next_value. It returns the pointer to the value of the
// next record of the scan with the id p[0], or 0 after the last one.
func (c *call) dbNextValue(p []uint32) uint32 {
	pair, ok := c.nextRecord(p[0])
	if !ok {
		return 0
	}
	return c.put(pair.Value)
}

// nextRecord returns the next record of the scan with an id. ok is false after the last
// record. It ends the call with a [*Refusal] for an unknown id.
//
// A contract may have many scans at once, but only one of them is open in the store. If this
// one is not open, nextRecord opens it for the records that remain.
func (c *call) nextRecord(id uint32) (pair kv.Pair, ok bool) {
	if id == 0 || int64(id) > int64(len(c.scans)) {
		refuse("Error calling into the VM's backend: Iterator with ID %d does not exist", id)
	}
	s := c.scans[id-1]
	if s.done {
		return pair, false
	}

	// Open the scan in place of another one.
	if s != c.openScan {
		c.closeScan()
		s.next, s.stop = iter.Pull2(c.store.Scan(s.remaining))
		c.openScan = s
	}

	pair, err, ok := s.next()
	stopOn(err)
	if !ok {
		s.done = true
		c.closeScan()
		return pair, false
	}

	// Remember which records remain, in case that another scan is opened next.
	if s.remaining.Reverse {
		s.remaining.End = bytes.Clone(pair.Key)
	} else {
		s.remaining.Start = append(bytes.Clone(pair.Key), 0) // the smallest key after pair.Key
	}
	return pair, true
}

// closeScan closes the scan that is open in the store, if there is one. nextRecord opens it
// again when the contract goes on with it.
func (c *call) closeScan() {
	if c.openScan != nil {
		c.openScan.stop()
		c.openScan = nil
	}
}

package wasm

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/kv"
)

// maxStorageBytes is how many bytes the contract may pass to the storage in one transaction, in
// keys and values. The host keeps them in memory until the transaction ends.
const maxStorageBytes = 32 << 20

// readAndCount reads a key or a value that the contract passes to the storage. It ends the call
// with a [*kv.LimitError] above maxStorageBytes.
func (c *call) readAndCount(ptr, maxLength uint32) []byte {
	data := c.instance.read(ptr, maxLength)
	*c.env.StorageBytes += len(data)
	if *c.env.StorageBytes > maxStorageBytes {
		stopOnError(&kv.LimitError{Kind: "transaction", Size: *c.env.StorageBytes, Max: maxStorageBytes})
	}
	return data
}

// dbRead is the host function db_read. It returns the pointer to the value of a key; 0 for none.
func (c *call) dbRead(params []uint32) uint32 {
	value, ok, err := c.store.Get(c.readAndCount(params[0], maxKey))
	stopOnError(err)
	if !ok {
		return 0
	}
	return c.put(value)
}

// dbWrite is the host function db_write.
func (c *call) dbWrite(params []uint32) uint32 {
	store := c.prepareWrite()
	key := c.readToWrite(params[0], "Key", maxKey)
	value := c.readToWrite(params[1], "Value", maxValue)
	stopOnError(store.Set(key, value))
	return 0
}

// dbRemove is the host function db_remove.
func (c *call) dbRemove(params []uint32) uint32 {
	store := c.prepareWrite()
	stopOnError(store.Delete(c.readAndCount(params[0], maxKey)))
	return 0
}

// prepareWrite returns the store for a write, and closes the scan that is open in the store. In a
// query, where a contract must not write, it ends the call with a [*Refusal].
func (c *call) prepareWrite() kv.Writer {
	if c.storeWriter == nil {
		refuse("Must not call a writing storage function in this context.")
	}
	c.closeScan()
	return c.storeWriter
}

// readToWrite reads a key or a value to write. It ends the call with a [*Refusal] if that is too
// long. part is "Key" or "Value", as the text of the refusal calls it.
func (c *call) readToWrite(ptr uint32, part string, maxLength uint32) []byte {
	length := c.instance.readRegion(ptr).length
	if length > maxLength {
		refuse(
			"Generic error: %s too big. Tried to write %d bytes to storage, limit is %d.",
			part,
			length,
			maxLength,
		)
	}
	return c.readAndCount(ptr, maxLength)
}

// maxScans is how many scans a call may begin; wasmd has the same number.
const maxScans = 32768

// scan is a scan of the storage that a contract has begun.
//
// Contracts never end their scans, have several at once, and write between two steps of
// one. The store allows none of that. So at most one scan is open in the store, and
// during a write none is. Each scan remembers which records remain, so that it can be
// opened again later.
type scan struct {
	remaining kv.Range // the records that the contract has not got yet
	isDone    bool     // there are no more records

	next func() (kv.Pair, error, bool) // reads a record from the store while the scan is open there
	stop func()                        // ends the scan in the store
}

// dbScan is the host function db_scan. It begins a scan and returns its id, from 1. Its parameters
// are pointers to the first key (0 for the beginning of the storage) and to the first key after
// the range (0 for the end), and the order.
func (c *call) dbScan(params []uint32) uint32 {
	startPtr := params[0]
	endPtr := params[1]
	order := params[2]

	// Read the range. It may be empty.
	var newScan scan
	if startPtr != 0 {
		newScan.remaining.Start = c.readAndCount(startPtr, maxKey)
	}
	if endPtr != 0 {
		newScan.remaining.End = c.readAndCount(endPtr, maxKey)
		newScan.isDone = bytes.Compare(newScan.remaining.Start, newScan.remaining.End) >= 0
	}

	const ascending, descending = 1, 2
	if order != ascending && order != descending {
		refuseMemory("Got an invalid value for iteration order: %d", int32(order))
	}
	newScan.remaining.Reverse = order == descending

	if len(c.scans) == maxScans {
		refuse("the contract has begun more than %d scans in one call", maxScans)
	}
	c.scans = append(c.scans, &newScan)
	return uint32(len(c.scans))
}

// dbNext is the host function db_next. It returns the pointer to the next record of a
// scan: the key and its length, then the value and its length. A length has 4 bytes.
// After the last record, key and value are empty.
func (c *call) dbNext(params []uint32) uint32 {
	pair, _ := c.nextRecord(params[0])
	encodedPair := bytes.Clone(pair.Key)
	encodedPair = binary.BigEndian.AppendUint32(encodedPair, uint32(len(pair.Key)))
	encodedPair = append(encodedPair, pair.Value...)
	encodedPair = binary.BigEndian.AppendUint32(encodedPair, uint32(len(pair.Value)))
	return c.put(encodedPair)
}

// dbNextKey is the host function db_next_key. It returns the pointer to the next key of a scan, or
// 0 after the last one.
func (c *call) dbNextKey(params []uint32) uint32 {
	pair, ok := c.nextRecord(params[0])
	if !ok {
		return 0
	}
	return c.put(pair.Key)
}

// dbNextValue is db_next_key for the value.
func (c *call) dbNextValue(params []uint32) uint32 {
	pair, ok := c.nextRecord(params[0])
	if !ok {
		return 0
	}
	return c.put(pair.Value)
}

// nextRecord returns the next record of a scan, which it opens in the store if it is not open. ok
// is false after the last record. It ends the call with a [*Refusal] for an unknown id.
func (c *call) nextRecord(scanID uint32) (pair kv.Pair, ok bool) {
	if scanID == 0 || int64(scanID) > int64(len(c.scans)) {
		refuse("Error calling into the VM's backend: Iterator with ID %d does not exist", scanID)
	}
	nextScan := c.scans[scanID-1]
	if nextScan.isDone {
		return pair, false
	}

	if nextScan != c.openScan {
		c.closeScan()
		nextScan.next, nextScan.stop = iter.Pull2(c.store.Scan(nextScan.remaining))
		c.openScan = nextScan
	}

	pair, err, ok := nextScan.next()
	stopOnError(err)
	if !ok {
		nextScan.isDone = true
		c.closeScan()
		return pair, false
	}

	// Another scan may be opened next.
	lastKey := bytes.Clone(pair.Key)
	if nextScan.remaining.Reverse {
		nextScan.remaining.End = lastKey
	} else {
		nextScan.remaining.Start = append(lastKey, 0) // the smallest key after lastKey
	}
	return pair, true
}

// closeScan closes the scan that is open in the store, if there is one.
func (c *call) closeScan() {
	if c.openScan != nil {
		c.openScan.stop()
		c.openScan = nil
	}
}

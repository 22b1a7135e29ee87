package wasm

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/kv"
)

// maxHeld is how many bytes a transaction may pass to the storage. The host holds them
// until the transaction ends: keys and values to write, keys that were read, and the
// bounds of scans.
const maxHeld = 32 << 20

// readHeld reads bytes that the contract passes to the storage, and counts them.
func (c *call) readHeld(ptr, maxLength uint32) []byte {
	b := c.in.read(ptr, maxLength)
	*c.env.Held += len(b)
	if *c.env.Held > maxHeld {
		stopOn(&kv.LimitError{What: "transaction", Size: *c.env.Held, Max: maxHeld})
	}
	return b
}

// dbRead passes the value of the key at p[0] to the contract. It returns 0 if there is
// none.
func (c *call) dbRead(p []uint32) uint32 {
	value, ok, err := c.store.Get(c.readHeld(p[0], maxKey))
	stopOn(err)
	if !ok {
		return 0
	}
	return c.put(value)
}

// dbWrite writes the key at p[0] and the value at p[1].
func (c *call) dbWrite(p []uint32) uint32 {
	store := c.writer()
	key := c.readToWrite(p[0], "Key", maxKey)
	value := c.readToWrite(p[1], "Value", maxValue)
	stopOn(store.Set(key, value))
	return 0
}

func (c *call) dbRemove(p []uint32) uint32 {
	stopOn(c.writer().Delete(c.readHeld(p[0], maxKey)))
	return 0
}

// writer returns the store for a write, and closes the open scan. It stops with a
// [*Refusal] in a query.
func (c *call) writer() kv.Writer {
	if c.writes == nil {
		refuse("Must not call a writing storage function in this context.")
	}
	c.closeScan()
	return c.writes
}

// readToWrite reads a key or a value to write. part is "Key" or "Value", for the VM's
// refusal of one that is too long.
func (c *call) readToWrite(ptr uint32, part string, maxLength uint32) []byte {
	if n := c.in.region(ptr).length; n > maxLength {
		refuse("Generic error: %s too big. Tried to write %d bytes to storage, limit is %d.", part, n, maxLength)
	}
	return c.readHeld(ptr, maxLength)
}

// maxScans is how many scans a call may begin; wasmd has the same number.
const maxScans = 32768

// scan is a scan of the storage that a contract has begun. Contracts do not end their
// scans, and write between two steps. So at most one scan is open in the store, none is
// open during a write, and each records where to continue.
type scan struct {
	remaining kv.Range // records that were not passed yet
	done      bool     // there are no more records
	// next and stop belong to the scan in the store, while it is open there.
	next func() (kv.Pair, error, bool)
	stop func()
}

// dbScan begins a scan and returns its id. The bounds are at p[0] and p[1], or 0 for none;
// p[2] is the order.
func (c *call) dbScan(p []uint32) uint32 {
	var s scan
	if p[0] != 0 {
		s.remaining.Start = c.readHeld(p[0], maxKey)
	}
	if p[1] != 0 {
		s.remaining.End = c.readHeld(p[1], maxKey)
		s.done = bytes.Compare(s.remaining.Start, s.remaining.End) >= 0
	}
	const ascending, descending = 1, 2
	order := p[2]
	if order != ascending && order != descending {
		refuseMemory("Got an invalid value for iteration order: %d", int32(order))
	}
	s.remaining.Reverse = order == descending
	if len(c.scans) == maxScans {
		refuse("the contract has begun more than %d scans in one call", maxScans)
	}
	c.scans = append(c.scans, &s)
	return uint32(len(c.scans))
}

// dbNext passes the next record of the scan p[0] to the contract: key and value, each
// followed by its length. After the last record both are empty.
func (c *call) dbNext(p []uint32) uint32 {
	pair, _ := c.nextRecord(p[0])
	data := make([]byte, 0, len(pair.Key)+len(pair.Value)+8)
	data = append(data, pair.Key...)
	data = binary.BigEndian.AppendUint32(data, uint32(len(pair.Key)))
	data = append(data, pair.Value...)
	data = binary.BigEndian.AppendUint32(data, uint32(len(pair.Value)))
	return c.put(data)
}

// dbNextKey passes the key of the next record of the scan p[0]. It returns 0 after the
// last one.
func (c *call) dbNextKey(p []uint32) uint32 {
	pair, ok := c.nextRecord(p[0])
	if !ok {
		return 0
	}
	return c.put(pair.Key)
}

// dbNextValue passes the value of the next record of the scan p[0]. It returns 0 after
// the last one.
func (c *call) dbNextValue(p []uint32) uint32 {
	pair, ok := c.nextRecord(p[0])
	if !ok {
		return 0
	}
	return c.put(pair.Value)
}

// nextRecord returns the next record of a scan; ok is false after the last one.
func (c *call) nextRecord(id uint32) (pair kv.Pair, ok bool) {
	if id == 0 || int64(id) > int64(len(c.scans)) {
		refuse("Error calling into the VM's backend: Iterator with ID %d does not exist", id)
	}
	s := c.scans[id-1]
	if s.done {
		return pair, false
	}
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
	if s.remaining.Reverse {
		s.remaining.End = bytes.Clone(pair.Key)
	} else {
		s.remaining.Start = append(bytes.Clone(pair.Key), 0) // the least key after it
	}
	return pair, true
}

// closeScan closes the scan that is open in the store, if there is one. Its next step
// opens it again.
func (c *call) closeScan() {
	if c.openScan != nil {
		c.openScan.stop()
		c.openScan = nil
	}
}

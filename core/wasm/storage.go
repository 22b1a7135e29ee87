package wasm

import (
	"bytes"
	"encoding/binary"
	"iter"

	"ephemera/core/kv"
)

// maxHeld is how many bytes a transaction may hand over to the storage. The host
// holds them until the transaction ends: keys and values to write, keys that were
// read, and the bounds of scans.
const maxHeld = 32 << 20

// hold reads what the contract hands over to the storage, and counts it.
func (c *call) hold(ptr, most uint32) []byte {
	b := c.in.read(ptr, most)
	*c.env.Held += len(b)
	if *c.env.Held > maxHeld {
		mustWork(&kv.LimitError{What: "transaction", Size: *c.env.Held, Max: maxHeld})
	}
	return b
}

// maxScans is how many scans a call may begin; wasmd has the same number.
const maxScans = 32768

// scan is a walk over the storage that a contract has begun. Contracts do not
// say when they are done with one, and write between two steps: so one scan at
// most is open in the store, never across a write, and each remembers where to
// go on.
type scan struct {
	rest kv.Range // what is still to be walked
	done bool
	next func() (kv.Pair, error, bool)
	stop func()
}

// step gives the next record; ok is false behind the last one.
func (c *call) step(id uint32) (p kv.Pair, ok bool) {
	if id == 0 || int64(id) > int64(len(c.scans)) {
		failf("Error calling into the VM's backend: Iterator with ID %d does not exist", id)
	}
	s := c.scans[id-1]
	if s.done {
		return p, false
	}
	if s != c.open {
		c.pause()
		s.next, s.stop = iter.Pull2(c.store.Scan(s.rest))
		c.open = s
	}
	p, err, ok := s.next()
	mustWork(err)
	if !ok {
		s.done = true
		c.pause()
		return p, false
	}
	if s.rest.Reverse {
		s.rest.End = bytes.Clone(p.Key)
	} else {
		s.rest.Start = append(append(make([]byte, 0, len(p.Key)+1), p.Key...), 0)
	}
	return p, true
}

// pause closes the scan that is open.
func (c *call) pause() {
	if c.open != nil {
		c.open.stop()
		c.open = nil
	}
}

func (c *call) dbRead(p []uint32) uint32 {
	value, ok, err := c.store.Get(c.hold(p[0], maxKey))
	mustWork(err)
	if !ok {
		return 0
	}
	return c.put(value)
}

// writer gives the store for a write.
func (c *call) writer() kv.Writer {
	if c.writes == nil {
		failf("Must not call a writing storage function in this context.")
	}
	c.pause()
	return c.writes
}

func (c *call) dbWrite(p []uint32) uint32 {
	w := c.writer()
	mustWork(w.Set(c.toWrite(p[0], "Key", maxKey), c.toWrite(p[1], "Value", maxValue)))
	return 0
}

// toWrite is read in the VM's words for what is too long to be stored.
func (c *call) toWrite(ptr uint32, what string, most uint32) []byte {
	if n := c.in.region(ptr).length; n > most {
		failf("Generic error: %s too big. Tried to write %d bytes to storage, limit is %d.", what, n, most)
	}
	return c.hold(ptr, most)
}

func (c *call) dbRemove(p []uint32) uint32 {
	mustWork(c.writer().Delete(c.hold(p[0], maxKey)))
	return 0
}

func (c *call) dbScan(p []uint32) uint32 {
	var s scan
	if p[0] != 0 {
		s.rest.Start = c.hold(p[0], maxKey)
	}
	if p[1] != 0 {
		s.rest.End = c.hold(p[1], maxKey)
		s.done = bytes.Compare(s.rest.Start, s.rest.End) >= 0
	}
	if s.rest.Reverse = p[2] == 2; p[2] != 1 && p[2] != 2 {
		broken("Got an invalid value for iteration order: %d", int32(p[2]))
	}
	if len(c.scans) == maxScans {
		failf("the contract has begun more than %d scans in one call", maxScans)
	}
	c.scans = append(c.scans, &s)
	return uint32(len(c.scans))
}

// dbNext hands over key and value, each with its length behind it. An empty key
// is the end.
func (c *call) dbNext(p []uint32) uint32 {
	pair, _ := c.step(p[0])
	data := make([]byte, 0, len(pair.Key)+len(pair.Value)+8)
	data = binary.BigEndian.AppendUint32(append(data, pair.Key...), uint32(len(pair.Key)))
	data = binary.BigEndian.AppendUint32(append(data, pair.Value...), uint32(len(pair.Value)))
	return c.put(data)
}

func (c *call) dbNextKey(p []uint32) uint32 {
	pair, ok := c.step(p[0])
	if !ok {
		return 0
	}
	return c.put(pair.Key)
}

func (c *call) dbNextValue(p []uint32) uint32 {
	pair, ok := c.step(p[0])
	if !ok {
		return 0
	}
	return c.put(pair.Value)
}

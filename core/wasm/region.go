package wasm

import (
	"encoding/binary"
	"math"
)

// Limits of the VM on what a contract hands over, in bytes.
const (
	maxKey       = 64 << 10
	maxValue     = 128 << 10
	maxHuman     = 256 // of an address's spelling
	maxCanonical = 64  // of an address
	maxRequest   = 64 << 10
	maxText      = 2 << 20 // of a debug or an abort message
	maxAnswer    = math.MaxUint32
)

// region is how contract and host point at bytes in the contract's memory: at
// twelve bytes, three little-endian numbers.
type region struct{ offset, capacity, length uint32 }

const regionSize = 12

func (in *instance) region(ptr uint32) region {
	b, ok := in.mod.Memory().Read(ptr, regionSize)
	if !ok {
		broken("The Wasm memory address %d provided by the contract could not be dereferenced: Could not dereference this pointer to a Region", ptr)
	}
	r := region{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
	switch {
	case r.offset == 0:
		broken("Got an invalid region: Got a zero Wasm address in the offset")
	case r.length > r.capacity:
		broken("Got an invalid region: Region length exceeds capacity. Length %d, capacity %d", r.length, r.capacity)
	case r.capacity > math.MaxUint32-r.offset:
		broken("Got an invalid region: Region exceeds address space. Offset %d, capacity %d", r.offset, r.capacity)
	}
	return r
}

// read copies the bytes of a region out of the contract's memory.
func (in *instance) read(ptr, most uint32) []byte {
	r := in.region(ptr)
	if r.length > most {
		broken("Region length too big. Got %d, limit %d", r.length, most)
	}
	view, ok := in.mod.Memory().Read(r.offset, r.length)
	if !ok {
		in.outside(r)
	}
	return append(make([]byte, 0, len(view)), view...)
}

// write puts data into a region that the contract has prepared.
func (in *instance) write(ptr uint32, data []byte) {
	r := in.region(ptr)
	if uint64(len(data)) > uint64(r.capacity) {
		broken("Region too small. Got %d, required %d", r.capacity, len(data))
	}
	memory := in.mod.Memory()
	if !memory.Write(r.offset, data) || !memory.WriteUint32Le(ptr+8, uint32(len(data))) {
		in.outside(r)
	}
}

func (in *instance) outside(r region) {
	broken("Tried to access memory of region %+v in Wasm memory of size %d bytes. This typically happens when the given Region pointer does not point to a proper Region struct.", r, in.mod.Memory().Size())
}

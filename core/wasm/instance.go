package wasm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// instance is a contract with its own memory. One call at a time uses it.
//
// A chain makes an instance for every call, so that nothing in its memory reaches the next
// call. Making one costs more than most calls, so here an instance is used again after it
// is restored to an image: the host overwrites its memory, and requires that its globals
// and the size of its memory, which the host cannot set, are those of the image. Contracts
// grow their memory in almost every call. So before the image is taken, the contract is
// asked for some memory in advance, and frees it.
type instance struct {
	mod    api.Module
	memory *memory

	functions  map[string]api.Function // each has a stack of its own, which is slow to make
	allocating bool                    // the contract's allocate is running
}

// image is the state of an instance that has not run a call yet.
type image struct {
	memory  []byte
	globals []uint64
}

// Sizes around an instance, which is a contract in memory that takes one call after another.
// Its image is a copy of its memory as it was before the first call.
const (
	advance  = 256 << 10 // bytes that a contract allocates before its image is taken
	maxImage = 8 << 20   // bytes of an image that is worth copying
	maxIdle  = 2         // instances kept for later calls
)

// memory is the linear memory of an instance.
type memory struct {
	bytes   []byte
	refused bool // the contract has asked for more than maxMemory
}

// Reallocate grows the memory. Above the limit it returns nil, which the contract sees as
// a failure. The bytes between length and capacity are zero: memory never shrinks.
func (m *memory) Reallocate(size uint64) []byte {
	switch {
	case size > maxMemory:
		m.refused = true
		return nil
	case size > uint64(cap(m.bytes)):
		// Room for twice the advance, after which most contracts need no more.
		capacity := min(maxMemory, max(size+2*advance, 2*uint64(len(m.bytes))))
		grown := make([]byte, size, capacity)
		copy(grown, m.bytes)
		m.bytes = grown
	default:
		m.bytes = m.bytes[:size]
	}
	return m.bytes
}

// Free leaves the bytes to the garbage collector.
func (m *memory) Free() {}

// takeInstance returns an instance in the state before any call: an idle one, whose memory it
// overwrites with the image, or a new one if none is idle. It fails as newInstance does.
func (c *Contract) takeInstance(ctx context.Context) (*instance, error) {
	select {
	case in := <-c.idle:
		copy(in.memory.bytes, c.image.memory)
		return in, nil
	default:
		return c.newInstance(ctx)
	}
}

// returnInstance keeps an instance for a later call, if its memory has the size of the image's
// and its globals have the image's values: these two cannot be restored. It closes any
// other instance, and one that is too many. The call must have returned normally.
func (c *Contract) returnInstance(in *instance) {
	hasSameSize := len(in.memory.bytes) == len(c.image.memory)
	if hasSameSize && slices.Equal(in.globals(), c.image.globals) {
		select {
		case c.idle <- in:
			return
		default: // enough are idle
		}
	}
	c.dropInstance(in)
}

// dropInstance closes an instance and keeps the bytes of its memory: clearing them costs
// less than allocating others.
func (c *Contract) dropInstance(in *instance) {
	if in.mod != nil {
		_ = in.mod.Close(context.Background())
	}
	if cap(in.memory.bytes) <= maxImage {
		c.spareMemory.Put(in.memory.bytes)
	}
}

// newInstance makes an instance, with cleared memory of a closed one if there is any. It
// fails with a [*ModuleError], or with a [*LimitError].
func (c *Contract) newInstance(ctx context.Context) (*instance, error) {
	spare, _ := c.spareMemory.Get().([]byte)
	clear(spare[:cap(spare)])
	in := &instance{memory: &memory{bytes: spare[:0]}, functions: map[string]api.Function{}}
	err := c.start(ctx, in)
	if err == nil {
		return in, nil
	}

	c.dropInstance(in)
	err = c.callError(in, err)
	if errors.As(err, new(*Refusal)) {
		err = moduleError("no instance of it can be made: %v", err)
	}
	return nil, err
}

// start loads the module into an instance that has only its memory. It makes the contract
// allocate and free the advance, so that the memory has room for most calls; see [instance].
func (c *Contract) start(ctx context.Context, in *instance) error {
	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return in.memory })
	ctx = context.WithValue(experimental.WithMemoryAllocator(ctx, allocator), callKey{}, nil)
	ctx, cancel := context.WithTimeout(ctx, c.TimeLimit)
	defer cancel()

	// Without a name there can be several, and start functions are those of WASI.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	mod, err := c.runtime.InstantiateModule(ctx, c.module, config)
	if err != nil {
		return err
	}
	in.mod = mod
	return catchStop(func() { in.free(ctx, in.allocate(ctx, advance)) })
}

// image copies the memory and the globals of the instance. If the memory is larger than
// maxImage, the image is empty: no instance equals it, so every call gets a new one.
func (in *instance) image() image {
	if len(in.memory.bytes) > maxImage {
		return image{}
	}
	return image{memory: bytes.Clone(in.memory.bytes), globals: in.globals()}
}

// globals returns the values of the instance's global variables.
func (in *instance) globals() []uint64 {
	mod := in.mod.(experimental.InternalModule)
	values := make([]uint64, mod.NumGlobal())
	for i := range values {
		values[i] = mod.Global(i).Get()
	}
	return values
}

// function returns an exported function whose parameters are so many pointers. It ends the
// call with a [*Refusal] if there is no such function.
func (in *instance) function(name string, params int) api.Function {
	if f, ok := in.functions[name]; ok {
		return f
	}
	f := in.mod.ExportedFunction(name)
	if f == nil {
		refuse("Error resolving Wasm function: the contract has no %s", name)
	}

	// Entry points take pointers, and return one or nothing.
	paramTypes := f.Definition().ParamTypes()
	resultTypes := f.Definition().ResultTypes()
	takesPointers := slices.Equal(paramTypes, slices.Repeat(i32, params))
	returnsPointer := len(resultTypes) == 0 || slices.Equal(resultTypes, i32)
	if !takesPointers || !returnsPointer {
		refuse("Error resolving Wasm function: %s does not take %d pointers and give one", name, params)
	}
	in.functions[name] = f
	return f
}

// call runs an exported function of the contract with pointers as parameters and returns its
// result, or 0 if it has none. If the function fails, call ends with [stopOn].
func (in *instance) call(ctx context.Context, name string, params ...uint32) uint32 {
	var stack [4]uint64 // parameters, and afterwards the result
	for i, p := range params {
		stack[i] = uint64(p)
	}
	stopOn(in.function(name, len(params)).CallWithStack(ctx, stack[:]))
	return uint32(stack[0])
}

// allocate calls the contract's function allocate, which reserves a region of n bytes in its
// memory, and returns the pointer to the region. It ends as call does if that fails.
func (in *instance) allocate(ctx context.Context, n int) (ptr uint32) {
	// A contract that reads its storage while it allocates would recurse forever.
	if in.allocating {
		refuse("Maximum call depth exceeded.")
	}
	in.allocating = true
	ptr = in.call(ctx, "allocate", uint32(n))
	in.allocating = false
	if ptr == 0 {
		refuseMemory("Got a zero Wasm address")
	}
	return ptr
}

// free calls the contract's function deallocate, which frees a region.
func (in *instance) free(ctx context.Context, ptr uint32) { in.call(ctx, "deallocate", ptr) }

// put copies bytes into a new region of the contract's memory and returns the pointer to it.
func (in *instance) put(ctx context.Context, data []byte) (ptr uint32) {
	ptr = in.allocate(ctx, len(data))
	in.write(ptr, data)
	return ptr
}

// Limits of the VM on what a contract passes to the host, in bytes.
const (
	maxKey       = 64 << 10
	maxValue     = 128 << 10
	maxHuman     = 256 // of an address's spelling
	maxCanonical = 64  // of an address
	maxRequest   = 64 << 10
	maxText      = 2 << 20 // of a debug or an abort message
	maxAnswer    = math.MaxUint32
)

// region describes bytes in the contract's memory. Contract and host pass each other the
// address of a region, which is three little-endian numbers there.
type region struct {
	offset   uint32 // where the bytes begin
	capacity uint32 // how many bytes are reserved
	length   uint32 // how many of them are in use
}

// The size of a region in memory, and where its length is in it.
const (
	regionSize     = 12
	regionLengthAt = 8
)

// region reads the three numbers of the region at a pointer. It ends the call with a
// [*Refusal] if they are not a valid region.
func (in *instance) region(ptr uint32) region {
	b, ok := in.mod.Memory().Read(ptr, regionSize)
	if !ok {
		refuseMemory("The Wasm memory address %d provided by the contract could not be dereferenced: Could not dereference this pointer to a Region", ptr)
	}

	// A region is three numbers of four bytes.
	r := region{
		offset:   binary.LittleEndian.Uint32(b),
		capacity: binary.LittleEndian.Uint32(b[4:]),
		length:   binary.LittleEndian.Uint32(b[regionLengthAt:]),
	}
	switch {
	case r.offset == 0:
		refuseMemory("Got an invalid region: Got a zero Wasm address in the offset")
	case r.length > r.capacity:
		refuseMemory("Got an invalid region: Region length exceeds capacity. Length %d, capacity %d", r.length, r.capacity)
	case r.capacity > math.MaxUint32-r.offset:
		refuseMemory("Got an invalid region: Region exceeds address space. Offset %d, capacity %d", r.offset, r.capacity)
	}
	return r
}

// read returns a copy of the bytes of the region at a pointer. It ends the call with a
// [*Refusal] if they are more than maxLength, or outside of the memory.
func (in *instance) read(ptr, maxLength uint32) []byte {
	r := in.region(ptr)
	if r.length > maxLength {
		refuseMemory("Region length too big. Got %d, limit %d", r.length, maxLength)
	}
	view, ok := in.mod.Memory().Read(r.offset, r.length)
	if !ok {
		in.refuseRegion(r)
	}
	return append(make([]byte, 0, len(view)), view...)
}

// write copies data into a region that the contract has reserved, and sets its length. It
// ends the call with a [*Refusal] if the region is too small or outside of the memory.
func (in *instance) write(ptr uint32, data []byte) {
	r := in.region(ptr)
	if uint64(len(data)) > uint64(r.capacity) {
		refuseMemory("Region too small. Got %d, required %d", r.capacity, len(data))
	}
	memory := in.mod.Memory()
	if !memory.Write(r.offset, data) || !memory.WriteUint32Le(ptr+regionLengthAt, uint32(len(data))) {
		in.refuseRegion(r)
	}
}

// refuseRegion ends the call with the VM's refusal of a region outside of the memory.
func (in *instance) refuseRegion(r region) {
	refuseMemory("Tried to access memory of region %+v in Wasm memory of size %d bytes. This typically happens when the given Region pointer does not point to a proper Region struct.", r, in.mod.Memory().Size())
}

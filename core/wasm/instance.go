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
// call. Making one costs more than most calls, so here an instance is used again. Before
// each call its memory is overwritten with an image, which is a copy of a fresh instance.
//
// The host cannot restore the instance's global variables and the size of its memory. If a
// call has changed them, the instance is not used again. Contracts grow their memory in
// almost every call. So before the image is taken, the contract must allocate some memory
// and free it, to have enough for most calls.
type instance struct {
	module api.Module // as it was loaded for this instance
	memory *memory

	functions    map[string]api.Function // exported functions by name; making one is slow
	isAllocating bool                    // the contract's function allocate is running
}

// image is the state of an instance that has not run a call yet. Of the memory of a contract,
// which is mostly its stack, nine tenths are zeros then. To clear all of it and to copy the rest
// takes less than half the time of copying it as a whole, and no more than finding out what a
// call has written, for which all of it must be read.
type image struct {
	size    int            // of the memory, in bytes
	pages   map[int][]byte // the pages of the memory that are not all zeros, by their offsets
	globals []uint64
}

// Limits for the use of instances, which are contracts in memory, and of their images, which
// are copies of their memory before the first call.
const (
	firstAllocation  = 128 << 10 // bytes that a contract allocates before its image is taken
	maxImageBytes    = 8 << 20   // larger images are not kept, because copying takes too long
	maxIdleInstances = 2         // instances kept for later calls
)

type memory struct {
	bytes       []byte
	isOverLimit bool // the contract has asked for more than maxMemory
}

// Reallocate grows the memory to a size in bytes. Above the limit it returns nil, which the
// contract sees as a failure.
func (m *memory) Reallocate(size uint64) []byte {
	if size > maxMemory {
		m.isOverLimit = true
		return nil
	}

	// Use the reserved bytes if they are enough. They are zero, because memory never shrinks.
	if size <= uint64(cap(m.bytes)) {
		m.bytes = m.bytes[:size]
		return m.bytes
	}

	// Otherwise reserve more than size, so that the memory is seldom copied. Most contracts
	// need no more than twice the first allocation.
	capacity := min(maxMemory, max(size+2*firstAllocation, 2*uint64(len(m.bytes))))
	grownBytes := make([]byte, size, capacity)
	copy(grownBytes, m.bytes)
	m.bytes = grownBytes
	return m.bytes
}

// Free leaves the bytes to the garbage collector.
func (m *memory) Free() {}

// takeInstance returns an instance that is as if it had not run a call yet: an idle one with the
// memory of the image, or a new one. It fails as newInstance does.
func (c *Contract) takeInstance(ctx context.Context) (*instance, error) {
	select {
	case idleInstance := <-c.idleInstances:
		clear(idleInstance.memory.bytes)
		for offset, page := range c.image.pages {
			copy(idleInstance.memory.bytes[offset:], page)
		}
		return idleInstance, nil
	default:
		return c.newInstance(ctx)
	}
}

// returnInstance takes an instance back after a call that returned normally. It keeps up to
// maxIdleInstances that the image can restore: their memory must have its size, and their global
// variables its values.
func (c *Contract) returnInstance(inst *instance) {
	isRestorable := len(inst.memory.bytes) == c.image.size && slices.Equal(inst.globals(), c.image.globals)
	if isRestorable {
		select {
		case c.idleInstances <- inst:
			return
		default: // enough instances are idle
		}
	}
	c.dropInstance(inst)
}

// dropInstance closes an instance. It keeps the bytes of its memory for another instance,
// because clearing them costs less than allocating new ones.
func (c *Contract) dropInstance(inst *instance) {
	if inst.module != nil {
		_ = inst.module.Close(context.Background())
	}
	if cap(inst.memory.bytes) <= maxImageBytes {
		c.spareMemories.Put(&inst.memory.bytes)
	}
}

// newInstance fails with a [*ModuleError] or a [*LimitError].
func (c *Contract) newInstance(ctx context.Context) (*instance, error) {
	var spareBytes []byte
	if spare, ok := c.spareMemories.Get().(*[]byte); ok {
		spareBytes = *spare
	}
	clear(spareBytes[:cap(spareBytes)])
	inst := &instance{
		memory:    &memory{bytes: spareBytes[:0]},
		functions: map[string]api.Function{},
	}
	loadErr := c.loadModule(ctx, inst)
	if loadErr == nil {
		return inst, nil
	}

	c.dropInstance(inst)
	err := c.callError(inst, loadErr)
	if errors.As(err, new(*Refusal)) {
		return nil, moduleError("no instance of it can be made: %v", err)
	}
	return nil, err
}

// loadModule loads the module into an instance that has only its memory so far, and makes the
// contract allocate and free some memory; see [instance].
func (c *Contract) loadModule(ctx context.Context, inst *instance) error {
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(
		func(_, _ uint64) experimental.LinearMemory { return inst.memory }))
	ctx = context.WithValue(ctx, callKey{}, nil)
	ctx, cancel := context.WithTimeout(ctx, c.TimeLimit)
	defer cancel()

	// A module without a name can be loaded several times. The start functions that wazero
	// would run are those of WASI, which contracts do not have.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	loadedModule, err := c.runtime.InstantiateModule(ctx, c.module, config)
	if err != nil {
		return err
	}
	inst.module = loadedModule
	return catchStop(func() {
		ptr := inst.allocate(ctx, firstAllocation)
		inst.free(ctx, ptr)
	})
}

// takeImage returns the state of the instance. If the memory is larger than maxImageBytes, it
// returns an empty image, to which no instance can be restored, so every call gets a new one.
func (inst *instance) takeImage() image {
	memory := inst.memory.bytes
	if len(memory) > maxImageBytes {
		return image{}
	}

	taken := image{size: len(memory), pages: map[int][]byte{}, globals: inst.globals()}
	const pageBytes = 4 << 10
	noBytes := make([]byte, pageBytes)
	for offset := 0; offset < len(memory); offset += pageBytes {
		page := memory[offset : offset+pageBytes]
		if !bytes.Equal(page, noBytes) {
			taken.pages[offset] = bytes.Clone(page)
		}
	}
	return taken
}

func (inst *instance) globals() []uint64 {
	internalModule := inst.module.(experimental.InternalModule)
	values := make([]uint64, internalModule.NumGlobal())
	for i := range values {
		values[i] = internalModule.Global(i).Get()
	}
	return values
}

// findFunction ends the call with a [*Refusal] if no function of that name takes paramCount
// pointers.
func (inst *instance) findFunction(name string, paramCount int) api.Function {
	if function, ok := inst.functions[name]; ok {
		return function
	}
	function := inst.module.ExportedFunction(name)
	if function == nil {
		refuse("Error resolving Wasm function: the contract has no %s", name)
	}

	// Entry points take pointers, and return one or nothing.
	resultTypes := function.Definition().ResultTypes()
	takesPointers := slices.Equal(function.Definition().ParamTypes(), slices.Repeat(i32, paramCount))
	returnsPointer := len(resultTypes) == 0 || slices.Equal(resultTypes, i32)
	if !takesPointers || !returnsPointer {
		refuse(
			"Error resolving Wasm function: %s does not take %d pointers and give one",
			name,
			paramCount,
		)
	}
	inst.functions[name] = function
	return function
}

// callFunction runs an exported function of the contract. The result of a function without one
// has no meaning. If the function fails, callFunction panics; see [stopOnError].
func (inst *instance) callFunction(ctx context.Context, name string, params ...uint32) uint32 {
	var stack [4]uint64 // the parameters before the call, the result after it
	for i, p := range params {
		stack[i] = uint64(p)
	}
	function := inst.findFunction(name, len(params))
	stopOnError(function.CallWithStack(ctx, stack[:]))
	return uint32(stack[0])
}

// allocate calls the contract's function allocate, which reserves a region of size bytes in its
// memory. It panics as callFunction does.
func (inst *instance) allocate(ctx context.Context, size int) (ptr uint32) {
	// If the contract read its storage in allocate, the host would have to allocate for the
	// value, and so on forever.
	if inst.isAllocating {
		refuse("Maximum call depth exceeded.")
	}
	inst.isAllocating = true
	ptr = inst.callFunction(ctx, "allocate", uint32(size))
	inst.isAllocating = false
	if ptr == 0 {
		refuseMemory("Got a zero Wasm address")
	}
	return ptr
}

func (inst *instance) free(ctx context.Context, ptr uint32) {
	inst.callFunction(ctx, "deallocate", ptr)
}

func (inst *instance) put(ctx context.Context, data []byte) (ptr uint32) {
	ptr = inst.allocate(ctx, len(data))
	inst.write(ptr, data)
	return ptr
}

// Limits of the VM on what a contract passes to the host, in bytes.
const (
	maxKey          = 64 << 10
	maxValue        = 128 << 10
	maxAddressText  = 256 // of an address's spelling
	maxAddressBytes = 64  // of an address
	maxRequest      = 64 << 10
	maxText         = 2 << 20 // of a debug or an abort message
	maxAnswer       = math.MaxUint32
)

// region describes a piece of the contract's memory. The description is itself stored in
// that memory, as three little-endian numbers. The pointers that contract and host pass to
// each other point to such descriptions.
type region struct {
	offset   uint32 // where the bytes begin
	capacity uint32 // how many bytes are reserved
	length   uint32 // how many of them are in use
}

// The size in bytes of a stored region, and the index at which its length begins.
const (
	regionSize     = 12
	regionLengthAt = 8
)

// readRegion ends the call with a [*Refusal] if there is no valid region at the pointer.
func (inst *instance) readRegion(ptr uint32) region {
	encodedRegion, isInMemory := inst.module.Memory().Read(ptr, regionSize)
	if !isInMemory {
		refuseMemory(
			"The Wasm memory address %d provided by the contract could not be dereferenced: Could not dereference this pointer to a Region",
			ptr,
		)
	}

	parsedRegion := region{
		offset:   binary.LittleEndian.Uint32(encodedRegion),
		capacity: binary.LittleEndian.Uint32(encodedRegion[4:]),
		length:   binary.LittleEndian.Uint32(encodedRegion[regionLengthAt:]),
	}
	switch {
	case parsedRegion.offset == 0:
		refuseMemory("Got an invalid region: Got a zero Wasm address in the offset")
	case parsedRegion.length > parsedRegion.capacity:
		refuseMemory(
			"Got an invalid region: Region length exceeds capacity. Length %d, capacity %d",
			parsedRegion.length,
			parsedRegion.capacity,
		)
	case parsedRegion.capacity > math.MaxUint32-parsedRegion.offset:
		refuseMemory(
			"Got an invalid region: Region exceeds address space. Offset %d, capacity %d",
			parsedRegion.offset,
			parsedRegion.capacity,
		)
	}
	return parsedRegion
}

// read returns a copy of the bytes in the region at a pointer. It ends the call with a
// [*Refusal] if the region has more than maxLength bytes or is outside of the memory.
func (inst *instance) read(ptr, maxLength uint32) []byte {
	source := inst.readRegion(ptr)
	if source.length > maxLength {
		refuseMemory("Region length too big. Got %d, limit %d", source.length, maxLength)
	}
	memoryBytes, isInMemory := inst.module.Memory().Read(source.offset, source.length)
	if !isInMemory {
		inst.refuseRegion(source)
	}
	return bytes.Clone(memoryBytes)
}

// write copies data into a region that the contract has reserved, and sets its length. It
// ends the call with a [*Refusal] if the region is too small or outside of the memory.
func (inst *instance) write(ptr uint32, data []byte) {
	target := inst.readRegion(ptr)
	if uint64(len(data)) > uint64(target.capacity) {
		refuseMemory("Region too small. Got %d, required %d", target.capacity, len(data))
	}
	contractMemory := inst.module.Memory()
	isWritten := contractMemory.Write(target.offset, data) &&
		contractMemory.WriteUint32Le(ptr+regionLengthAt, uint32(len(data)))
	if !isWritten {
		inst.refuseRegion(target)
	}
}

// refuseRegion ends the call with the VM's refusal of a region outside of the memory.
func (inst *instance) refuseRegion(r region) {
	refuseMemory(
		"Tried to access memory of region %+v in Wasm memory of size %d bytes. This typically happens when the given Region pointer does not point to a proper Region struct.",
		r,
		inst.module.Memory().Size(),
	)
}

package wasm

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// instance is a contract with a memory of its own. One call at a time uses it.
//
// A chain makes an instance for every call, so that nothing which one leaves in
// memory reaches the next. Making one costs more than most calls, so an instance
// is used again after it was restored to an image: its memory is written over,
// and its globals and the size of its memory, which the host cannot set, have to
// be what they were. Contracts grow their memory in almost every call, and a
// restored one would forget that it has: so each is asked for some room, and
// gives it back, before the image is taken.
type instance struct {
	mod    api.Module
	memory *memory

	// Functions are bound to a stack of their own, which is not cheap to make.
	functions  map[string]api.Function
	allocating bool
}

// image is the state of an instance that has answered nothing yet.
type image struct {
	memory  []byte
	globals []uint64
}

const (
	room        = 256 << 10 // bytes that a contract is asked for in advance
	largestKept = 8 << 20   // bytes of an image that is worth copying
	mostIdle    = 2         // instances, kept for the next calls
)

// memory is an instance's linear memory.
type memory struct {
	bytes []byte
	// refused is set when the contract has asked for more than it may have.
	refused bool
}

// Reallocate grows the memory; it gives nil, which the contract sees as a
// failure, above the limit. Bytes between length and capacity are zero: memory
// never shrinks.
func (m *memory) Reallocate(size uint64) []byte {
	switch {
	case size > maxMemory:
		m.refused = true
		return nil
	case size > uint64(cap(m.bytes)):
		// With the room that is asked for in advance, most never move.
		grown := make([]byte, size, min(maxMemory, max(size+2*room, 2*uint64(len(m.bytes)))))
		copy(grown, m.bytes)
		m.bytes = grown
	default:
		m.bytes = m.bytes[:size]
	}
	return m.bytes
}

// Free leaves the bytes to the garbage collector.
func (m *memory) Free() {}

// take gives an instance in its first state.
func (c *Contract) take(ctx context.Context) (*instance, error) {
	select {
	case in := <-c.idle:
		copy(in.memory.bytes, c.warm.memory)
		return in, nil
	default:
		return c.instantiate(ctx)
	}
}

// give takes an instance back after it returned normally.
func (c *Contract) give(in *instance) {
	if len(in.memory.bytes) == len(c.warm.memory) && slices.Equal(in.globals(), c.warm.globals) {
		select {
		case c.idle <- in:
			return
		default: // there are enough
		}
	}
	c.drop(in)
}

// drop gives an instance up, but for the bytes of its memory: to clear them costs
// less than to get others.
func (c *Contract) drop(in *instance) {
	if in.mod != nil {
		_ = in.mod.Close(context.Background())
	}
	if cap(in.memory.bytes) <= largestKept {
		c.spare.Put(in.memory.bytes)
	}
}

func (c *Contract) instantiate(ctx context.Context) (*instance, error) {
	spare, _ := c.spare.Get().([]byte)
	clear(spare[:cap(spare)])
	in := &instance{memory: &memory{bytes: spare[:0]}, functions: map[string]api.Function{}}
	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return in.memory })
	ctx = context.WithValue(experimental.WithMemoryAllocator(ctx, allocator), callKey{}, nil)
	ctx, done := context.WithTimeout(ctx, c.TimeLimit)
	defer done()
	// No name, so that there can be several, and no start functions of WASI.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	mod, err := c.runtime.InstantiateModule(ctx, c.module, config)
	if err == nil {
		in.mod = mod
		err = guard(func() { in.free(ctx, in.allocate(ctx, room)) })
	}
	if err == nil {
		return in, nil
	}
	c.drop(in)
	if err = c.outcome(in, err); errors.As(err, new(*Refusal)) {
		err = moduleError("no instance of it can be made: %v", err)
	}
	return nil, err
}

func (in *instance) globals() []uint64 {
	mod := in.mod.(experimental.InternalModule)
	values := make([]uint64, mod.NumGlobal())
	for i := range values {
		values[i] = mod.Global(i).Get()
	}
	return values
}

// function finds an exported function of so many pointers. It panics with a
// [*stop] where there is none.
func (in *instance) function(name string, params int) api.Function {
	if f, ok := in.functions[name]; ok {
		return f
	}
	f := in.mod.ExportedFunction(name)
	if f == nil {
		failf("Error resolving Wasm function: the contract has no %s", name)
	}
	takes, gives := f.Definition().ParamTypes(), f.Definition().ResultTypes()
	if !slices.Equal(takes, slices.Repeat(i32, params)) || len(gives) > 0 && !slices.Equal(gives, i32) {
		failf("Error resolving Wasm function: %s does not take %d pointers and give one", name, params)
	}
	in.functions[name] = f
	return f
}

// call runs an exported function; it panics with a [*stop] where that fails.
func (in *instance) call(ctx context.Context, name string, params ...uint32) uint32 {
	var stack [4]uint64
	for i, p := range params {
		stack[i] = uint64(p)
	}
	if err := in.function(name, len(params)).CallWithStack(ctx, stack[:]); err != nil {
		fail(err)
	}
	return uint32(stack[0])
}

// allocate has the contract prepare a region; it panics as call does.
func (in *instance) allocate(ctx context.Context, n int) (ptr uint32) {
	// A contract that reads its storage while it allocates would come back here
	// for ever.
	if in.allocating {
		failf("Maximum call depth exceeded.")
	}
	in.allocating = true
	ptr = in.call(ctx, "allocate", uint32(n))
	in.allocating = false
	if ptr == 0 {
		broken("Got a zero Wasm address")
	}
	return ptr
}

func (in *instance) free(ctx context.Context, ptr uint32) { in.call(ctx, "deallocate", ptr) }

// put hands bytes over to the contract.
func (in *instance) put(ctx context.Context, data []byte) (ptr uint32) {
	ptr = in.allocate(ctx, len(data))
	in.write(ptr, data)
	return ptr
}

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

package wasm

import "fmt"

// What one function may hold. The time and memory that the compiler takes for a
// function grow with the square of its branches, and faster where it has many
// locals. Contracts stay below a quarter of maxEffort.
const (
	maxBody   = 512 << 10 // bytes
	maxEffort = 64_000_000
	maxValues = 100 // parameters, and results, of a function or block
)

// measure refuses a function that takes too long to compile, with a [*LimitError].
// The reader stands behind the function's locals.
func (r *reader) measure(size int, locals uint64) {
	if size > maxBody {
		tooLong("%d bytes, and %d are the most", size, maxBody)
	}
	branches := uint64(0)
	for len(r.rest) > 0 {
		branches += r.instruction()
	}
	if branches*branches*(500+locals)/500 > maxEffort {
		tooLong("%d blocks and branches, and %d locals", branches, locals)
	}
}

func tooLong(format string, args ...any) {
	fail(&LimitError{"one of its functions takes too long to compile: it has " + fmt.Sprintf(format, args...)})
}

// instruction reads an instruction, and counts the blocks and branches that it
// makes. What it does not know is left to the compiler to refuse.
func (r *reader) instruction() (branches uint64) {
	switch op := r.byte(); {
	case op >= 0x02 && op <= 0x04, op == 0x0c, op == 0x0d: // block, loop, if, br, br_if
		r.skipNumber()
		return 1
	case op == 0x0e: // br_table: its targets and the default
		targets := uint64(r.count()) + 1
		for range targets {
			r.skipNumber()
		}
		return targets
	case op == 0x10, op >= 0x20 && op <= 0x24, op >= 0x3f && op <= 0x42: // call, variables, memory's size, constants
		r.skipNumber()
	case op == 0x11, op >= 0x28 && op <= 0x3e: // call_indirect, loads, stores
		r.skipNumber()
		r.skipNumber()
	case op == 0x43: // f32.const
		r.take(4)
	case op == 0x44: // f64.const
		r.take(8)
	case op == 0xfc: // conversions that saturate
		r.only(0, 7)
	case op > 0xc4:
		badModule("it has an instruction that contracts may not have: %#x", op)
	}
	return 0
}

// skipNumber reads a number of any size in LEB128, signed or not.
func (r *reader) skipNumber() {
	for r.byte() >= 0x80 {
	}
}

package wasm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
)

// What a module may hold. Table, memory and imports are the VM's limits; the
// others bound what a compiler can be made to allocate by a few bytes of a
// hostile file, and lie far above any contract.
const (
	maxModule  = 8 << 20 // bytes of the file
	maxTable   = 2500    // elements of the table
	maxImports = 100
	maxEntries = 100_000 // functions, types, exports …
	maxLocals  = 50_000  // of one function
)

var preamble = []byte("\x00asm\x01\x00\x00\x00")

// inspect walks through a module far enough that the compiler can be handed it:
// every count and length in it is backed by bytes of the file. Whether the rest
// is valid is the compiler's to say. It gives the module without its custom
// sections: names and debug information, which nothing here reads.
func inspect(code []byte) (bare []byte, err error) {
	err = guard(func() {
		switch {
		case len(code) > maxModule:
			badModule("the file has %d bytes, and a contract at most %d", len(code), maxModule)
		case !bytes.HasPrefix(code, preamble[:4]):
			badModule("the file is no WebAssembly module")
		case !bytes.HasPrefix(code, preamble):
			badModule("the file is no module of WebAssembly 1.0")
		}
		bare = slices.Clone(preamble)
		r := reader{code[len(preamble):]}
		for len(r.rest) > 0 {
			before := r.rest
			id, body := r.byte(), reader{r.bytes()}
			if id == 0 { // custom
				continue
			}
			bare = append(bare, before[:len(before)-len(r.rest)]...)
			body.section(id)
		}
	})
	return bare, err
}

// reader walks through the bytes of a module. It panics with a [*stop] where
// they do not hold what they should.
type reader struct{ rest []byte }

// section walks through a section, of a kind by its number in the file.
func (r *reader) section(id byte) {
	if id == 8 || id > 11 {
		return // the start, which has no entries, or what the compiler refuses
	}
	for range r.count() {
		switch id {
		case 1: // types
			r.only(0x60, 0x60) // a function
			r.types()
			r.types()
		case 2: // imports
			name := string(r.bytes()) + "." + string(r.bytes())
			if r.byte() != 0 {
				badModule("it imports %q, which is no function", name)
			}
			r.u32()
		case 4: // tables
			r.only(0x70, 0x70) // of functions
			if bounded, _ := r.byte() == 1, r.u32(); !bounded || r.u32() > maxTable {
				badModule("its table is not bounded by %d elements", maxTable)
			}
		case 7: // exports
			r.bytes()
			r.byte()
			r.u32()
		case 9: // elements of the table
			r.offset()
			for range r.count() {
				r.u32()
			}
		case 10: // code
			body, locals := reader{r.bytes()}, uint64(0)
			size := len(body.rest)
			for range body.count() {
				locals += uint64(body.u32())
				body.number()
			}
			if locals > maxLocals {
				badModule("one of its functions has %d locals, and %d are the most", locals, maxLocals)
			}
			body.measure(size, locals)
		case 11: // data
			r.offset()
			r.bytes()
		default:
			return // nothing in it is longer than its bytes
		}
	}
}

func (r *reader) take(n uint32) []byte {
	if uint64(n) > uint64(len(r.rest)) {
		badModule("the file is cut off, or no module: %d bytes are missing", uint64(n)-uint64(len(r.rest)))
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte { return r.take(1)[0] }

// bytes reads what has its length in front.
func (r *reader) bytes() []byte { return r.take(r.u32()) }

// u32 reads a number in LEB128, seven bits a byte.
func (r *reader) u32() uint32 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || size > 5 || n > math.MaxUint32 {
		badModule("a number in it is cut off, or has more than 32 bits")
	}
	r.rest = r.rest[size:]
	return uint32(n)
}

// count reads how many entries follow, each of a byte at least.
func (r *reader) count() uint32 {
	n := r.u32()
	if uint64(n) > uint64(len(r.rest)) || n > maxEntries {
		badModule("it announces %d entries where %d bytes are left", n, len(r.rest))
	}
	return n
}

// only reads a byte that tells of what kind an entry is.
func (r *reader) only(least, most byte) {
	if b := r.byte(); b < least || b > most {
		badModule("it has what contracts may not have (bulk memory, reference types): %#x in the place of %#x", b, least)
	}
}

// number reads the type of a number. Those of references are longer than a byte.
func (r *reader) number() { r.only(0x7c, 0x7f) }

func (r *reader) types() {
	count := r.count()
	if count > maxValues {
		badModule("one of its types has %d values, and %d are the most", count, maxValues)
	}
	for range count {
		r.number()
	}
}

// offset reads where a segment goes: segment kind 0 and a constant.
func (r *reader) offset() {
	r.only(0, 0)
	op := r.byte()
	if r.u32(); op != 0x41 && op != 0x23 || r.byte() != 0x0b { // i32.const, global.get; end
		badModule("it has a segment with an offset that is not constant")
	}
}

const versionMarker = "interface_version_"

// check holds a module to what the VM asks of a contract.
func check(m wazero.CompiledModule) error {
	exports, imports, memory := m.ExportedFunctions(), m.ImportedFunctions(), m.ExportedMemories()["memory"]
	var versions []string
	for name := range exports {
		if strings.HasPrefix(name, versionMarker) {
			versions = append(versions, name)
		}
	}
	slices.Sort(versions)
	switch {
	case len(versions) == 0:
		return moduleError("it exports no %s…, so it is no CosmWasm contract", versionMarker)
	case len(versions) > 1:
		return moduleError("it names more than one interface version: %s", strings.Join(versions, ", "))
	case versions[0] != versionMarker+"8":
		return moduleError("it exports %s, and this host speaks %s8 (CosmWasm 1.0 and later)", versions[0], versionMarker)
	case memory == nil:
		return moduleError(`a contract has one memory and exports it as "memory"`)
	case memory.Min() > maxMemory/pageSize:
		return moduleError("its memory starts with %d pages, and %d are the most", memory.Min(), maxMemory/pageSize)
	case len(imports) > maxImports:
		return moduleError("it imports more than %d functions", maxImports)
	}
	if _, bounded := memory.Max(); bounded {
		return moduleError("its memory names a maximum, which is the host's to set")
	}
	for _, name := range []string{"allocate", "deallocate", "instantiate"} {
		if exports[name] == nil {
			return moduleError("it does not export %s", name)
		}
	}
	for _, f := range imports {
		module, name, _ := f.Import()
		if module != "env" || !slices.ContainsFunc(hostFunctions, func(f hostFunction) bool { return f.name == name }) {
			return moduleError("it imports %q, which this host does not have", module+"."+name)
		}
	}
	return nil
}

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

package wasm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// What a module may hold. The limits on tables and imports are the VM's. The others bound
// what a few bytes of a hostile file can make a compiler allocate or compute, and lie far
// above any contract.
const (
	maxModule  = 8 << 20 // bytes of the file
	maxTable   = 2500    // elements of the table
	maxImports = 100
	maxEntries = 100_000 // functions, types, exports …
	maxLocals  = 50_000  // of one function
	maxValues  = 100     // parameters, and results, of a function or block
)

// What one function may hold. The time and memory for compiling a function grow with the
// square of its branches, and faster if it has many locals (variables). maxEffort limits an
// estimate of that time; see [reader.readFunction]. Contracts stay below a quarter of it.
const (
	maxBody   = 512 << 10 // bytes
	maxEffort = 64_000_000
)

// preamble is how every module of WebAssembly 1.0 begins: four bytes that identify the
// format, and the version 1.
var preamble = []byte("\x00asm\x01\x00\x00\x00")

// inspect verifies that a module is safe to compile. Every count and length in it must fit
// in the file, so that they cannot make the compiler allocate too much, and no function may
// take too long to compile. The compiler checks everything else.
//
// inspect returns the module without its custom sections, which hold names and debug
// information. It fails with a [*ModuleError] or a [*LimitError].
func inspect(code []byte) (bareModule []byte, err error) {
	switch {
	case len(code) > maxModule:
		return nil, moduleError("the file has %d bytes, and a contract at most %d", len(code), maxModule)
	case !bytes.HasPrefix(code, preamble[:4]): // without the version
		return nil, moduleError("the file is no WebAssembly module")
	case !bytes.HasPrefix(code, preamble):
		return nil, moduleError("the file is no module of WebAssembly 1.0")
	}

	// A section is its id, its length and its body.
	bareModule = slices.Clone(preamble)
	r := reader{unread: code[len(preamble):]}
	err = catchStop(func() {
		for len(r.unread) > 0 {
			unreadBefore := r.unread
			id := r.readByte()
			body := reader{unread: r.readBytes()}
			if id == sectionCustom {
				continue
			}
			sectionSize := len(unreadBefore) - len(r.unread)
			bareModule = append(bareModule, unreadBefore[:sectionSize]...)
			body.readSection(id)
		}
	})
	return bareModule, err
}

// The numbers of the sections that are inspected.
const (
	sectionCustom   = 0
	sectionTypes    = 1
	sectionImports  = 2
	sectionTables   = 4
	sectionExports  = 7
	sectionStart    = 8
	sectionElements = 9 // of tables
	sectionCode     = 10
	sectionData     = 11
)

// reader reads a module from its beginning. Its methods panic with a [*stop] at bytes that a
// contract cannot have. The error in it is a [*ModuleError], and catchStop returns it.
type reader struct{ unread []byte }

// readSection reads the body of the section with the number id: a count, and then so many
// entries, such as the types of the module's functions. It reads entries only if they
// have counts or lengths of their own, which the compiler would trust.
func (r *reader) readSection(id byte) {
	// A start section has no entries, and the compiler refuses unknown sections.
	if id == sectionStart || id > sectionData {
		return
	}
	for range r.readCount() {
		switch id {
		case sectionTypes:
			r.requireByteBetween(0x60, 0x60) // a function
			r.readTypes()
			r.readTypes()
		case sectionImports:
			module := string(r.readBytes())
			name := string(r.readBytes())
			if kind := r.readByte(); kind != 0 {
				refuseModule("it imports %q, which is no function", module+"."+name)
			}
			r.readUint32() // the function's type
		case sectionTables: // of functions
			r.requireByteBetween(0x70, 0x70)
			isBounded := r.readByte() == 1
			r.readUint32() // the initial size
			if !isBounded || r.readUint32() > maxTable {
				refuseModule("its table is not bounded by %d elements", maxTable)
			}
		case sectionExports:
			r.readBytes()  // the name
			r.readByte()   // the kind
			r.readUint32() // the index
		case sectionElements:
			r.readSegmentOffset()
			for range r.readCount() {
				r.readUint32() // the number of a function
			}
		case sectionCode:
			body := reader{unread: r.readBytes()}
			body.readFunction()
		case sectionData:
			r.readSegmentOffset()
			r.readBytes()
		default:
			return // entries of other sections have no counts of their own
		}
	}
}

// readFunction reads the body of a function. It ends the inspection with a [*LimitError]
// if the function takes too long to compile.
func (r *reader) readFunction() {
	// Count the locals. An entry declares a number of locals of one type.
	bodySize := len(r.unread)
	localCount := uint64(0)
	for range r.readCount() {
		localCount += uint64(r.readUint32())
		r.readNumberType()
	}
	if localCount > maxLocals {
		refuseModule("one of its functions has %d locals, and %d are the most", localCount, maxLocals)
	}
	if bodySize > maxBody {
		refuseFunction("%d bytes, and %d are the most", bodySize, maxBody)
	}

	branchCount := uint64(0)
	for len(r.unread) > 0 {
		branchCount += r.readInstruction()
	}

	// The compiler's time grows with the square of the branches, and 500 locals double it.
	effort := branchCount * branchCount * (500 + localCount) / 500
	if effort > maxEffort {
		refuseFunction("%d blocks and branches, and %d locals", branchCount, localCount)
	}
}

// refuseFunction ends the inspection with a [*LimitError]. The formatted text says what the
// function has too much of.
func refuseFunction(format string, args ...any) {
	excess := fmt.Sprintf(format, args...)
	text := "one of its functions takes too long to compile: it has " + excess
	stopOnError(&LimitError{Text: text})
}

// readInstruction reads one instruction with its operands. It returns how many blocks and
// branches the instruction adds to the function. It refuses the instructions of later
// extensions of WebAssembly, such as bulk memory. The compiler refuses unknown ones.
func (r *reader) readInstruction() (branchCount uint64) {
	opcode := r.readByte()
	switch {
	case opcode >= 0x02 && opcode <= 0x04, opcode == 0x0c, opcode == 0x0d: // block, loop, if, br, br_if
		r.skipNumber()
		return 1
	case opcode == 0x0e: // br_table: its targets and the default
		targetCount := uint64(r.readCount()) + 1
		for range targetCount {
			r.skipNumber()
		}
		return targetCount

	// Instructions with one number: call, variables, the size of the memory, integers.
	case opcode == 0x10, opcode >= 0x20 && opcode <= 0x24, opcode >= 0x3f && opcode <= 0x42:
		r.skipNumber()
	case opcode == 0x11, opcode >= 0x28 && opcode <= 0x3e: // call_indirect, loads, stores
		r.skipNumber()
		r.skipNumber()
	case opcode == 0x43: // f32.const
		r.readNext(4)
	case opcode == 0x44: // f64.const
		r.readNext(8)
	case opcode == 0xfc: // saturating conversions
		r.requireByteBetween(0, 7)
	case opcode > 0xc4:
		refuseModule("it has an instruction that contracts may not have: %#x", opcode)
	}
	return 0
}

// readNext returns the next count bytes. It refuses a module that has fewer.
func (r *reader) readNext(count uint32) []byte {
	missingBytes := int64(count) - int64(len(r.unread))
	if missingBytes > 0 {
		refuseModule("the file is cut off, or no module: %d bytes are missing", missingBytes)
	}
	taken := r.unread[:count]
	r.unread = r.unread[count:]
	return taken
}

func (r *reader) readByte() byte { return r.readNext(1)[0] }

// readBytes reads a length and then so many bytes.
func (r *reader) readBytes() []byte { return r.readNext(r.readUint32()) }

// readUint32 reads a number of 32 bits in the encoding LEB128, which has seven bits in
// each byte.
func (r *reader) readUint32() uint32 {
	number, size := binary.Uvarint(r.unread)
	if size <= 0 || size > 5 || number > math.MaxUint32 {
		refuseModule("a number in it is cut off, or has more than 32 bits")
	}
	r.unread = r.unread[size:]
	return uint32(number)
}

// skipNumber skips a number in the encoding LEB128, signed or not and of any size.
func (r *reader) skipNumber() {
	for r.readByte() >= 0x80 { // all bytes but the last have the highest bit set
	}
}

// readCount reads how many entries follow. Each entry has at least one byte, so readCount
// refuses a number that is larger than the number of bytes left.
func (r *reader) readCount() uint32 {
	count := r.readUint32()
	if uint64(count) > uint64(len(r.unread)) || count > maxEntries {
		refuseModule("it announces %d entries where %d bytes are left", count, len(r.unread))
	}
	return count
}

// requireByteBetween reads a byte that names the kind of an entry, and refuses others.
func (r *reader) requireByteBetween(minimum, maximum byte) {
	if kind := r.readByte(); kind < minimum || kind > maximum {
		refuseModule(
			"it has what contracts may not have (bulk memory, reference types): %#x in the place of %#x",
			kind,
			minimum,
		)
	}
}

// readNumberType reads the type of a parameter, a result or a local, which must be a
// number: i32 (0x7f), i64, f32 or f64 (0x7c). It refuses references and vectors.
func (r *reader) readNumberType() { r.requireByteBetween(0x7c, 0x7f) }

// readTypes reads the types of a function's parameters or of its results.
func (r *reader) readTypes() {
	count := r.readCount()
	if count > maxValues {
		refuseModule("one of its types has %d values, and %d are the most", count, maxValues)
	}
	for range count {
		r.readNumberType()
	}
}

// readSegmentOffset reads where a segment begins. A segment is initial content of the
// memory or of the table. Its offset is the kind 0, one instruction that gives a constant
// or a global variable, and the end of the expression. It refuses any other offset.
func (r *reader) readSegmentOffset() {
	const i32Const, globalGet, end = 0x41, 0x23, 0x0b
	r.requireByteBetween(0, 0)
	opcode := r.readByte()
	r.readUint32()
	isConstant := opcode == i32Const || opcode == globalGet
	if !isConstant || r.readByte() != end {
		refuseModule("it has a segment with an offset that is not constant")
	}
}

// versionMarker begins the name of the export by which a contract names its interface
// version: "interface_version_8".
const versionMarker = "interface_version_"

// checkInterface verifies that a module is a contract that this host can run: it names
// interface version 8, exports one memory and the functions that every contract has, and
// imports only functions of the host. It fails with a [*ModuleError].
func checkInterface(module wazero.CompiledModule) error {
	exports := module.ExportedFunctions()
	if err := checkVersion(exports); err != nil {
		return err
	}
	memory := module.ExportedMemories()["memory"]
	imports := module.ImportedFunctions()
	switch {
	case memory == nil:
		return moduleError(`a contract has one memory and exports it as "memory"`)
	case memory.Min() > maxMemory/pageSize:
		return moduleError(
			"its memory starts with %d pages, and %d are the most",
			memory.Min(),
			maxMemory/pageSize,
		)
	case len(imports) > maxImports:
		return moduleError("it imports more than %d functions", maxImports)
	}
	if _, isBounded := memory.Max(); isBounded {
		return moduleError("its memory names a maximum, which is the host's to set")
	}

	// Every contract has these functions.
	for _, name := range []string{"allocate", "deallocate", "instantiate"} {
		if exports[name] == nil {
			return moduleError("it does not export %s", name)
		}
	}
	for _, imported := range imports {
		importedModule, name, _ := imported.Import()
		isKnown := slices.ContainsFunc(hostFunctions, func(f hostFunction) bool { return f.name == name })
		if importedModule != "env" || !isKnown {
			return moduleError("it imports %q, which this host does not have", importedModule+"."+name)
		}
	}
	return nil
}

// checkVersion verifies that a module speaks version 8 of the interface between contract
// and host, and no other. A module names its version by an exported function, such as
// "interface_version_8".
func checkVersion(exports map[string]api.FunctionDefinition) error {
	var versionNames []string
	for name := range exports {
		if strings.HasPrefix(name, versionMarker) {
			versionNames = append(versionNames, name)
		}
	}
	slices.Sort(versionNames)
	switch {
	case len(versionNames) == 0:
		return moduleError("it exports no %s…, so it is no CosmWasm contract", versionMarker)
	case len(versionNames) > 1:
		return moduleError("it names more than one interface version: %s", strings.Join(versionNames, ", "))
	case versionNames[0] != versionMarker+"8":
		return moduleError(
			"it exports %s, and this host speaks %s8 (CosmWasm 1.0 and later)",
			versionNames[0],
			versionMarker,
		)
	}
	return nil
}

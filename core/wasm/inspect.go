package wasm

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
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

// Sections of a module, by their number in the file.
const (
	sectionCustom  = 0
	sectionType    = 1
	sectionImport  = 2
	sectionTable   = 4
	sectionMemory  = 5
	sectionExport  = 7
	sectionStart   = 8
	sectionElement = 9
	sectionCode    = 10
	sectionData    = 11
)

// contents is what a module says about itself.
type contents struct {
	imports  []string // "env.db_read"
	exports  []string // names of exported functions
	memories int
	pages    uint32 // of the memory at the start, 64 KiB each
	memory   bool   // it is exported as "memory"
	// code is the module without its custom sections: names and debug
	// information, which nothing here reads.
	code []byte
}

var preamble = []byte("\x00asm\x01\x00\x00\x00")

// inspect walks through a module far enough that the compiler can be handed it:
// every count and length in it is backed by bytes of the file. Whether the code
// is valid is the compiler's to say.
func inspect(code []byte) (c contents, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case *ModuleError:
			err = fault
		default:
			panic(fault)
		}
	}()
	switch {
	case len(code) > maxModule:
		badModule("the file has %d bytes, and a contract at most %d", len(code), maxModule)
	case !bytes.HasPrefix(code, preamble[:4]):
		badModule("the file is no WebAssembly module")
	case !bytes.HasPrefix(code, preamble):
		badModule("the file is no module of WebAssembly 1.0")
	}
	c.code = slices.Clone(preamble)
	r := reader{rest: code[len(preamble):]}
	for len(r.rest) > 0 {
		before := r.rest
		id := r.byte()
		body := reader{rest: r.bytes(r.u32())}
		if id == sectionCustom {
			continue
		}
		c.code = append(c.code, before[:len(before)-len(r.rest)]...)
		c.section(id, &body)
	}
	return c, nil
}

// check holds a module to what the VM asks of a contract.
func (c contents) check() error {
	var version string
	for _, name := range c.exports {
		if strings.HasPrefix(name, versionMarker) {
			if version != "" {
				return &ModuleError{"it names more than one interface version: " + version + ", " + name}
			}
			version = name
		}
	}
	switch {
	case version == "":
		return &ModuleError{"it exports no " + versionMarker + "…, so it is no CosmWasm contract"}
	case version != versionMarker+"8":
		return &ModuleError{"it exports " + version + ", and this host speaks " + versionMarker + "8 (CosmWasm 1.0 and later)"}
	case c.memories != 1 || !c.memory:
		return &ModuleError{`a contract has one memory and exports it as "memory"`}
	case c.pages > maxMemory/pageSize:
		return &ModuleError{fmt.Sprintf("its memory starts with %d pages, and %d are the most", c.pages, maxMemory/pageSize)}
	}
	for _, name := range []string{"allocate", "deallocate", "instantiate"} {
		if !slices.Contains(c.exports, name) {
			return &ModuleError{"it does not export " + name}
		}
	}
	for _, name := range c.imports {
		if !slices.ContainsFunc(hostFunctions, func(f hostFunction) bool { return "env."+f.name == name }) {
			return &ModuleError{fmt.Sprintf("it imports %q, which this host does not have", name)}
		}
	}
	return nil
}

const versionMarker = "interface_version_"

func (c *contents) section(id byte, r *reader) {
	if id == sectionStart {
		return
	}
	if id > sectionData {
		badModule("it has a section of kind %d, which WebAssembly 1.0 has not", id)
	}
	for range r.count() {
		switch id {
		case sectionType:
			r.byte()
			r.bytes(r.count())
			r.bytes(r.count())
		case sectionImport:
			name := r.name() + "." + r.name()
			if kind := r.byte(); kind != 0 {
				badModule("it imports %q, which is no function", name)
			}
			r.u32()
			if c.imports = append(c.imports, name); len(c.imports) > maxImports {
				badModule("it imports more than %d functions", maxImports)
			}
		case sectionTable:
			r.byte()
			if _, most, bounded := r.limits(); !bounded || most > maxTable {
				badModule("its table is not bounded by %d elements", maxTable)
			}
		case sectionMemory:
			var bounded bool
			if c.pages, _, bounded = r.limits(); bounded {
				badModule("its memory names a maximum, which is the host's to set")
			}
			c.memories++
		case sectionExport:
			name := r.name()
			switch kind := r.byte(); kind {
			case 0:
				c.exports = append(c.exports, name)
			case 2:
				c.memory = c.memory || name == "memory"
			}
			r.u32()
		case sectionElement:
			r.offset("an element")
			for range r.count() {
				r.u32()
			}
		case sectionCode:
			body := reader{rest: r.bytes(r.u32())}
			locals := uint64(0)
			for range body.count() {
				locals += uint64(body.u32())
				body.byte()
			}
			if locals > maxLocals {
				badModule("one of its functions has %d locals, and %d are the most", locals, maxLocals)
			}
		case sectionData:
			r.offset("a data")
			r.bytes(r.u32())
		default:
			return // nothing in it is longer than its bytes
		}
	}
}

// reader walks through the bytes of a module. It panics with a [*ModuleError]
// where they do not hold what they should.
type reader struct{ rest []byte }

func badModule(format string, args ...any) { panic(&ModuleError{fmt.Sprintf(format, args...)}) }

func (r *reader) bytes(n uint32) []byte {
	if uint64(n) > uint64(len(r.rest)) {
		badModule("the file is cut off, or no module: %d bytes are missing", uint64(n)-uint64(len(r.rest)))
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte { return r.bytes(1)[0] }

func (r *reader) name() string { return string(r.bytes(r.u32())) }

// u32 reads a number in LEB128, seven bits a byte.
func (r *reader) u32() (n uint32) {
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	badModule("a number in it has more than 32 bits")
	return 0
}

// count reads how many entries follow, each of a byte at least.
func (r *reader) count() uint32 {
	n := r.u32()
	if uint64(n) > uint64(len(r.rest)) || n > maxEntries {
		badModule("it announces %d entries where %d bytes are left", n, len(r.rest))
	}
	return n
}

func (r *reader) limits() (least, most uint32, bounded bool) {
	bounded = r.byte()&1 != 0
	if least = r.u32(); bounded {
		most = r.u32()
	}
	return least, most, bounded
}

// offset reads where a segment goes: segment kind 0 and a constant expression.
func (r *reader) offset(what string) {
	if r.u32() != 0 {
		badModule("it has %s segment of a kind that contracts may not have (bulk memory, reference types)", what)
	}
	op := r.byte()
	if r.u32(); op != 0x41 && op != 0x23 || r.byte() != 0x0b { // i32.const, global.get; end
		badModule("it has %s segment with an offset that is not constant", what)
	}
}

package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

// module puts a module together from sections, each a kind and its bytes.
func module(sections ...string) []byte {
	b := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range sections {
		b = append(b, s[0], byte(len(s)-1))
		b = append(b, s[1:]...)
	}
	return b
}

func TestAFileThatIsNotAContractIsRefusedWithTheReason(t *testing.T) {
	good := readFile(t, "testdata/contract.wasm")
	renamed := func(from, to string) []byte { return bytes.ReplaceAll(good, []byte(from), []byte(to)) }
	for _, c := range []struct {
		name string
		code []byte
		text string
	}{
		{"an empty file", nil, "the file is no WebAssembly module"},
		{"text", readFile(t, "testdata/contract.wat"), "the file is no WebAssembly module"},
		{"a component", []byte("\x00asm\x0d\x00\x01\x00"), "the file is no module of WebAssembly 1.0"},
		{"a huge file", make([]byte, 8<<20+1), "the file has 8388609 bytes, and a contract at most 8388608"},
		{"a truncated file", good[:len(good)/2], "the file is cut off, or no module: "},
		{"no contract", module(), "it exports no interface_version_…, so it is no CosmWasm contract"},
		{"another interface", renamed("interface_version_8", "interface_version_7"), "it exports interface_version_7, and this host speaks interface_version_8 (CosmWasm 1.0 and later)"},
		{"no allocate", renamed("\x08allocate", "\x08allocatf"), "it does not export allocate"},
		{"an unknown import", renamed("\x05abort", "\x05about"), `it imports "env.about", which this host does not have`},
		{"another module's import", renamed("\x03env\x05abort", "\x03eve\x05abort"), `it imports "eve.abort", which this host does not have`},
		{"an import that is no function", module("\x02\x01\x03env\x03mem\x02\x00\x01"), `it imports "env.mem", which is no function`},
		{"a memory that is not exported", renamed("\x06memory", "\x06memorx"), `a contract has one memory and exports it as "memory"`},
		{"two interfaces", bytes.Replace(good, []byte("\x07\x6a\x09\x06memory"), []byte("\x07\x80\x01\x0a\x13interface_version_7\x00\x0f\x06memory"), 1), "it names more than one interface version: interface_version_7, interface_version_8"},
		{"a memory with a maximum", renamed("\x05\x03\x01\x00\x02", "\x05\x04\x01\x01\x02\x10"), "its memory names a maximum, which is the host's to set"},
		{"a memory that begins large", renamed("\x05\x03\x01\x00\x02", "\x05\x04\x01\x00\x81\x04"), "its memory starts with 513 pages, and 512 are the most"},
		{"an open table", module("\x04\x01\x70\x00\x01"), "its table is not bounded by 2500 elements"},
		{"a huge table", module("\x04\x01\x70\x01\x01\xff\xff\x7f"), "its table is not bounded by 2500 elements"},
		{"more entries than bytes", module("\x03\xff\xff\xff\xff\x0f"), "it announces 4294967295 entries where 0 bytes are left"},
		{"a number that is too long", module("\x03\xff\xff\xff\xff\xff\x0f"), "a number in it is cut off, or has more than 32 bits"},
		{"many locals", module("\x0a\x01\x06\x01\xff\xff\x7f\x7f\x0b"), "one of its functions has 2097151 locals, and 50000 are the most"},
		{"bulk memory", module("\x0b\x01\x01\x01a"), "it has what contracts may not have (bulk memory, reference types): 0x1 in the place of 0x0"},
		{"types of references", module("\x01\x01\x60\x02\x63\x70\x00"), "it has what contracts may not have (bulk memory, reference types): 0x63 in the place of 0x7c"},
		{"types that refer to each other", module("\x01\x01\x4e\x02"), "it has what contracts may not have (bulk memory, reference types): 0x4e in the place of 0x60"},
		{"locals that are references", module("\x0a\x01\x05\x01\x01\x63\x70\x0b"), "it has what contracts may not have (bulk memory, reference types): 0x63 in the place of 0x7c"},
		{"a section from the future", module("\x0d\x00"), "it cannot be compiled: tag section not supported"},
		{"an import with other parameters", renamed("\x07db_scan", "\x07db_next"), "no instance of it can be made: "},
		{"a call of a function without a type", module("\x01\x01\x60\x00\x00", "\x03\x02\x00\x09", "\x0a\x02\x04\x00\x10\x01\x0b\x02\x00\x0b"), "it cannot be compiled: "},
		{"code that is not valid", bytes.Replace(good, []byte("\x20\x00\x28\x02\x00"), []byte("\x20\x7f\x28\x02\x00"), 1), "it cannot be compiled: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := wasm.Load(context.Background(), c.code, wasm.Options{Prefix: prefix})
			var m *wasm.ModuleError
			if !errors.As(err, &m) || !strings.HasPrefix(m.Text, c.text) {
				t.Errorf("%T %v\nwant %s", err, err, c.text)
			}
		})
	}
}

func TestABrokenOrUnusableCacheOfCompiledModulesIsIgnored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	for range 2 {
		newWorldWith(t, wasm.Options{CacheDir: dir}).mustExecute(`{"count":{}}`)
	}
	files, err := filepath.Glob(dir + "/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("nothing is kept", err)
	}
	for _, file := range files {
		kvtest.OK(t, os.WriteFile(file, []byte("rubbish"), 0o600))
	}
	newWorldWith(t, wasm.Options{CacheDir: dir}).mustExecute(`{"count":{}}`)
	kvtest.OK(t, os.WriteFile(dir+"-file", nil, 0o600))
	newWorldWith(t, wasm.Options{CacheDir: dir + "-file"}).mustExecute(`{"count":{}}`)
}

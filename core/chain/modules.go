package chain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// Module is the file of a compiled contract.
type Module struct {
	File string // the name of the file, for people
	Code []byte // the content of the file, in WebAssembly
}

// StoredModule identifies a compiled contract in the store.
type StoredModule struct {
	File     string `wire:"file"`
	Checksum string `wire:"sha256"` // in hex, as chains list code
	Size     uint64 `wire:"size"`   // of the code, in bytes
}

// moduleItem holds which compiled contract the chain runs. It is absent if the chain runs
// the built-in contract. A migration changes it, and undo restores it. The code of a module
// is in other records, which are never deleted.
var moduleItem = kv.NewItem("module", cw721.StoredJSON[StoredModule]())

// modulePartSize is the size in bytes of the parts into which the code of a module is divided.
// The key of a part consists of the module's checksum and the number of the part in two bytes.
const modulePartSize = kv.MaxValue / 2

// keyPrefix returns the beginning of the keys of the module's code.
func (m StoredModule) keyPrefix() []byte {
	checksum, _ := hex.DecodeString(m.Checksum) // no error, because addModule has encoded it
	return append(slices.Clone(modulePart), checksum...)
}

// Options say how a chain is opened and how it runs contracts.
type Options struct {
	Discard   bool          // removes an incomplete import before the chain is opened
	CacheDir  string        // keeps compiled contracts in machine code; empty for none
	TimeLimit time.Duration // of a call of a compiled contract; 0 is [wasm.DefaultTimeLimit]
	// BeginCompiling is called before a contract is compiled to machine code. Cancelling
	// ctx stops the compilation. end is called when the compilation has ended.
	// BeginCompiling can be nil.
	BeginCompiling func(file string) (ctx context.Context, end func())
	// Compare also runs every message and query of a compiled contract on the built-in
	// contract, to find differences.
	Compare bool
	// Mutate returns a mutant, which is a contract with a deliberate mistake, to execute
	// messages in place of the built-in contract. Nil means that there is no mutant.
	Mutate func(cw721.Contract) Code
	// PreviewsTruth makes previews show what the contract without the mistake would do, so
	// that nobody can find the mistake by previews.
	PreviewsTruth bool
}

// modules runs the contracts of a chain. It keeps each compiled contract ready to run.
type modules struct {
	Options
	// hasStoredModules is true if the store has compiled contracts. If it is false, the
	// chain runs the built-in contract, and no message needs to look that up.
	hasStoredModules atomic.Bool
	keepsPace        bool // whether every move of the clock changes both height and time
	// isLayoutReported is true if a comparison has reported another storage layout, which
	// is reported only once.
	isLayoutReported atomic.Bool

	mu             sync.Mutex                // guards readyContracts
	readyContracts map[string]*wasm.Contract // by the prefix of addresses and the checksum
	messageNames   sync.Map                  // the [MessageNames] of a module, by its checksum
}

func newModules(options Options) *modules {
	return &modules{Options: options, readyContracts: map[string]*wasm.Contract{}}
}

// runningContract returns the contract that the chain runs. It fails as [modules.load] does.
func (t transaction[S]) runningContract() (Contract, error) {
	builtInContract := builtIn{
		Contract: t.Contract(),
		code:     t.modules.builtInCode(t.Contract()),
		meta:     t.meta,
	}
	if !t.modules.hasStoredModules.Load() {
		return builtInContract, nil
	}
	module, isCompiled, err := moduleItem.Load(t.meta)
	if err != nil || !isCompiled {
		return builtInContract, err
	}
	readCode := func() ([]byte, error) { return readModule(t.store, module) }
	code, err := t.modules.load(module, t.Prefix, readCode)
	if err != nil {
		return nil, err
	}
	return compiled{Contract: code, decoder: t.Contract(), meta: t.meta, storageBytes: new(int)}, nil
}

// builtInCode returns the built-in contract, or a mutant of it.
func (m *modules) builtInCode(original cw721.Contract) Code {
	if m.Mutate == nil {
		return original
	}
	return m.Mutate(original)
}

// forPreviews returns the modules that run previews; see [Options.PreviewsTruth].
func (m *modules) forPreviews() *modules {
	if m.Mutate == nil || !m.PreviewsTruth {
		return m
	}
	return newModules(Options{})
}

// load returns a compiled contract that is ready to run. The first time, it gets the code from
// readCode, compiles it and keeps the result. prefix is that of the chain's addresses. load
// fails with a [*wasm.ModuleError] if the module is no contract, and with a [*cw721.Error] of
// kind limit if compiling takes too much time or memory.
func (m *modules) load(
	module StoredModule,
	prefix string,
	readCode func() ([]byte, error),
) (*wasm.Contract, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	key := prefix + module.Checksum
	if contract := m.readyContracts[key]; contract != nil {
		return contract, nil
	}
	code, err := readCode()
	if err != nil {
		return nil, err
	}

	// Compiling can take seconds.
	ctx := context.Background()
	if m.BeginCompiling != nil {
		var end func()
		ctx, end = m.BeginCompiling(module.File)
		defer end()
	}

	// An error names the file, because a chain can have several.
	options := wasm.Options{Prefix: prefix, CacheDir: m.CacheDir, TimeLimit: m.TimeLimit}
	contract, err := wasm.Load(ctx, code, options)
	var limit *wasm.LimitError
	if errors.As(err, &limit) {
		return nil, &cw721.Error{Kind: KindLimit, Text: module.File + " cannot run here: " + limit.Text}
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no contract that can run here: %w", module.File, err)
	}
	m.readyContracts[key] = contract
	return contract, nil
}

var errModuleDamaged = errors.New("it does not match its checksum")

// readModule fails with a [*kv.CorruptError] if the code does not have the module's checksum.
func readModule(reader kv.Reader, module StoredModule) ([]byte, error) {
	prefix := module.keyPrefix()
	code := make([]byte, 0, module.Size)
	for part, err := range reader.Scan(kv.PrefixRange(prefix)) {
		if err != nil {
			return nil, err
		}
		code = append(code, part.Value...)
	}

	checksum := sha256.Sum256(code)
	if !bytes.HasSuffix(prefix, checksum[:]) {
		return nil, &kv.CorruptError{Key: prefix, Err: errModuleDamaged}
	}
	return code, nil
}

// addModule compiles the code of a contract, and stores it so that the chain can run it later.
// It fails as [modules.load] does. For a nil module, the built-in contract, it returns nil.
func (c *Chain) addModule(module *Module, prefix string) (*StoredModule, error) {
	if module == nil {
		return nil, nil
	}
	checksum := sha256.Sum256(module.Code)
	stored := StoredModule{
		File:     module.File,
		Checksum: hex.EncodeToString(checksum[:]),
		Size:     uint64(len(module.Code)),
	}
	readCode := func() ([]byte, error) { return module.Code, nil }
	if _, err := c.modules.load(stored, prefix, readCode); err != nil {
		return nil, err
	}

	// The code is larger than a transaction may be, so it is written in parts.
	err := c.db.Load(func(writer kv.Writer) error {
		number := uint16(0)
		for part := range slices.Chunk(module.Code, modulePartSize) {
			key := binary.BigEndian.AppendUint16(stored.keyPrefix(), number)
			if err := writer.Set(key, slices.Clone(part)); err != nil {
				return err
			}
			number++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.modules.hasStoredModules.Store(true)
	return &stored, nil
}

func (m *modules) detectStoredModules(reader kv.Reader) error {
	keys := kv.PrefixRange(modulePart)
	keys.KeysOnly = true
	for _, err := range reader.Scan(keys) {
		m.hasStoredModules.Store(err == nil)
		return err // the first key is enough
	}
	return nil // there is no key, so no code is stored
}

func (m *modules) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, contract := range m.readyContracts {
		_ = contract.Close() // no error matters, because it only frees memory
	}
	clear(m.readyContracts)
}

// Module returns the compiled contract that the chain runs; ok is false for the built-in one.
func (v *View) Module() (module StoredModule, ok bool, err error) {
	return moduleItem.Load(v.meta)
}

package chain

import (
	"bytes"
	"cmp"
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

	"ephemera/core/chain/history"
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

// modulePartSize is the size in bytes of the parts into which the code of a module is
// divided to be stored. The key of a part consists of the module's checksum and the number
// of the part in two bytes.
const modulePartSize = kv.MaxValue / 2

// identify returns what identifies the module in the store: its file name, checksum and size.
func (m Module) identify() StoredModule {
	checksum := sha256.Sum256(m.Code)
	return StoredModule{
		File:     m.File,
		Checksum: hex.EncodeToString(checksum[:]),
		Size:     uint64(len(m.Code)),
	}
}

// keyPrefix returns the beginning of the keys under which the code of the module is stored.
func (m StoredModule) keyPrefix() []byte {
	checksum, _ := hex.DecodeString(m.Checksum) // no error, because identify has encoded it
	return append(slices.Clone(modulePart), checksum...)
}

// Options say how a chain is opened and how it runs contracts.
type Options struct {
	// Discard removes an incomplete import before the chain is opened.
	Discard bool
	// CacheDir is where compiled contracts are kept in machine code for the next start;
	// empty for none.
	CacheDir string
	// TimeLimit is how long a call of a compiled contract may take; 0 is
	// [wasm.DefaultTimeLimit].
	TimeLimit time.Duration
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
	// PreviewsTruth makes previews show what the contract without the mistake would do, even
	// if a mutant executes the messages. So nobody can find the mistake by previews.
	PreviewsTruth bool
}

// modules runs the contracts of a chain. It compiles each compiled contract to machine code
// when it is needed for the first time, and then keeps it ready to run.
type modules struct {
	Options
	// hasStoredModules is true if the store has compiled contracts. If it is false, the
	// chain runs the built-in contract, and no message needs to look that up.
	hasStoredModules atomic.Bool
	keepsPace        bool // whether every move of the clock changes both height and time
	// isLayoutReported is true if a comparison has reported another storage layout, which
	// is reported only once.
	isLayoutReported atomic.Bool

	mu             sync.Mutex                // guards readyContracts and knownNames
	readyContracts map[string]*wasm.Contract // by the prefix of addresses and the checksum
	knownNames     map[string]MessageNames   // the messages that a module knows, by its checksum
}

// newModules returns the modules of a chain that is opened with options.
func newModules(options Options) *modules {
	return &modules{
		Options:        options,
		readyContracts: map[string]*wasm.Contract{},
		knownNames:     map[string]MessageNames{},
	}
}

// contract returns the contract that the chain runs in the state that reader sees: the
// compiled one that is stored there, or else the built-in one. It fails as [modules.load]
// does if the contract cannot run.
func (m *modules) contract(reader kv.Reader, config Config) (Contract, error) {
	meta := kv.PrefixedReader(reader, metaPart)
	builtInContract := builtIn{
		Contract: config.Contract(),
		code:     m.builtInCode(config.Contract()),
		meta:     meta,
	}
	if !m.hasStoredModules.Load() {
		return builtInContract, nil
	}
	module, isCompiled, err := moduleItem.Load(meta)
	if err != nil || !isCompiled {
		return builtInContract, err
	}
	readCode := func() ([]byte, error) { return readModule(reader, module) }
	code, err := m.load(module, config.Prefix, readCode)
	if err != nil {
		return nil, err
	}
	return compiled{Contract: code, decoder: config.Contract(), meta: meta, storageBytes: new(int)}, nil
}

// builtInCode returns the code that executes the messages of the built-in contract: the
// contract itself, or a mutant of it.
func (m *modules) builtInCode(original cw721.Contract) Code {
	if m.Mutate == nil {
		return original
	}
	return m.Mutate(original)
}

// forPreviews returns the modules that run previews. They are the same as for messages,
// unless [Options.PreviewsTruth] is set and a mutant, a contract with a deliberate mistake,
// executes the messages. Then previews run on the contract without the mistake.
func (m *modules) forPreviews() *modules {
	if m.Mutate == nil || !m.PreviewsTruth {
		return m
	}
	return newModules(Options{})
}

// load returns a compiled contract that is ready to run. The first time, it gets the code
// from readCode, compiles it to machine code and keeps the result. Later it returns the same
// contract. prefix is that of the chain's addresses. load fails with a [*wasm.ModuleError] if
// the module is no contract, and with a [*cw721.Error] of kind limit if compiling takes too
// much time or memory.
func (m *modules) load(
	module StoredModule,
	prefix string,
	readCode func() ([]byte, error),
) (*wasm.Contract, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	// A contract is compiled only once.
	key := prefix + module.Checksum
	if contract := m.readyContracts[key]; contract != nil {
		return contract, nil
	}
	code, err := readCode()
	if err != nil {
		return nil, err
	}

	// Compiling can take seconds. A caller that has set BeginCompiling can show that, or
	// stop it.
	ctx := context.Background()
	endCompiling := func() {}
	if m.BeginCompiling != nil {
		ctx, endCompiling = m.BeginCompiling(module.File)
	}
	defer endCompiling()

	// Compile the code. An error names the file, because a chain can have several.
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

// errModuleDamaged reports that a stored module is damaged.
var errModuleDamaged = errors.New("it does not match its checksum")

// readModule reads the code of a module, whose parts have keys with the same prefix. It fails
// with a [*kv.CorruptError] if the code does not have the module's checksum.
func readModule(reader kv.Reader, module StoredModule) ([]byte, error) {
	prefix := module.keyPrefix()
	code := make([]byte, 0, module.Size)
	for part, err := range reader.Scan(kv.PrefixRange(prefix)) {
		if err != nil {
			return nil, err
		}
		code = append(code, part.Value...)
	}

	// The prefix ends with the checksum that the code must have.
	checksum := sha256.Sum256(code)
	if !bytes.HasSuffix(prefix, checksum[:]) {
		return nil, &kv.CorruptError{Key: prefix, Err: errModuleDamaged}
	}
	return code, nil
}

// addModule stores the code of a compiled contract, so that the chain can run it later. It
// also compiles the code, and fails as [modules.load] does if the contract cannot run. For a
// nil module, that is for the built-in contract, it does nothing and returns nil.
func (c *Chain) addModule(module *Module, prefix string) (*StoredModule, error) {
	if module == nil {
		return nil, nil
	}
	stored := module.identify()
	readCode := func() ([]byte, error) { return module.Code, nil }
	if _, err := c.modules.load(stored, prefix, readCode); err != nil {
		return nil, err
	}

	// The code is larger than a transaction may be, so it is written in parts.
	err := c.db.Load(func(writer kv.Writer) error { return stored.writeCode(writer, module.Code) })
	if err != nil {
		return nil, err
	}
	c.modules.hasStoredModules.Store(true)
	return &stored, nil
}

// writeCode writes the code of the module in parts of [modulePartSize] bytes. The key of each
// part ends with its number, from 0.
func (m StoredModule) writeCode(writer kv.Writer, code []byte) error {
	number := uint16(0)
	for part := range slices.Chunk(code, modulePartSize) {
		key := binary.BigEndian.AppendUint16(m.keyPrefix(), number)
		if err := writer.Set(key, slices.Clone(part)); err != nil {
			return err
		}
		number++
	}
	return nil
}

// rulesRequest has the rules and the flavour that a user asked for when the chain of a
// compiled contract was made. They are empty if the user gave none.
type rulesRequest struct {
	// Rules are ignored if the contract is a known release, because a release has its own.
	Rules cw721.Rules `wire:"rules,optional"`
	// Flavour takes precedence over the flavour of a known release.
	Flavour cw721.Flavour `wire:"flavour,optional"`
}

// rulesRequestItem stores the rules and the flavour that were given for the compiled
// contract. A migration removes the record, and undo restores it.
var rulesRequestItem = kv.NewItem("code", cw721.StoredJSON[rulesRequest]())

// releases are the known compiled releases of cw721, by the checksums of their code. Tests
// compare each of them with its rule set.
var releases = map[string]cw721.Version{
	"d5fa68c6dcf210fd14e556a21d2f7a4976933da33caa97348ad99e0ec4373d9f": {
		Contract: "crates.io:cw721-base",
		Number:   "0.16.0",
	},
	"3301eb34f21ec92c25243154fbf34d851b811101b098d10fe1e709d34c394b16": {
		Contract: "crates.io:cw721-base",
		Number:   "0.17.0",
	},
	"771a4ac1854da5d15070be8436e7ba3e22982fe2c824ccd95f878f744980d0a5": {
		Contract: "crates.io:cw721-base",
		Number:   "0.18.0",
	},
	"96b5cd406ec19804d12052f9a87b78989c9094d319b5dabdb45e975258ec6575": {
		Contract: "crates.io:cw721-base",
		Number:   "0.19.0",
	},
	"7824b2de45e9c0df5f845398592e641a480b06709ba299bdde52f6887ae4bfd5": {
		Contract: "crates.io:cw721-metadata-onchain",
		Number:   "0.19.0",
	},
}

// Release returns the release of cw721 that the module is, such as cw721-base 0.19.0. It
// finds the release by the checksum of the code. ok is false if the checksum is not that of
// a known release, even if the contract itself says that it is one.
func (m StoredModule) Release() (release cw721.Version, ok bool) {
	release, ok = releases[m.Checksum]
	return release, ok
}

// versionIn returns the name and version of the contract's code, which are in the record
// contract_info. The result is empty if there is no such record, or if a compiled contract
// stores something else under its key.
func versionIn(records kv.Reader) (cw721.Version, error) {
	version, _, err := cw721.LoadVersion(records)
	if kv.IsCorrupt(err) {
		return cw721.Version{}, nil
	}
	return version, err
}

// RulesDifference describes for people how the rules in force may differ from those of the
// release that the record contract_info names; see [cw721.Rules.DescribeDifference]. It
// returns "" if they are the same, and for a collection that the built-in contract created.
func (v *View) RulesDifference() (string, error) {
	_, isCompiled, err := v.Module()
	if err != nil {
		return "", err
	}
	state, err := v.HistoryState()
	if err != nil {
		return "", err
	}

	// A collection that the built-in contract created has the rules that were chosen then. If
	// the collection was not imported, the set-up ends with the instantiate message.
	setupEnd, err := v.Node(state.SetupEnd)
	isCreatedHere := err == nil && setupEnd.Kind == history.KindInstantiate
	if isCreatedHere && !isCompiled {
		return "", nil
	}
	version, err := versionIn(v.records)
	return v.Rules.DescribeDifference(version), err
}

// configIn returns the config of a chain with the rules and the flavour that are in force in
// the state that reader sees. config is the one that the chain was made with, which stays in
// force for the built-in contract.
//
// A compiled contract has the rules of its release. If it is no known release, the rules are
// those that the user asked for when the chain was made, and can be empty.
func (m *modules) configIn(reader kv.Reader, config Config) (Config, error) {
	if !m.hasStoredModules.Load() {
		return config, nil
	}
	meta := kv.PrefixedReader(reader, metaPart)
	module, isCompiled, err := moduleItem.Load(meta)
	if err != nil || !isCompiled {
		return config, err
	}
	request, _, err := rulesRequestItem.Load(meta)
	if err != nil {
		return config, err
	}

	// The checksum tells the release for certain. If it is not that of a known release,
	// believe the record contract_info, in which the contract names its release.
	version, isKnown := module.Release()
	if !isKnown {
		version, err = versionIn(kv.PrefixedReader(reader, contractPart))
	}
	rules, flavour := cw721.IdentifyCode(version)
	config.Rules = cmp.Or(rules, request.Rules)
	config.Flavour = cmp.Or(request.Flavour, flavour, config.Flavour)
	return config, err
}

// NoRulesError reports that no rule set is known for the contract, so that it is not known
// either what the contract permits. Reason is a clause that says why.
type NoRulesError struct{ Reason string }

func (e *NoRulesError) Error() string {
	return "there is no rule set for this contract, so what it permits is not known: " + e.Reason
}

// checkRules fails with a [*NoRulesError] if no rule set is in force. The error says which
// release, if any, the contract's records name.
func (c Config) checkRules(records kv.Reader) error {
	if c.Rules != "" {
		return nil
	}
	version, err := versionIn(records)
	if err != nil {
		return err
	}
	return &NoRulesError{Reason: c.Rules.DescribeDifference(version)}
}

// CheckRules fails with a [*NoRulesError] if no rule set is in force, or if the storage has
// an older layout, which no rule set reads.
func (v *View) CheckRules() error {
	if v.isReadable && v.Layout != cw721.CurrentLayout {
		return &NoRulesError{Reason: "its storage is that of " + v.Layout.Releases}
	}
	return v.checkRules(v.records)
}

// checkRulesFit fails with a [*FieldError] if the caller requires rules, by RulesMustFit in
// the genesis, and the contract has others.
func (s *session) checkRulesFit(genesis Genesis) error {
	configInForce, err := s.modules.configIn(s.store, s.Config)
	if err != nil {
		return err
	}
	if genesis.RulesMustFit && genesis.Rules != configInForce.Rules {
		return fieldErrorf(
			"rules",
			"the compiled contract has %s, not %s; expected no rules, or those",
			configInForce.Rules,
			genesis.Rules,
		)
	}
	return nil
}

// detectStoredModules finds out whether the store has the code of any compiled contract, and
// sets hasStoredModules if so.
func (m *modules) detectStoredModules(reader kv.Reader) error {
	keys := kv.PrefixRange(modulePart)
	keys.KeysOnly = true
	for _, err := range reader.Scan(keys) {
		m.hasStoredModules.Store(err == nil)
		return err // the first key is enough
	}
	return nil // there is no key, so no code is stored
}

// close releases the memory of the compiled contracts that are ready to run.
func (m *modules) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, contract := range m.readyContracts {
		_ = contract.Close() // no error matters, because it only frees memory
	}
	clear(m.readyContracts)
}

// UnknownModuleFile returns the name of the file of the compiled contract that the chain
// runs, if its code is no known release of cw721. Such a contract may follow other rules
// than those in force. UnknownModuleFile returns "" for a known release and for the
// built-in contract.
func (v *View) UnknownModuleFile() (file string, err error) {
	module, isCompiled, err := v.Module()
	if err != nil || !isCompiled {
		return "", err
	}
	if _, isRelease := module.Release(); isRelease {
		return "", nil
	}
	return module.File, nil
}

// Module returns the compiled contract that the chain runs; ok is false if it runs the
// built-in one.
func (v *View) Module() (module StoredModule, ok bool, err error) {
	return moduleItem.Load(v.meta)
}

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
	File string // its name, for people
	Code []byte
}

// StoredModule is what the store says about the module that a chain runs.
type StoredModule struct {
	File     string `wire:"file"`
	Checksum string `wire:"sha256"` // in hex, as chains list code
	Size     uint64 `wire:"size"`   // bytes
}

// moduleItem names the module that is run; it is absent where the contract is
// the built-in one. A migration changes it, and an undo changes it back, so the
// modules themselves stay.
var moduleItem = kv.NewItem("module", cw721.StoredJSON[StoredModule]())

// A module lies in parts of this size, under its checksum and a number of two
// bytes.
const modulePartSize = kv.MaxValue / 2

func (m Module) stored() StoredModule {
	sum := sha256.Sum256(m.Code)
	return StoredModule{File: m.File, Checksum: hex.EncodeToString(sum[:]), Size: uint64(len(m.Code))}
}

func (m StoredModule) prefix() []byte {
	sum, _ := hex.DecodeString(m.Checksum)
	return append(slices.Clone(modulePart), sum...)
}

// Options are how a chain is opened and runs compiled contracts.
type Options struct {
	// Discard first removes what an interrupted import has left.
	Discard bool
	// CacheDir keeps them compiled for the next start; empty for none.
	CacheDir string
	// TimeLimit is how long a call may take; 0 is [wasm.DefaultTimeLimit].
	TimeLimit time.Duration
	// Compiling is called before a contract is compiled: ctx interrupts that, and
	// end is called after it. It is nil where nobody waits for it.
	Compiling func(file string) (ctx context.Context, end func())
	// Compare has the built-in contract answer every message and query as well.
	Compare bool
	// Wrap gives what runs in the place of the built-in contract, around it; nil
	// for that itself.
	Wrap func(Contract) Contract
}

// modules are the compiled contracts of a chain. Each is compiled when it is
// called for the first time.
type modules struct {
	Options
	any atomic.Bool // false: the store has none, which spares a look each time

	mu    sync.Mutex
	ready map[string]*wasm.Contract // by prefix and checksum
}

func newModules(o Options) *modules { return &modules{Options: o, ready: map[string]*wasm.Contract{}} }

// contract gives the code that the chain runs in the state of r.
func (m *modules) contract(r kv.Reader, cfg Config) (Contract, error) {
	meta := kv.PrefixedReader(r, metaPart)
	var own Contract = builtIn{cfg.Contract(), meta}
	if m.Wrap != nil {
		own = m.Wrap(own)
	}
	if !m.any.Load() {
		return own, nil
	}
	about, ok, err := moduleItem.Load(meta)
	if err != nil || !ok {
		return own, err
	}
	c, err := m.load(about, cfg.Prefix, func() ([]byte, error) { return readModule(r, about) })
	return compiled{Contract: c, meta: meta, held: new(int)}, err
}

// load gives a module compiled; code reads it where it is called for the first
// time. It fails with a [*wasm.ModuleError] for what is no contract, and with a
// [*cw721.Error] of kind limit for what takes too much.
func (m *modules) load(about StoredModule, prefix string, code func() ([]byte, error)) (*wasm.Contract, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := prefix + about.Checksum
	if c := m.ready[key]; c != nil {
		return c, nil
	}
	b, err := code()
	if err != nil {
		return nil, err
	}
	ctx, end := context.Background(), func() {}
	if m.Compiling != nil {
		ctx, end = m.Compiling(about.File)
	}
	defer end()
	c, err := wasm.Load(ctx, b, wasm.Options{Prefix: prefix, CacheDir: m.CacheDir, TimeLimit: m.TimeLimit})
	var limit *wasm.LimitError
	switch {
	case errors.As(err, &limit):
		return nil, &cw721.Error{Kind: KindLimit, Text: about.File + " is not run here: " + limit.Text}
	case err != nil:
		return nil, fmt.Errorf("%s is no contract to be run here: %w", about.File, err)
	}
	m.ready[key] = c
	return c, nil
}

var errModuleDamaged = errors.New("it is not what its checksum says")

func readModule(r kv.Reader, about StoredModule) ([]byte, error) {
	prefix := about.prefix()
	code := make([]byte, 0, about.Size)
	for p, err := range r.Scan(kv.PrefixRange(prefix)) {
		if err != nil {
			return nil, err
		}
		code = append(code, p.Value...)
	}
	if sum := sha256.Sum256(code); !bytes.HasSuffix(prefix, sum[:]) {
		return nil, &kv.CorruptError{Key: prefix, Err: errModuleDamaged}
	}
	return code, nil
}

// add compiles a module, nil for none, and puts it into the store, where nothing
// names it yet. It fails as load does.
func (c *Chain) add(module *Module, prefix string) (*StoredModule, error) {
	if module == nil {
		return nil, nil
	}
	about := module.stored()
	if _, err := c.modules.load(about, prefix, func() ([]byte, error) { return module.Code, nil }); err != nil {
		return nil, err
	}
	err := c.db.Load(func(w kv.Writer) error {
		key := about.prefix()
		for i, part := range slices.Collect(slices.Chunk(module.Code, modulePartSize)) {
			if err := w.Set(binary.BigEndian.AppendUint16(slices.Clone(key), uint16(i)), slices.Clone(part)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		c.modules.any.Store(true)
	}
	return &about, err
}

// save makes a module the one that is run; nil leaves it the built-in one.
func (m *StoredModule) save(meta kv.Writer) error {
	if m == nil {
		return nil
	}
	return moduleItem.Save(meta, *m)
}

// releasedCode is what the contract_info of a compiled contract says of it, each
// member empty where that is not known.
type releasedCode struct {
	Rules   cw721.Rules   `wire:"rules,optional"`
	Flavour cw721.Flavour `wire:"flavour,optional"`
}

// codeItem holds the code of the compiled contract that is run. A migration
// changes it, and an undo changes it back. It is absent where the contract is the
// built-in one, and in databases that were made before it was kept.
var codeItem = kv.NewItem("code", cw721.StoredJSON[releasedCode]())

// saveCode notes what the compiled contract that is run, if there is one, says of
// itself. keepFlavour leaves a flavour that is noted already.
func (s *session) saveCode(meta kv.Txn, contract kv.Reader, keepFlavour bool) error {
	if _, ok, err := moduleItem.Load(meta); err != nil || !ok {
		return err
	}
	version, err := versionIn(contract)
	if err != nil {
		return err
	}
	noted, _, err := codeItem.Load(meta)
	rules, flavour := cw721.IdentifyCode(version)
	if keepFlavour {
		flavour = cmp.Or(noted.Flavour, flavour)
	}
	return cmp.Or(err, codeItem.Save(meta, releasedCode{Rules: rules, Flavour: flavour}))
}

// versionIn reads contract_info. It is empty where there is none, and where a
// compiled contract keeps something else under that key.
func versionIn(contract kv.Reader) (cw721.Version, error) {
	version, _, err := cw721.LoadVersion(contract)
	if kv.IsCorrupt(err) {
		return cw721.Version{}, nil
	}
	return version, err
}

// RulesDifference is [cw721.Rules.DifferenceFrom] of the rules in force and the
// contract_info in the storage. It is empty for a collection whose contract_info the
// built-in contract wrote.
func (v *View) RulesDifference() (string, error) {
	_, isCompiled, err := v.Module()
	state, noState := v.HistoryState()
	if err := cmp.Or(err, noState); err != nil {
		return "", err
	}
	if first, err := v.Node(state.SetupEnd); err == nil && first.Kind == history.KindInstantiate && !isCompiled {
		return "", nil
	}
	version, err := versionIn(v.contract)
	return v.Rules.DifferenceFrom(version), err
}

// configIn gives the config of a chain with the rules and the flavour that are in
// force in the state of r.
func (m *modules) configIn(r kv.Reader, made Config) (Config, error) {
	if !m.any.Load() {
		return made, nil
	}
	code, _, err := codeItem.Load(kv.PrefixedReader(r, metaPart))
	made.Rules = cmp.Or(code.Rules, made.Rules)
	made.Flavour = cmp.Or(code.Flavour, made.Flavour)
	return made, err
}

// RulesError says that a compiled contract does not have the rules asked for.
type RulesError struct{ Asked, Has cw721.Rules }

func (e *RulesError) Error() string {
	return fmt.Sprintf("rules: the compiled contract has %s, not %s; expected no rules, or those", e.Has, e.Asked)
}

// checkRulesFit fails with a [*RulesError] where the genesis insists on other rules
// than those in force.
func (s *session) checkRulesFit(g Genesis) error {
	now, err := s.modules.configIn(s.t, s.Config)
	if err == nil && g.RulesMustFit && g.Rules != now.Rules {
		return &RulesError{Asked: g.Rules, Has: now.Rules}
	}
	return err
}

// look notes whether the store has modules.
func (m *modules) look(r kv.Reader) error {
	for _, err := range r.Scan(kv.Range{Start: modulePart, End: kv.PrefixEnd(modulePart), KeysOnly: true}) {
		m.any.Store(err == nil)
		return err
	}
	return nil
}

func (m *modules) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.ready {
		_ = c.Close() // it holds memory only
	}
	clear(m.ready)
}

// Module tells which compiled contract the chain runs; ok is false where it is
// the built-in one.
func (v *View) Module() (m StoredModule, ok bool, err error) {
	return moduleItem.Load(v.meta())
}

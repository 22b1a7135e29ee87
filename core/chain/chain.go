// Package chain is what a chain does around one contract: it owns the block,
// runs one transaction at a time, delivers the messages that the contract
// sends, and knows accounts by name. Beyond a real chain it lets anyone act as
// anyone, moves the block only when told to, remembers everything that
// happened, and can go back.
//
// Everything is state in one store: the contract's records, the clock, the
// accounts, the history, the expiry index. A call reads and writes them in a single
// transaction, so whatever interrupts the program leaves them in step.
//
// A refusal of the contract or of the chain is a [*cw721.Error]. It is an
// outcome like any other and is remembered; trouble with the store is not.
//
// The package must never know of a screen, a file or the wall clock, and
// nothing outside it writes to the store that it was given.
package chain

import (
	"cmp"
	"errors"
	"sync/atomic"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// The parts of the store, under one byte each. Only the first is the
// contract's; exports hold nothing else.
var (
	contractPart = []byte{'c'}
	historyPart  = []byte{'h'}
	expiryPart   = []byte{'a'}
	accountPart  = []byte{'b'}
	metaPart     = []byte{'m'}
	modulePart   = []byte{'w'} // of compiled contracts
)

// Kinds of refusal that are the chain's and not the contract's.
const (
	// KindChain refuses delivery: no such contract, or the receiver said no.
	KindChain cw721.Kind = "chain"
	// KindLimit refuses keys and values that are larger than a store takes.
	KindLimit cw721.Kind = "limit"
)

// Errors about whether there is a collection at all.
var (
	ErrNoCollection = errors.New("there is no collection yet")
	ErrCollection   = errors.New("the database holds a collection already")
	ErrImporting    = errors.New("an import into this database was interrupted, and what it holds is incomplete")
)

// Chain is one contract on one chain, over one store. What reads or changes it
// fails with [ErrNoCollection] while there is none, and with the store's own
// errors; what else can go wrong stands at each method. It serves any number of
// goroutines: readers see one commit each, and writers wait for each other.
type Chain struct {
	db kv.DB

	config  atomic.Pointer[Config] // nil while there is no chain in the store
	modules *modules
}

var configItem = kv.NewItem("config", cw721.StoredJSON[Config]())
var instantiatorItem = kv.NewItem("instantiator", cw721.StoredJSON[cw721.Address]())

// Open gives the chain in a store; the store may be empty. It fails with
// [ErrImporting] when an import was cut off.
func Open(db kv.DB) (*Chain, error) { return OpenWith(db, Options{}) }

// OpenWith is [Open] with options.
func OpenWith(db kv.DB, o Options) (*Chain, error) {
	if o.Discard {
		if err := Discard(db); err != nil {
			return nil, err
		}
	}
	c := &Chain{db: db, modules: newModules(o)}
	err := db.View(func(r kv.Reader) error {
		meta := kv.PrefixedReader(r, metaPart)
		if _, ok, err := meta.Get(importingKey); err != nil || ok {
			return cmp.Or(err, ErrImporting)
		}
		cfg, ok, err := configItem.Load(meta)
		if ok {
			c.config.Store(&cfg)
		}
		return cmp.Or(err, c.modules.detect(r))
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Config gives what the chain was made with; ok is false while there is none. The
// rules and the flavour that are in force are those of a [View].
func (c *Chain) Config() (cfg Config, ok bool) {
	if made := c.config.Load(); made != nil {
		return *made, true
	}
	return Config{}, false
}

func (c *Chain) mustConfig() (Config, error) {
	cfg, ok := c.Config()
	if !ok {
		return cfg, ErrNoCollection
	}
	return cfg, nil
}

// Begin makes a chain in an empty store, without a collection yet: its config,
// its clock, its accounts. It fails with [ErrCollection] when there is one, and
// with [ErrImporting] over the rest of an import.
func (c *Chain) Begin(g Genesis) error {
	cfg, err := c.begin(g, nil)
	if err == nil {
		c.config.Store(&cfg)
	}
	return err
}

// Create is [Chain.Begin] and the instantiate message in one transaction: a
// refused message leaves the store empty.
func (c *Chain) Create(g Genesis, sender cw721.Address, msg []byte) (Receipt, error) {
	var receipt Receipt
	cfg, err := c.begin(g, func(s *session) error {
		var err error
		receipt, err = s.run(instantiateStep, sender, msg)
		return cmp.Or(err, receipt.Err())
	})
	if err != nil {
		receipt.Node, receipt.Revision = 0, 0
		return receipt, err
	}
	c.config.Store(&cfg)
	return receipt, nil
}

// begin writes a new chain, and then what first writes, in one transaction. first may
// be nil. If the transaction fails, the store is empty again.
func (c *Chain) begin(g Genesis, first func(*session) error) (Config, error) {
	if _, exists := c.Config(); exists {
		return Config{}, ErrCollection
	}
	askedCode := releasedCode{Flavour: g.Flavour}
	g, err := g.WithDefaults()
	if err != nil {
		return Config{}, err
	}
	module, err := c.addModule(g.Module, g.Prefix)
	if err != nil {
		return Config{}, err
	}

	err = c.db.Update(func(t kv.Txn) error {
		s := newSession(t, g.Config, c.modules)
		if err := s.checkEmpty(); err != nil {
			return err
		}
		if err := s.saveModule(module, askedCode); err != nil {
			return err
		}
		if err := s.saveGenesis(g.Config, blockState{Clock: g.Clock}, g.Accounts); err != nil {
			return err
		}
		if first == nil {
			return s.bump()
		}
		if err := first(s); err != nil {
			return err
		}
		return s.checkRulesFit(g)
	})
	if err != nil && module != nil {
		c.removeEverything() // addModule has stored the module already
	}
	return g.Config, err
}

// removeEverything empties the store. It gives up if the store fails: the caller has an
// error to return already.
func (c *Chain) removeEverything() {
	_ = c.db.View(func(r kv.Reader) error {
		return c.db.Load(func(w kv.Writer) error { return removeAll(r, w, nil) })
	})
}

// saveModule stores the compiled contract of a new chain, and the rules and flavour that
// were asked for. A nil module is the built-in contract, which needs neither.
func (s *session) saveModule(module *StoredModule, asked releasedCode) error {
	if module == nil {
		return nil
	}
	if err := module.save(s.meta); err != nil {
		return err
	}
	return codeItem.Save(s.meta, asked)
}

// saveGenesis stores the config, the clock and the accounts of a new chain.
func (s *session) saveGenesis(cfg Config, now blockState, accounts []Account) error {
	if err := configItem.Save(s.meta, cfg); err != nil {
		return err
	}
	if err := blockStateItem.Save(s.meta, now); err != nil {
		return err
	}
	for _, account := range accounts {
		account, err := account.Addressed(s.Prefix)
		if err != nil {
			return err
		}
		if err := saveAccount(s.accounts, s.Prefix, account); err != nil {
			return err
		}
	}
	return nil
}

// checkEmpty returns [ErrCollection] if the store holds a chain, and [ErrImporting] if
// it holds the remains of an import.
func (s *session) checkEmpty() error {
	_, exists, err := s.meta.Get(configItem.Key())
	if err != nil {
		return err
	}
	if exists {
		return ErrCollection
	}
	_, importing, err := s.meta.Get(importingKey)
	if err != nil {
		return err
	}
	if importing {
		return ErrImporting
	}
	return nil
}

// session is one read-write transaction on the chain.
type session struct {
	Config
	t                                         kv.Txn
	contract, history, expiry, accounts, meta kv.Txn

	modules *modules
}

func newSession(t kv.Txn, cfg Config, m *modules) *session {
	return &session{
		Config: cfg, t: t, modules: m,
		contract: kv.Prefixed(t, contractPart),
		history:  kv.Prefixed(t, historyPart),
		expiry:   kv.Prefixed(t, expiryPart),
		accounts: kv.Prefixed(t, accountPart),
		meta:     kv.Prefixed(t, metaPart),
	}
}

// update runs fn in a transaction on the chain.
func (c *Chain) update(fn func(*session) error) error {
	cfg, err := c.mustConfig()
	if err != nil {
		return err
	}
	return c.db.Update(func(t kv.Txn) error {
		now, err := c.modules.configIn(t, cfg)
		if err != nil {
			return err
		}
		return fn(newSession(t, now, c.modules))
	})
}

// change gives what a function gives that changes the chain.
func change[T any](c *Chain, fn func(*session) (T, error)) (given T, err error) {
	err = c.update(func(s *session) (err error) {
		given, err = fn(s)
		return err
	})
	return given, err
}

// bump counts a commit that is not part of the history.
func (s *session) bump() error { return s.settle(func(*history.State) error { return nil }) }

// settle changes where the history stands, and counts a commit.
func (s *session) settle(change func(*history.State) error) error {
	state, err := history.Load(s.history)
	if err != nil {
		return err
	}
	state.Revision++
	if err := change(&state); err != nil {
		return err
	}
	return state.Save(s.history)
}

// Close closes the store.
func (c *Chain) Close() error {
	err := errors.Join(c.discardUnused(), c.db.Close())
	c.modules.close()
	return err
}

// discardUnused removes what a failed import has left. A store that was made for
// this chain goes altogether if it holds none.
func (c *Chain) discardUnused() error {
	if _, ok := c.Config(); ok {
		return nil
	}
	hasChain := true
	err := c.db.View(func(r kv.Reader) (err error) {
		_, hasChain, err = configItem.Load(kv.PrefixedReader(r, metaPart))
		return err
	})
	if store, ok := c.db.(kv.Abandoner); ok && err == nil && !hasChain && store.Abandon() {
		return nil
	}
	err = Discard(c.db)
	if errors.Is(err, kv.ErrClosed) {
		return nil
	}
	return err
}

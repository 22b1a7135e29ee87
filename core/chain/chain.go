// Package chain simulates the chain around one contract. It keeps the current block, runs
// one transaction at a time, delivers the messages that the contract sends, and names
// accounts. Unlike a real chain, it lets anyone act as anyone, moves the block only on
// request, records everything that happened in a history, and can undo it.
//
// One store holds all state: the contract's records, the clock, the accounts, the history
// and the expiry index. Each call reads and writes them in one transaction, so they stay
// consistent even if the program is interrupted.
//
// A refusal by the contract or the chain is a [*cw721.Error]. It is a regular outcome and
// part of the history. Any other error is trouble with the store, and changes nothing.
//
// The package must not use a screen, a file or the wall clock. Only this package writes to
// the store of a chain.
package chain

import (
	"cmp"
	"errors"
	"slices"
	"sync/atomic"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// The prefixes of the keys in the parts of the store. Only the first part belongs to the
// contract, and only it is exported.
var (
	contractPart = []byte{'c'} // the contract's records
	historyPart  = []byte{'h'} // the tree of all messages and clock moves
	expiryPart   = []byte{'a'} // the index of what will expire
	accountPart  = []byte{'b'} // the address book
	metaPart     = []byte{'m'} // the chain's own records, such as the clock
	modulePart   = []byte{'w'} // the code of compiled contracts
	mutantPart   = []byte{'x'} // records that only a mutant has, the contract with a mistake
)

// storeKey returns the key that a record has in the whole store. key is its key in a part of
// the store, which is without the prefix of the part.
func storeKey(part, key []byte) []byte { return slices.Concat(part, key) }

// storeParts are readers of the parts of a store. Their keys are without the part's prefix.
type storeParts struct {
	records  kv.Reader // the contract's records
	history  kv.Reader // the tree of all messages and clock moves
	expiry   kv.Reader // the index of what will expire
	accounts kv.Reader // the address book
	meta     kv.Reader // the chain's own records, such as the clock
}

// readParts returns readers of the parts of a store.
func readParts(reader kv.Reader) storeParts {
	return storeParts{
		records:  kv.PrefixedReader(reader, contractPart),
		history:  kv.PrefixedReader(reader, historyPart),
		expiry:   kv.PrefixedReader(reader, expiryPart),
		accounts: kv.PrefixedReader(reader, accountPart),
		meta:     kv.PrefixedReader(reader, metaPart),
	}
}

// Kinds of refusals by the chain. Refusals by the contract have other kinds.
const (
	// KindChain is the kind of a failed delivery: there is no such contract, or the receiver
	// refused the message.
	KindChain cw721.Kind = "chain"
	// KindLimit is the kind of a key or a value that is too large for the store, and of a
	// compiled contract that takes too much time or memory.
	KindLimit cw721.Kind = "limit"
)

// Errors of calls for which the store is not in the right state: it has no collection, has
// one already, or has the remains of an interrupted import.
var (
	ErrNoCollection     = errors.New("there is no collection yet")
	ErrCollectionExists = errors.New("the database holds a collection already")

	ErrImporting = errors.New("an import into this database was interrupted, and what it holds is incomplete")
)

// Chain is a chain with one contract, in one store. All methods that read or change it fail
// with [ErrNoCollection] if the store is empty, and with the store's own errors; the methods
// document only other errors. A Chain can be used by several goroutines: a reader sees the
// state of one commit, and writers wait for each other.
type Chain struct {
	db kv.DB

	config  atomic.Pointer[Config] // nil if the store is empty
	modules *modules
}

// configItem holds the config that the chain was made with.
var configItem = kv.NewItem("config", cw721.StoredJSON[Config]())

// datesGrantsKey is the key of a record which means that an imported grant has the zero block in
// the expiry index, since nobody knows when it was given. Older programs took the block of the
// import instead. They skip this record, so they can open a store that has it, which a new
// member of the config would prevent.
var datesGrantsKey = []byte("dates_grants")

// instantiatorItem holds the sender of the instantiate message, if known.
var instantiatorItem = kv.NewItem("instantiator", cw721.StoredJSON[cw721.Address]())

// Open opens the chain in a store, which can be empty. It fails with [ErrImporting] if the
// store holds an incomplete import.
func Open(db kv.DB) (*Chain, error) { return OpenWith(db, Options{}) }

// OpenWith opens the chain in a store like [Open], with options. If the options say so, it
// first removes an incomplete import.
func OpenWith(db kv.DB, options Options) (*Chain, error) {
	if options.Discard {
		if err := Discard(db); err != nil {
			return nil, err
		}
	}

	// Read the configuration, which a store without a chain does not have.
	openedChain := &Chain{db: db, modules: newModules(options)}
	err := db.View(func(reader kv.Reader) error {
		meta := kv.PrefixedReader(reader, metaPart)
		if err := checkNotImporting(meta); err != nil {
			return err
		}
		config, exists, err := configItem.Load(meta)
		if err != nil {
			return err
		}
		if exists {
			openedChain.config.Store(&config)
		}
		return openedChain.modules.detectStoredModules(reader)
	})
	if err != nil {
		return nil, err
	}
	return openedChain, nil
}

// Config returns the config that the chain was made with. ok is false if the store is
// empty. The rules and the flavour in force can be others if a compiled contract runs; a
// [View] has them.
func (c *Chain) Config() (config Config, ok bool) {
	if stored := c.config.Load(); stored != nil {
		return *stored, true
	}
	return Config{}, false
}

// existingConfig returns the chain's config. It fails with [ErrNoCollection] if the store
// is empty.
func (c *Chain) existingConfig() (Config, error) {
	config, exists := c.Config()
	if !exists {
		return config, ErrNoCollection
	}
	return config, nil
}

// Begin makes a chain in an empty store, with config, clock and accounts but without a
// collection. It fails with [ErrCollectionExists] if there is a chain, with [ErrImporting]
// if there is an incomplete import, and as [Genesis.WithDefaults] does.
func (c *Chain) Begin(genesis Genesis) error { return c.begin(genesis, (*session).countCommit) }

// Create makes a chain as [Chain.Begin] does, and executes the instantiate message in the
// same transaction. If the contract refuses the message, Create fails with the refusal, and
// the store stays empty.
func (c *Chain) Create(genesis Genesis, sender cw721.Address, msg []byte) (Receipt, error) {
	var receipt Receipt
	err := c.begin(genesis, func(s *session) (err error) {
		receipt, err = s.run(instantiateOperation, sender, msg)
		if err != nil {
			return err
		}
		return cmp.Or(receipt.Err(), s.checkRulesFit(genesis))
	})
	if err != nil {
		return receipt.withoutNode(), err
	}
	return receipt, nil
}

// begin writes a new chain and then calls finish, both in one transaction, so that finish can
// still write or refuse something. If any of this fails, the store stays empty. begin fails
// as [Chain.Begin] does, and with the errors of finish.
func (c *Chain) begin(genesis Genesis, finish func(*session) error) error {
	if _, exists := c.Config(); exists {
		return ErrCollectionExists
	}

	// Remember what the caller asked for, before the defaults are filled in.
	request := rulesRequest{Rules: genesis.Rules, Flavour: genesis.Flavour}
	genesis, err := genesis.WithDefaults()
	if err != nil {
		return err
	}
	module, err := c.addModule(genesis.Module, genesis.Prefix)
	if err != nil {
		return err
	}

	err = c.db.Update(func(txn kv.Txn) error {
		s := newSession(txn, genesis.Config, c.modules)
		if err := s.saveNewChain(genesis, module, request); err != nil {
			return err
		}
		return finish(s)
	})
	if err != nil {
		if module != nil {
			// addModule has stored the module already, so remove it. A failure of that is not
			// reported, because there is an error to return.
			_ = removeAll(c.db, everyKey, noException)
		}
		return err
	}
	c.config.Store(&genesis.Config)
	return nil
}

// saveNewChain stores the records of a chain without a collection. It fails with
// [ErrCollectionExists] or [ErrImporting] if the store is not empty.
func (s *session) saveNewChain(
	genesis Genesis,
	module *StoredModule,
	request rulesRequest,
) error {
	if err := s.checkStoreIsEmpty(); err != nil {
		return err
	}
	if err := s.saveModule(module, request); err != nil {
		return err
	}
	return s.saveGenesis(blockState{Clock: genesis.Clock}, genesis.Accounts)
}

// saveModule stores which compiled contract a new chain runs, and the rules and flavour that
// were requested for it. A nil module is the built-in contract, which needs neither.
func (s *session) saveModule(module *StoredModule, request rulesRequest) error {
	if module == nil {
		return nil
	}
	if err := moduleItem.Save(s.meta, *module); err != nil {
		return err
	}
	return rulesRequestItem.Save(s.meta, request)
}

// saveGenesis stores the config of the session, and the clock and the accounts of a new
// chain.
func (s *session) saveGenesis(currentBlock blockState, accounts []Account) error {
	err := cmp.Or(
		configItem.Save(s.meta, s.Config),
		s.meta.Set(datesGrantsKey, []byte{1}),
		blockStateItem.Save(s.meta, currentBlock))
	if err != nil {
		return err
	}
	for _, account := range accounts {
		if _, err := s.saveAccount(account); err != nil {
			return err
		}
	}
	return nil
}

// checkStoreIsEmpty returns [ErrCollectionExists] if the store holds a chain, and
// [ErrImporting] if it holds the remains of an import.
func (s *session) checkStoreIsEmpty() error {
	_, exists, err := s.meta.Get(configItem.Key())
	if err != nil {
		return err
	}
	if exists {
		return ErrCollectionExists
	}
	return checkNotImporting(s.meta)
}

// session is one transaction that reads and writes the chain.
type session struct {
	// Config is the chain's config, with the rules and the flavour that are in force.
	Config
	// store is the whole store, with all parts.
	store kv.Txn

	// These are the parts of the store.
	records  kv.Txn // the contract's records
	history  kv.Txn // the tree of all messages and clock moves
	expiry   kv.Txn // the index of what will expire
	accounts kv.Txn // the address book
	meta     kv.Txn // the chain's own records, such as the clock

	modules *modules // runs compiled contracts
}

// newSession returns a session over a transaction on the whole store. Each part of the
// store has its own prefix.
func newSession(txn kv.Txn, config Config, modules *modules) *session {
	return &session{
		Config:   config,
		store:    txn,
		modules:  modules,
		records:  kv.PrefixedTxn(txn, contractPart),
		history:  kv.PrefixedTxn(txn, historyPart),
		expiry:   kv.PrefixedTxn(txn, expiryPart),
		accounts: kv.PrefixedTxn(txn, accountPart),
		meta:     kv.PrefixedTxn(txn, metaPart),
	}
}

// update runs fn in a transaction on the chain. If fn fails, update writes nothing and
// returns the error.
func (c *Chain) update(fn func(*session) error) error {
	config, err := c.existingConfig()
	if err != nil {
		return err
	}
	return c.db.Update(func(txn kv.Txn) error {
		configInForce, err := c.modules.configIn(txn, config)
		if err != nil {
			return err
		}
		return fn(newSession(txn, configInForce, c.modules))
	})
}

// updateWithResult is [Chain.update] for a function with a result, which it returns.
func updateWithResult[T any](c *Chain, fn func(*session) (T, error)) (result T, err error) {
	err = c.update(func(s *session) (err error) {
		result, err = fn(s)
		return err
	})
	return result, err
}

// countCommit increases the revision, which is the number of commits, for a commit that adds
// no node to the history.
func (s *session) countCommit() error {
	return s.updateHistory(func(*history.State) error { return nil })
}

// updateHistory loads the state of the history, increases its revision, lets change alter the
// rest of it, and saves it.
func (s *session) updateHistory(change func(*history.State) error) error {
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

// Close closes the store and releases the compiled contracts. If an import was begun and not
// finished, Close first removes what the import has written, because that is of no use.
func (c *Chain) Close() error {
	err := errors.Join(c.discardUnused(), c.db.Close())
	c.modules.close()
	return err
}

// discardUnused removes what nobody needs when a store without a chain is closed: the records
// of an incomplete import, or the whole store if it was made only for this chain. If there is
// a chain, discardUnused does nothing.
func (c *Chain) discardUnused() error {
	if _, exists := c.Config(); exists {
		return nil
	}

	// Let the store delete its own files when it is closed, if opening it has created them.
	if c.abandonStore() {
		return nil
	}

	// Otherwise remove only the records of the incomplete import. The store may have been
	// closed before.
	err := Discard(c.db)
	if errors.Is(err, kv.ErrClosed) {
		return nil
	}
	return err
}

// abandonStore lets a store that was made only for this chain delete its own files when it is
// closed. It returns false, and does nothing, if the store has a chain or is no such store.
func (c *Chain) abandonStore() bool {
	hasChain, err := c.hasStoredChain()
	if err != nil || hasChain {
		return false
	}
	store, canAbandon := c.db.(kv.Abandoner)
	return canAbandon && store.Abandon()
}

// hasStoredChain reports whether the store holds a chain, which another [Chain] on the same
// store may have made.
func (c *Chain) hasStoredChain() (exists bool, err error) {
	err = c.db.View(func(reader kv.Reader) (err error) {
		_, exists, err = configItem.Load(kv.PrefixedReader(reader, metaPart))
		return err
	})
	return exists, err
}

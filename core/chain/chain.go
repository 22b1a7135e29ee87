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
	"errors"
	"sync/atomic"

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

// parts are a store, and its parts by the prefixes above. In a part, keys have no prefix.
type parts[S kv.Reader] struct {
	store, records, history, expiry, accounts, meta S
}

// partsOf returns the parts of a store. prefixed is [kv.PrefixedReader] or [kv.PrefixedTxn].
func partsOf[S kv.Reader](store S, prefixed func(S, []byte) S) parts[S] {
	return parts[S]{
		store:    store,
		records:  prefixed(store, contractPart),
		history:  prefixed(store, historyPart),
		expiry:   prefixed(store, expiryPart),
		accounts: prefixed(store, accountPart),
		meta:     prefixed(store, metaPart),
	}
}

// Kinds of refusals by the chain.
const (
	// KindChain is the kind of a failed delivery: there is no such contract, or the receiver
	// refused the message.
	KindChain cw721.Kind = "chain"
	// KindLimit is the kind of a key or a value that is too large for the store, and of a
	// compiled contract that takes too much time or memory.
	KindLimit cw721.Kind = "limit"
)

// Errors of calls for which the store is not in the right state.
var (
	ErrNoCollection     = errors.New("there is no collection yet")
	ErrCollectionExists = errors.New("the database holds a collection already")
	ErrImporting        = errors.New("an import into this database was interrupted, and what it holds is incomplete")
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

var configItem = kv.NewItem("config", cw721.StoredJSON[Config]())

// Open opens the chain in a store, which can be empty. It fails with [ErrImporting] if the
// store holds an incomplete import.
func Open(db kv.DB) (*Chain, error) { return OpenWith(db, Options{}) }

// OpenWith opens the chain in a store like [Open], with options.
func OpenWith(db kv.DB, options Options) (*Chain, error) {
	if options.Discard {
		if err := Discard(db); err != nil {
			return nil, err
		}
	}

	c := &Chain{db: db, modules: newModules(options)}
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
			c.config.Store(&config)
		}
		return c.modules.detectStoredModules(reader)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
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

// existingConfig is [Chain.Config], and fails with [ErrNoCollection] if the store is empty.
func (c *Chain) existingConfig() (Config, error) {
	config, exists := c.Config()
	if !exists {
		return config, ErrNoCollection
	}
	return config, nil
}

package chain

import (
	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

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

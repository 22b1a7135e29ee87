package chain

import (
	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// transaction is the chain in one transaction of the store.
type transaction[S kv.Reader] struct {
	Config            // with the rules and the flavour that are in force
	parts[S]          // the store and its parts
	modules  *modules // runs compiled contracts
}

// session is one transaction that reads and writes the chain.
type session struct{ transaction[kv.Txn] }

func newSession(txn kv.Txn, config Config, modules *modules) *session {
	return &session{transaction[kv.Txn]{config, partsOf(txn, kv.PrefixedTxn), modules}}
}

// update runs fn in a transaction on the chain.
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

// updateWithResult is [Chain.update] for a function with a result.
func updateWithResult[T any](c *Chain, fn func(*session) (T, error)) (result T, err error) {
	err = c.update(func(s *session) (err error) {
		result, err = fn(s)
		return err
	})
	return result, err
}

// countCommit increases the revision for a commit that adds no node to the history.
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

package chain

import (
	"cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// datesGrantsKey is the key of a record which means that an imported grant has the zero block
// in the expiry index, since nobody knows when it was given. Older programs took the block of
// the import instead. They skip this record, so they can open a store that has it.
var datesGrantsKey = []byte("dates_grants")

// instantiatorItem holds the sender of the instantiate message, if known.
var instantiatorItem = kv.NewItem("instantiator", cw721.StoredJSON[cw721.Address]())

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

// begin writes a new chain and then calls finish, both in one transaction. If any of this fails,
// the store stays empty.
func (c *Chain) begin(genesis Genesis, finish func(*session) error) error {
	if _, exists := c.Config(); exists {
		return ErrCollectionExists
	}

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
		err := cmp.Or(
			s.checkStoreIsEmpty(),
			s.saveModule(module, request),
			s.saveGenesis(blockState{Clock: genesis.Clock}, genesis.Accounts))
		if err != nil {
			return err
		}
		return finish(s)
	})
	if err != nil {
		if module != nil {
			// addModule has stored the module already. That it cannot be removed is not
			// reported, because there is an error to return.
			_ = removeAll(c.db, modulePart)
		}
		return err
	}
	c.config.Store(&genesis.Config)
	return nil
}

// saveModule stores which compiled contract a new chain runs, and what was requested for it. The
// built-in contract, a nil module, needs neither.
func (s *session) saveModule(module *StoredModule, request rulesRequest) error {
	if module == nil {
		return nil
	}
	return cmp.Or(moduleItem.Save(s.meta, *module), rulesRequestItem.Save(s.meta, request))
}

// saveGenesis stores the config of the session, and the clock and the accounts of a new chain.
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

// checkStoreIsEmpty returns [ErrCollectionExists] or [ErrImporting] if the store is not empty.
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

package chain

import (
	"cmp"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Migrate replaces the chain's contract by a compiled one, which keeps the storage of the
// old contract and gets msg to convert it. A migration is one node of the history, and undo
// restores the old contract with its rules. If the new contract refuses msg, the refusal is
// in the receipt and in the history. Migrate fails with a [*wasm.ModuleError] if the module
// is no contract.
func (c *Chain) Migrate(newContract Module, sender cw721.Address, msg []byte) (Receipt, error) {
	config, err := c.existingConfig()
	if err != nil {
		return Receipt{}, err
	}

	// Compile and store the module first, outside of the transaction that runs it.
	storedModule, err := c.addModule(&newContract, config.Prefix)
	if err != nil {
		return Receipt{}, err
	}
	return updateWithResult(c, func(s *session) (Receipt, error) {
		readCode := func() ([]byte, error) { return newContract.Code, nil }
		code, err := s.modules.load(*storedModule, s.Prefix, readCode)
		if err != nil {
			return Receipt{}, err
		}
		migration := operation{
			kind:        history.KindMigrate,
			messageKind: executeMessage,
			method:      func(code Contract, in call) (Answer, error) { return code.(compiledContract).migrate(in) },
			code:        compiled{Contract: code, meta: s.meta, storageBytes: new(int)},
			newModule:   storedModule,
		}
		return s.run(migration, sender, msg)
	})
}

// UnreadableError reports that a compiled contract stores its records as no release of cw721
// does.
type UnreadableError struct{ File string }

func (e *UnreadableError) Error() string {
	return e.File + " does not keep its storage as cw721 0.16 and later do"
}

// CheckReadable fails with an [*UnreadableError] if the contract's records have no known
// layout, so that nobody but the contract can read them. Messages, queries and the history
// still work. The built-in contract writes the current layout.
func (v *View) CheckReadable() error { return v.checkReadable(v.isReadable) }

// checkReadable is [View.CheckReadable], given whether the layout is known.
func (p parts[S]) checkReadable(isLayoutKnown bool) error {
	if isLayoutKnown {
		return nil
	}
	module, isCompiled, err := moduleItem.Load(p.meta)
	if err != nil || !isCompiled {
		return err
	}
	return &UnreadableError{module.File}
}

// layout returns the layout of the contract's records. If it is not known, the result is the
// current one, and isKnown is false.
func (t transaction[S]) layout() (layout *cw721.Layout, isKnown bool, err error) {
	// The built-in contract writes only the current layout. Without rules it writes nothing,
	// and the records were imported.
	if !t.modules.hasStoredModules.Load() && t.Rules != "" {
		return cw721.CurrentLayout, true, nil
	}
	layout, isKnown, err = cw721.FindLayout(t.records)
	return cmp.Or(layout, cw721.CurrentLayout), isKnown, err
}

// readableChanges returns a copy of changes with nil in place of each value whose grants
// cannot be decoded, because a compiled contract can store anything under the keys of tokens,
// operators and roles.
func readableChanges(changes []kv.Change) []kv.Change {
	readableCopy := slices.Clone(changes)
	for i := range readableCopy {
		change := &readableCopy[i]
		if _, err := cw721.DecodeGrants(change.Key, change.OldValue); err != nil {
			change.OldValue = nil
		}
		if _, err := cw721.DecodeGrants(change.Key, change.NewValue); err != nil {
			change.NewValue = nil
		}
	}
	return readableCopy
}

package chain

import (
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Migrate runs the migrate message of a compiled contract, which takes over the storage. It
// is one node of the history: undo restores the contract from before, with its rules. A
// refusal is in the receipt and in the history. Migrate fails with a [*wasm.ModuleError] if
// the module is no contract.
func (c *Chain) Migrate(to Module, sender cw721.Address, msg []byte) (Receipt, error) {
	cfg, err := c.mustConfig()
	if err != nil {
		return Receipt{}, err
	}
	stored, err := c.addModule(&to, cfg.Prefix)
	if err != nil {
		return Receipt{}, err
	}
	return change(c, func(s *session) (Receipt, error) {
		code, err := s.modules.load(*stored, s.Prefix, func() ([]byte, error) { return to.Code, nil })
		if err != nil {
			return Receipt{}, err
		}
		migration := step{
			kind:      history.KindMigrate,
			message:   executeMessage,
			do:        migrate,
			code:      compiled{Contract: code, meta: s.meta, held: new(int)},
			newModule: stored,
		}
		return s.run(migration, sender, msg)
	})
}

// migrate runs the migrate message of a compiled contract.
func migrate(code Contract, t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	return code.(hosted).migrate(t, env, info, msg)
}

// UnreadableError says that a compiled contract stores its records in another layout than
// the built-in one.
type UnreadableError struct{ File string }

func (e *UnreadableError) Error() string {
	return e.File + " does not keep its storage as cw721 0.19 and later do"
}

// CheckReadable fails with an [*UnreadableError] if the contract's records are not laid out
// as those of a collection. Messages, queries, records and the history work nevertheless.
func (v *View) CheckReadable() error {
	module, isCompiled, err := v.Module()
	if err != nil || !isCompiled {
		return err
	}
	isCollection, err := hasNeededRecords(v.contract)
	if kv.IsCorrupt(err) || err == nil && !isCollection {
		return &UnreadableError{module.File}
	}
	return err
}

// hasNeededRecords reports whether the records are there that every collection has.
func hasNeededRecords(contract kv.Reader) (bool, error) {
	_, hasVersion, err := cw721.LoadVersion(contract)
	if err != nil || !hasVersion {
		return false, err
	}
	missing, err := missingRecord(contract)
	return missing == "", err
}

// readableChanges returns changes without the values that are no grants although they are
// under the key of grants, as those of a compiled contract can be.
func readableChanges(changes []kv.Change) []kv.Change {
	readable := slices.Clone(changes)
	for i := range readable {
		c := &readable[i]
		if _, err := cw721.DecodeGrants(c.Key, c.Old); err != nil {
			c.Old = nil
		}
		if _, err := cw721.DecodeGrants(c.Key, c.New); err != nil {
			c.New = nil
		}
	}
	return readable
}

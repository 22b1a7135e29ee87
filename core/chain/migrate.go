package chain

import (
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Migrate has a compiled contract take over the storage: its migrate runs as
// one step of the history, and what an undo then brings back is the contract of
// before as well, with its rules. A refusal is in the receipt and is remembered. It fails with a
// [*wasm.ModuleError] for what is no contract.
func (c *Chain) Migrate(to Module, sender cw721.Address, msg []byte) (r Receipt, err error) {
	cfg, err := c.mustConfig()
	if err != nil {
		return r, err
	}
	about, err := c.add(&to, cfg.Prefix)
	if err != nil {
		return r, err
	}
	err = c.update(func(s *session) error {
		code, err := s.modules.load(*about, s.Prefix, func() ([]byte, error) { return to.Code, nil })
		if err != nil {
			return err
		}
		migrate := func(code Contract, t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
			return code.(hosted).migrate(t, env, info, msg)
		}
		next := step{
			kind:    history.KindMigrate,
			message: executeMessage,
			do:      migrate,
			code:    compiled{Contract: code, meta: s.meta, held: new(int)},
			to:      about,
		}
		r, err = s.run(next, sender, msg)
		return err
	})
	return r, err
}

// UnreadableError says that a compiled contract keeps its storage in another
// form than the built-in one, which cannot look into it.
type UnreadableError struct{ File string }

func (e *UnreadableError) Error() string {
	return e.File + " does not keep its storage as cw721 0.19 and later do"
}

// CheckReadable fails with an [*UnreadableError] where the storage cannot be read as
// that of a collection. Messages, queries, records and the history work all the
// same.
func (v *View) CheckReadable() error {
	about, ok, err := v.Module()
	if err != nil || !ok {
		return err
	}
	_, ok, err = cw721.LoadVersion(v.contract)
	key := ""
	if err == nil && ok {
		key, err = lacking(v.contract)
	}
	if kv.IsCorrupt(err) || err == nil && (!ok || key != "") {
		return &UnreadableError{about.File}
	}
	return err
}

// readable leaves out what a compiled contract keeps where the built-in one has
// grants, and in another form.
func readable(changes []kv.Change) []kv.Change {
	kept := slices.Clone(changes)
	for i := range kept {
		for _, side := range []*[]byte{&kept[i].Old, &kept[i].New} {
			if _, err := cw721.DecodeGrants(kept[i].Key, *side); err != nil {
				*side = nil
			}
		}
	}
	return kept
}

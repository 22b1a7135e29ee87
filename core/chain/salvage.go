package chain

import (
	"bytes"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Salvage makes a collection of what is left of a store that has lost records:
// what the contract derives from its tokens, which are their number and the owner index,
// is derived anew, and the history begins anew, as an undo would lead to a state
// that nobody has seen. It is for a store that is not in use yet, as it writes in batches. What
// the chain derives has to be rebuilt after it.
func (c *Chain) Salvage() error {
	err := c.db.Load(func(w kv.Writer) error {
		// The writer waits for this load, so the snapshot stays the newest.
		return c.db.View(func(r kv.Reader) error { return salvage(r, w) })
	})
	if err != nil {
		return err
	}
	return c.update(func(s *session) error {
		now, err := loadBlockState(s.meta)
		if err != nil {
			return err
		}
		state := history.State{Revision: 1}
		node := history.Node{Kind: history.KindImport, Height: now.Height, Time: now.Time, Message: "what was rescued"}
		if _, err := state.Append(s.history, node, nil); err != nil {
			return err
		}
		state.Base = state.Head
		return state.Save(s.history)
	})
}

// salvage removes the history and what the contract derives, and writes the
// latter anew.
func salvage(r kv.Reader, w kv.Writer) error {
	tokens := uint64(0)
	contract := kv.PrefixedWriter(w, contractPart)
	for p, err := range kv.PrefixedReader(r, historyPart).Scan(kv.Range{KeysOnly: true}) {
		if err != nil {
			return err
		}
		if err := kv.PrefixedWriter(w, historyPart).Delete(bytes.Clone(p.Key)); err != nil {
			return err
		}
	}
	for p, err := range kv.PrefixedReader(r, contractPart).Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		if err := salvageRecord(r, contract, p, &tokens); err != nil {
			return err
		}
	}
	count := cw721.CountRecord(tokens)
	return contract.Set(count.Key, count.Value)
}

// salvageRecord counts a token and lists it under its owner, and takes the list
// of an owner what is no token of theirs.
func salvageRecord(r kv.Reader, w kv.Writer, p kv.Pair, tokens *uint64) error {
	if owner, token, ok := cw721.HeldBy(p.Key, p.Value); ok {
		*tokens++
		entry := cw721.IndexRecord(owner, token)
		return w.Set(entry.Key, entry.Value)
	}
	owner, token, ok := cw721.HoldingIn(p.Key)
	if !ok {
		return nil
	}
	t, found, err := cw721.LoadToken(kv.PrefixedReader(r, contractPart), token)
	if err != nil || found && t.Owner == owner {
		return err
	}
	return w.Delete(bytes.Clone(p.Key))
}

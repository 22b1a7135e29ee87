package chain

import (
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
		return c.db.View(func(r kv.Reader) error {
			if err := removeAll(kv.PrefixedReader(r, historyPart), kv.PrefixedWriter(w, historyPart), nil); err != nil {
				return err
			}
			_, err := cw721.RepairInconsistencies(kv.PrefixedReader(r, contractPart), kv.PrefixedWriter(w, contractPart))
			return err
		})
	})
	if err != nil {
		return err
	}
	return c.update(func(s *session) error {
		now, err := loadBlockState(s.meta)
		if err != nil {
			return err
		}
		return s.beginHistory(now.Clock, "what was rescued")
	})
}

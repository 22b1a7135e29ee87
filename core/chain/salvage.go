package chain

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Salvage makes a valid collection of the records that remain in a damaged store. It derives
// the number of tokens and the owner index from the tokens, and begins a new history, because
// undo in the old one would lead to states that never existed. It writes in batches, so no
// other call may use the store meanwhile. It does not rebuild the expiry index.
func (c *Chain) Salvage() error {
	if err := removeAll(c.db, historyPart, nil); err != nil {
		return err
	}
	err := loadFromSnapshot(c.db, func(r kv.Reader, w kv.Writer) error {
		_, err := cw721.RepairInconsistencies(kv.PrefixedReader(r, contractPart), kv.PrefixedWriter(w, contractPart))
		return err
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

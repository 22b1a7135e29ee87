package chain

import "ephemera/core/chain/history"

// maxPrunedNodes is the largest number of nodes that one transaction of [Chain.Prune]
// deletes. A transaction has a size limit, and a node of the longest messages has up to
// twenty records.
const maxPrunedNodes = 200

// Prune deletes the oldest nodes of the history, so that about keep nodes remain. It
// returns how many it deleted. It keeps the nodes from the oldest remaining one to the
// present state, and deletes branches that began before them. If it is interrupted, the
// next Prune deletes the rest. It fails with a [*RangeError] if keep is less than 1.
func (c *Chain) Prune(keep int) (deletedCount int, err error) {
	if keep < 1 {
		return 0, &RangeError{"keep: expected at least 1 node"}
	}

	// One small transaction cuts the nodes off. From then on they are no longer part of the
	// history.
	cutHistory := func(s *session) ([]history.ID, error) { return s.cutHistory(keep) }
	prunableNodes, err := updateWithResult(c, cutHistory)
	if err != nil {
		return 0, err
	}

	// Then delete them, in as many transactions of limited size as that takes.
	for deletedCount < len(prunableNodes) {
		end := min(deletedCount+maxPrunedNodes, len(prunableNodes))
		batch := prunableNodes[deletedCount:end]
		err := c.update(func(s *session) error {
			return s.updateHistory(func(state *history.State) error { return state.DeleteNodes(s.history, batch) })
		})
		if err != nil {
			return deletedCount, err
		}
		deletedCount += len(batch)
	}
	return deletedCount, nil
}

// cutHistory makes the history begin at the oldest node to keep, and returns the nodes before
// and beside it, with those that an interrupted Prune has left. It deletes nothing itself.
func (s *session) cutHistory(keep int) ([]history.ID, error) {
	state, err := history.Load(s.history)
	if err != nil {
		return nil, err
	}
	oldest, err := state.OldestToKeep(s.history, keep)
	if err != nil {
		return nil, err
	}
	if oldest != 0 {
		state.PruneBefore(oldest)
	}

	prunableNodes, err := state.PrunableNodes(s.history)
	if err != nil {
		return nil, err
	}
	if oldest == 0 && len(prunableNodes) == 0 {
		return nil, nil
	}
	state.Revision++
	return prunableNodes, state.Save(s.history)
}

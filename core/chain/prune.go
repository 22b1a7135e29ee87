package chain

import "ephemera/core/chain/history"

// maxPrunedNodes is how many nodes one transaction of [Chain.Prune] deletes. The longest
// messages can have twenty records each.
const maxPrunedNodes = 200

// Prune deletes the oldest nodes of the history until about keep remain, and returns how many
// it deleted. The nodes between the oldest remaining one and the present state stay; branches
// that began before that node are deleted. Prune first cuts the history in one transaction
// and then frees the space in several. If it is interrupted, the next Prune frees the rest.
// It fails with a [*RangeError] if keep is less than 1.
func (c *Chain) Prune(keep int) (deleted int, err error) {
	if keep < 1 {
		return 0, &RangeError{"keep: expected at least 1 node"}
	}

	// The cut is one small transaction. From then on the nodes are no longer part of the
	// history.
	prunable, err := change(c, func(s *session) ([]history.ID, error) { return s.cutHistory(keep) })
	if err != nil {
		return 0, err
	}

	// Deleting them takes many transactions of limited size.
	for deleted < len(prunable) {
		batch := prunable[deleted:min(deleted+maxPrunedNodes, len(prunable))]
		err := c.update(func(s *session) error { return s.deleteNodes(batch) })
		if err != nil {
			return deleted, err
		}
		deleted += len(batch)
	}
	return deleted, nil
}

// deleteNodes deletes nodes that [session.cutHistory] has cut off.
func (s *session) deleteNodes(ids []history.ID) error {
	return s.updateHistory(func(state *history.State) error { return state.DeleteNodes(s.history, ids) })
}

// cutHistory makes the history begin at the oldest node to keep, and returns the nodes that
// can be deleted.
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

	// This includes the nodes that an interrupted Prune left behind.
	prunable, err := state.Prunable(s.history)
	if err != nil {
		return nil, err
	}
	if oldest == 0 && len(prunable) == 0 {
		return nil, nil
	}
	state.Revision++
	return prunable, state.Save(s.history)
}

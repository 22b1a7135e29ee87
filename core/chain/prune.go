package chain

import "ephemera/core/chain/history"

// pruneAtOnce is how many nodes share a transaction of [Chain.Prune]. One of the
// longest messages can have twenty records.
const pruneAtOnce = 200

// Prune forgets the oldest nodes until about keep are left, and tells how many
// it forgot. The head keeps its way back to the oldest node that is left; what
// branched off before that node goes too. Cut off, it leaves a history that is
// pruned already but for space, which the next one frees. It fails with a
// [*RangeError] when nothing is to be kept.
func (c *Chain) Prune(keep int) (forgot int, err error) {
	if keep < 1 {
		return 0, &RangeError{"keep: expected at least 1 node"}
	}
	var doomed []history.ID
	err = c.update(func(s *session) error {
		state, err := history.Load(s.history)
		if err != nil {
			return err
		}
		root, err := state.OldestToKeep(s.history, keep)
		if err != nil {
			return err
		}
		if root != 0 {
			state.PruneBefore(root)
		}
		if doomed, err = state.Prunable(s.history); err != nil || root == 0 && len(doomed) == 0 {
			return err
		}
		state.Revision++
		return state.Save(s.history)
	})
	for err == nil && forgot < len(doomed) {
		batch := doomed[forgot:min(forgot+pruneAtOnce, len(doomed))]
		drop := func(s *session) error {
			return s.settle(func(state *history.State) error { return state.DeleteNodes(s.history, batch) })
		}
		if err = c.update(drop); err == nil {
			forgot += len(batch)
		}
	}
	return forgot, err
}

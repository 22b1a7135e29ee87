package chain

import (
	"ephemera/core/chain/history"
)

// Snapshot names a node, the head where id is 0. It fails with a
// [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Snapshot(name string, id history.ID) (at history.ID, err error) {
	err = c.update(func(s *session) error {
		state, err := history.Load(s.history)
		if err != nil {
			return err
		}
		if at = id; at == 0 {
			at = state.Head
		}
		if _, err := history.Get(s.history, at); err != nil {
			return err
		}
		return firstOf(history.SetName(s.history, name, at), s.bump())
	})
	return at, err
}

// Seal ends the set-up: undo never goes to before this moment.
func (c *Chain) Seal() error {
	return c.update(func(s *session) error {
		state, err := history.Load(s.history)
		if err != nil {
			return err
		}
		state.Base = state.Head
		state.Revision++
		return state.Save(s.history)
	})
}

// pruneAtOnce is how many nodes share a transaction of [Chain.Prune].
const pruneAtOnce = 500

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
		root, err := state.Root(s.history, keep)
		if err != nil {
			return err
		}
		if root != 0 {
			state.Cut(root)
			state.Revision++
			if err := state.Save(s.history); err != nil {
				return err
			}
		}
		doomed, err = state.Doomed(s.history)
		return err
	})
	for err == nil && forgot < len(doomed) {
		batch := doomed[forgot:min(forgot+pruneAtOnce, len(doomed))]
		if err = c.update(func(s *session) error { return firstOf(history.Drop(s.history, batch), s.bump()) }); err == nil {
			forgot += len(batch)
		}
	}
	return forgot, err
}

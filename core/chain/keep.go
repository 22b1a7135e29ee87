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

// RenameSnapshot gives the node that has a name another one instead, and tells
// which node that is. It fails with a [*history.NameError] when nothing has the
// name, or the other one cannot be given.
func (c *Chain) RenameSnapshot(name, to string) (at history.ID, err error) {
	return c.rename(name, func(s *session, at history.ID) error { return history.SetName(s.history, to, at) })
}

// DeleteSnapshot takes a name away and tells which node had it. Nothing else
// goes: the node stays where it is in the history, and can be named anew. It
// fails with a [*history.NameError].
func (c *Chain) DeleteSnapshot(name string) (at history.ID, err error) {
	return c.rename(name, func(*session, history.ID) error { return nil })
}

// rename takes a name away and lets then give the node another one. Names are
// no part of what is undone: undo goes back over what happened to the
// collection.
func (c *Chain) rename(name string, then func(s *session, at history.ID) error) (at history.ID, err error) {
	err = c.update(func(s *session) (err error) {
		if at, err = history.DropName(s.history, name); err != nil {
			return err
		}
		return firstOf(then(s, at), s.bump())
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
		root, err := state.Root(s.history, keep)
		if err != nil {
			return err
		}
		if root != 0 {
			state.Cut(root)
		}
		if doomed, err = state.Doomed(s.history); err != nil || root == 0 && len(doomed) == 0 {
			return err
		}
		state.Revision++
		return state.Save(s.history)
	})
	for err == nil && forgot < len(doomed) {
		batch := doomed[forgot:min(forgot+pruneAtOnce, len(doomed))]
		if err = c.update(func(s *session) error { return s.drop(batch) }); err == nil {
			forgot += len(batch)
		}
	}
	return forgot, err
}

// drop forgets nodes that nothing leads to any more.
func (s *session) drop(doomed []history.ID) error {
	state, err := history.Load(s.history)
	if err != nil {
		return err
	}
	state.Revision++
	return firstOf(state.Drop(s.history, doomed), state.Save(s.history))
}

package chain

import (
	"cmp"
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
		at = cmp.Or(id, state.Head)
		if _, err := history.Get(s.history, at); err != nil {
			return err
		}
		return cmp.Or(history.SetName(s.history, name, at), s.bump())
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
		if at, err = history.DeleteName(s.history, name); err != nil {
			return err
		}
		return cmp.Or(then(s, at), s.bump())
	})
	return at, err
}

// Seal ends the set-up: undo never goes to before this moment.
func (c *Chain) Seal() error {
	return c.update(func(s *session) error {
		return s.settle(func(state *history.State) error { state.SetupEnd = state.Head; return nil })
	})
}

package chain

import (
	"cmp"

	"ephemera/core/chain/history"
)

// Names of nodes are not part of what undo reverts: undo reverts what happened to the
// collection.

// Snapshot gives a name to a node of the history, and returns the node's id. If id is 0, it
// names the head, the node whose state the chain is in. It fails with a [*history.NameError]
// or an [*history.UnknownNodeError].
func (c *Chain) Snapshot(name string, id history.ID) (history.ID, error) {
	return change(c, func(s *session) (history.ID, error) {
		state, err := history.Load(s.history)
		if err != nil {
			return 0, err
		}
		id := cmp.Or(id, state.Head)
		if _, err := history.Get(s.history, id); err != nil {
			return 0, err
		}
		if err := history.SetName(s.history, name, id); err != nil {
			return 0, err
		}
		return id, s.countCommit()
	})
}

// RenameSnapshot replaces a name of a node, and returns the node's id. It fails with a
// [*history.NameError] if no node has the name, or if the new name is invalid or in use.
func (c *Chain) RenameSnapshot(name, newName string) (history.ID, error) {
	return change(c, func(s *session) (history.ID, error) {
		id, err := history.DeleteName(s.history, name)
		if err != nil {
			return 0, err
		}
		if err := history.SetName(s.history, newName, id); err != nil {
			return 0, err
		}
		return id, s.countCommit()
	})
}

// DeleteSnapshot removes the name of a node, and returns the node's id. The node itself stays.
// DeleteSnapshot fails with a [*history.NameError] if no node has the name.
func (c *Chain) DeleteSnapshot(name string) (history.ID, error) {
	return change(c, func(s *session) (history.ID, error) {
		id, err := history.DeleteName(s.history, name)
		if err != nil {
			return 0, err
		}
		return id, s.countCommit()
	})
}

// Seal marks the present state as the end of the set-up, before which undo never goes.
func (c *Chain) Seal() error {
	return c.update(func(s *session) error {
		return s.updateHistory(func(state *history.State) error {
			state.SetupEnd = state.Head
			return nil
		})
	})
}

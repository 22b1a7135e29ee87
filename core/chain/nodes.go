package chain

import (
	"cmp"
	"iter"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// History yields the nodes of all branches of the history, from the newest to the oldest. It
// begins with node from; 0 means the newest.
func (v *View) History(from history.ID) iter.Seq2[history.Node, error] {
	return kv.Convert(history.Walk(v.history, from), v.Node)
}

// HistoryState returns the state of the history.
func (v *View) HistoryState() (history.State, error) { return history.Load(v.history) }

// Node returns a node of the history. It fails with an [*history.UnknownNodeError].
func (v *View) Node(id history.ID) (history.Node, error) { return history.Get(v.history, id) }

// HistoryTree returns the branches of the history. It reads one record per branch, however
// many nodes the branches have.
func (v *View) HistoryTree() (*history.Tree, error) { return history.LoadTree(v.history) }

// RedoLeadsTo reports whether redo, repeated as often as possible, does a node again. tree is
// the result of [View.HistoryTree].
func (v *View) RedoLeadsTo(tree *history.Tree, id history.ID) (bool, error) {
	state, err := v.HistoryState()
	if err != nil {
		return false, err
	}
	return state.RedoLeadsTo(v.history, tree, id)
}

// ChangesOf returns the changes that a node of the history made to the contract's records,
// with the keys that the contract uses.
func (v *View) ChangesOf(id history.ID) ([]kv.Change, error) {
	changes, err := history.Changes(v.history, id)
	return contractChanges(changes), err
}

// ChangeCountOf returns how many of the contract's records a node of the history changed. An
// error is returned as that of [View.NameOf] is.
func (v *View) ChangeCountOf(id history.ID) uint64 {
	changes, err := v.ChangesOf(id)
	v.names.firstErr = cmp.Or(v.names.firstErr, err)
	return uint64(len(changes))
}

// Snapshots returns the names of nodes of the history.
func (v *View) Snapshots() ([]history.Name, error) { return history.Names(v.history) }

// NamesByNode returns the names of nodes of the history, sorted, by the number of the node.
func (v *View) NamesByNode() (map[history.ID][]string, error) {
	snapshots, err := v.Snapshots()
	if err != nil {
		return nil, err
	}
	namesByNode := map[history.ID][]string{}
	for _, snapshot := range snapshots {
		namesByNode[snapshot.ID] = append(namesByNode[snapshot.ID], snapshot.Name)
	}
	return namesByNode, nil
}

// FindNode is [history.Find] on the chain as it is now.
func (c *Chain) FindNode(target string) (history.ID, error) {
	return Read(c, func(view *View) (history.ID, error) { return history.Find(view.history, target) })
}

// ChangesBetween returns how the contract's records change from one node of the history to
// another, perhaps on another branch, in key order. It reads all nodes on the path between them.
// It fails with an [*history.UnknownNodeError] if one does not exist.
func (v *View) ChangesBetween(startNode, endNode history.ID) ([]kv.Change, error) {
	state, err := v.HistoryState()
	if err != nil {
		return nil, err
	}

	state.Head = startNode
	undoneNodes, redoneNodes, err := state.Path(v.history, endNode)
	if err != nil {
		return nil, err
	}

	differences := changeSet{}
	path := append(undoneNodes, redoneNodes...)
	for i, node := range path {
		changes, err := v.ChangesOf(node.ID)
		if err != nil {
			return nil, err
		}
		if i < len(undoneNodes) {
			changes = kv.Inverse(changes)
		}
		differences.add(changes)
	}
	return differences.sorted(), nil
}

// Undo does not revert the names of nodes, because it only reverts what happened to the
// collection.

// Snapshot gives a name to a node of the history, or to the head if id is 0, and returns the
// node's id. It fails with a [*history.NameError] if the name is invalid or in use, and with
// an [*history.UnknownNodeError].
func (c *Chain) Snapshot(name string, id history.ID) (history.ID, error) {
	return updateWithResult(c, func(s *session) (history.ID, error) {
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
	return updateWithResult(c, func(s *session) (history.ID, error) {
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

// DeleteSnapshot removes the name of a node, and returns the node's id. The node itself
// stays. DeleteSnapshot fails with a [*history.NameError] if no node has the name.
func (c *Chain) DeleteSnapshot(name string) (history.ID, error) {
	return updateWithResult(c, func(s *session) (history.ID, error) {
		id, err := history.DeleteName(s.history, name)
		if err != nil {
			return 0, err
		}
		return id, s.countCommit()
	})
}

// Seal makes the present state the end of the set-up, so that undo never goes back further.
func (c *Chain) Seal() error {
	endSetup := func(state *history.State) error {
		state.SetupEnd = state.Head
		return nil
	}
	return c.update(func(s *session) error { return s.updateHistory(endSetup) })
}

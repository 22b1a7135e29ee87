package chain

import (
	"cmp"
	"iter"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// History yields the nodes of the history, which are messages and moves of the clock, from
// the newest to the oldest. It includes the nodes of all branches. It begins with node from;
// 0 means the newest. It stops after an error.
func (v *View) History(from history.ID) iter.Seq2[history.Node, error] {
	return kv.Convert(history.Walk(v.history, from), v.Node)
}

// HistoryState returns the state of the history: its head, which is the node whose state
// the store shows now, and its revision.
func (v *View) HistoryState() (history.State, error) { return history.Load(v.history) }

// Node returns a node of the history. It fails with an [*history.UnknownNodeError].
func (v *View) Node(id history.ID) (history.Node, error) { return history.Get(v.history, id) }

// HistoryTree returns the branches of the history. It reads one record per branch, however
// many nodes the branches have.
func (v *View) HistoryTree() (*history.Tree, error) { return history.LoadTree(v.history) }

// RedoLeadsTo reports whether redo, repeated as often as possible, comes to a node and does
// it again. tree is the result of [View.HistoryTree].
func (v *View) RedoLeadsTo(tree *history.Tree, id history.ID) (bool, error) {
	state, err := v.HistoryState()
	if err != nil {
		return false, err
	}
	return state.RedoLeadsTo(v.history, tree, id)
}

// ChangesOf returns the changes that a node of the history made to the contract's records,
// with the keys that the contract uses. It leaves out changes of other parts of the store,
// such as the clock.
func (v *View) ChangesOf(id history.ID) ([]kv.Change, error) {
	changes, err := history.Changes(v.history, id)
	return contractChanges(changes), err
}

// ChangeCountOf returns how many of the contract's records a node of the history changed. The
// function that the view was given to, such as in [Chain.View], need not handle its error,
// like that of [View.NameOf].
func (v *View) ChangeCountOf(id history.ID) uint64 {
	changes, err := v.ChangesOf(id)
	v.names.firstErr = cmp.Or(v.names.firstErr, err)
	return uint64(len(changes))
}

// Snapshots returns the names that people gave to nodes of the history, with their nodes.
func (v *View) Snapshots() ([]history.Name, error) { return history.Names(v.history) }

// NamesByNode returns the names that people gave to nodes of the history, by the number of
// the node. The names of one node are sorted.
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

// FindNode returns the number of the node that a person means by a text, which is the name of
// a node, such as "before-sale", or its number, such as "12" or "#12". It fails
// with a [*history.NameError] if the text is neither, and with an
// [*history.UnknownNodeError] for a number that no node has.
func (c *Chain) FindNode(target string) (history.ID, error) {
	return Read(c, func(view *View) (history.ID, error) { return history.Find(view.history, target) })
}

// ChangesBetween returns how the contract's records differ between two nodes of the
// history, which can be on different branches. In each change, OldValue is the record after
// startNode, and NewValue the record after endNode. The changes are in key order.
// ChangesBetween reads all nodes on the path from one to the other. It fails with an
// [*history.UnknownNodeError] if one of them does not exist.
func (v *View) ChangesBetween(startNode, endNode history.ID) ([]kv.Change, error) {
	state, err := v.HistoryState()
	if err != nil {
		return nil, err
	}

	// The path from startNode to endNode first goes back (undone), then forward (redone).
	state.Head = startNode
	undoneNodes, redoneNodes, err := state.Path(v.history, endNode)
	if err != nil {
		return nil, err
	}

	// Add up the changes of all nodes on the path. An undone node counts with the inverse of
	// its changes.
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

// Snapshot gives a name to a node of the history, and returns the node's id. If id is 0, it
// names the head, which is the node whose state the chain is in. It fails with a
// [*history.NameError] if the name is invalid or in use, and with an
// [*history.UnknownNodeError] if there is no such node.
func (c *Chain) Snapshot(name string, id history.ID) (history.ID, error) {
	return updateWithResult(c, func(s *session) (history.ID, error) {
		state, err := history.Load(s.history)
		if err != nil {
			return 0, err
		}
		id := cmp.Or(id, state.Head)

		// A name for a node that does not exist would be useless.
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

package chain

import (
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

// RedoLeadsTo reports whether redo, repeated as often as possible, passes a node of the
// view's [View.HistoryTree].
func (v *View) RedoLeadsTo(tree *history.Tree, id history.ID) (bool, error) {
	state, err := v.HistoryState()
	if err != nil {
		return false, err
	}
	return state.RedoLeadsTo(v.history, tree, id)
}

// ChangesOf returns how a node changed the contract's records, with the keys that the contract
// uses.
func (v *View) ChangesOf(id history.ID) ([]kv.Change, error) {
	changes, err := history.Changes(v.history, id)
	return contractChanges(changes), err
}

// Snapshots returns the names that people gave to nodes of the history, with their nodes.
func (v *View) Snapshots() ([]history.Name, error) { return history.Names(v.history) }

// NamesByNode returns the names of each node that has a name, in the order of the names.
func (v *View) NamesByNode() (map[history.ID][]string, error) {
	snapshots, err := v.Snapshots()
	if err != nil {
		return nil, err
	}
	names := map[history.ID][]string{}
	for _, s := range snapshots {
		names[s.ID] = append(names[s.ID], s.Name)
	}
	return names, nil
}

// FindNode returns the node of the history with a name or a number, such as "12". It fails
// with a [*history.NameError] if the text is neither, and with an
// [*history.UnknownNodeError] for a number that no node has.
func (c *Chain) FindNode(target string) (history.ID, error) {
	return Read(c, func(v *View) (history.ID, error) { return history.Find(v.history, target) })
}

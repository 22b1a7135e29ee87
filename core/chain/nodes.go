package chain

import (
	"iter"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// History walks the nodes of the history by number, youngest first, from one
// (inclusive) on; 0 is the youngest.
func (v *View) History(from history.ID) iter.Seq2[history.Node, error] {
	return func(yield func(history.Node, error) bool) {
		for id, err := range history.Walk(v.history(), from) {
			var n history.Node
			if err == nil {
				n, err = history.Get(v.history(), id)
			}
			if !yield(n, err) || err != nil {
				return
			}
		}
	}
}

// HistoryState tells where the history stands.
func (v *View) HistoryState() (history.State, error) { return history.Load(v.history()) }

// Node reads one node of the history.
func (v *View) Node(id history.ID) (history.Node, error) { return history.Get(v.history(), id) }

// HistoryTree reads the shape of the history. It costs what there are branches, however
// many nodes there are.
func (v *View) HistoryTree() (*history.Tree, error) { return history.LoadTree(v.history()) }

// RedoLeadsTo reports whether redo, repeated as often as possible, passes a node of the
// view's [View.HistoryTree].
func (v *View) RedoLeadsTo(tree *history.Tree, id history.ID) (bool, error) {
	state, err := v.HistoryState()
	if err != nil {
		return false, err
	}
	return state.RedoLeadsTo(v.history(), tree, id)
}

// ChangesOf reads how a node changed the contract's records, with the keys that the contract
// uses.
func (v *View) ChangesOf(id history.ID) ([]kv.Change, error) {
	all, err := history.Changes(v.history(), id)
	return contractChanges(all), err
}

// Snapshots lists the names on nodes.
func (v *View) Snapshots() ([]history.Name, error) { return history.Names(v.history()) }

// NamesByNode reads the names of the nodes that have some, in the order of the names.
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

// Find gives the node that a text names: the name of a snapshot or a node's
// number. It fails with a [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Find(target string) (history.ID, error) {
	return Read(c, func(v *View) (history.ID, error) { return history.Find(v.history(), target) })
}

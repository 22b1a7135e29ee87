package chain

import (
	"errors"
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

// RedoLeadsTo tells whether redo, as often as it takes, comes to a node.
func (v *View) RedoLeadsTo(id history.ID) (bool, error) {
	state, err := v.HistoryState()
	for err == nil && state.Head < id { // who follows a node has a higher number
		var path []history.Node
		if path, err = state.Redo(v.history()); errors.Is(err, history.ErrNothingToRedo) {
			return false, nil
		}
		for _, n := range path {
			if state.Head = n.ID; n.ID == id {
				return true, nil
			}
		}
	}
	return false, err
}

// ChangesOf reads what a node changed of the contract's records, keys as the
// contract has them.
func (v *View) ChangesOf(id history.ID) ([]kv.Change, error) {
	all, err := history.Changes(v.history(), id)
	return contractChanges(all), err
}

// Snapshots lists the names on nodes.
func (v *View) Snapshots() ([]history.Name, error) { return history.Names(v.history()) }

// Find gives the node that a text names: the name of a snapshot or a node's
// number. It fails with a [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Find(target string) (history.ID, error) {
	return Read(c, func(v *View) (history.ID, error) { return history.Find(v.history(), target) })
}

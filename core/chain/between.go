package chain

import (
	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// Between returns how the contract's records differ between two nodes of the history, which
// can be on different branches. Old is the record after node a, and New the record after
// node b. The changes are in key order. Between reads all nodes on the path from a to b. It
// fails with an [*history.UnknownNodeError].
func (v *View) Between(a, b history.ID) ([]kv.Change, error) {
	state, err := v.HistoryState()
	if err != nil {
		return nil, err
	}
	state.Head = a
	undone, redone, err := state.Path(v.history, b)
	if err != nil {
		return nil, err
	}

	differences := changeSet{}
	for i, node := range append(undone, redone...) {
		changes, err := v.ChangesOf(node.ID)
		if err != nil {
			return nil, err
		}
		isUndone := i < len(undone)
		if isUndone {
			changes = kv.Inverse(changes)
		}
		differences.add(changes)
	}
	return differences.sorted(), nil
}

package chain

import (
	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// Between returns how the contract's records differ between two nodes, which can be on different
// branches. Old is the record after node a, New the record after node b. The changes are in key
// order. Between reads all nodes on the path from a to b. It fails with an
// [*history.UnknownNodeError].
func (v *View) Between(a, b history.ID) ([]kv.Change, error) {
	state, err := v.HistoryState()
	if err != nil {
		return nil, err
	}
	state.Head = a
	up, down, err := state.Path(v.history, b)
	if err != nil {
		return nil, err
	}

	differences := changeSet{}
	for i, n := range append(up, down...) {
		changes, err := v.ChangesOf(n.ID)
		if err != nil {
			return nil, err
		}
		if i < len(up) {
			changes = kv.Inverse(changes)
		}
		differences.add(changes)
	}
	return differences.sorted(), nil
}

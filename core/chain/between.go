package chain

import (
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// Between gives what is different in the contract's records after node b from
// what it was after node a, on whatever branches they are: Old is the record
// after a, New the one after b, in key order. It costs what happened between
// the two. It fails with an [*history.UnknownNodeError].
func (v *View) Between(a, b history.ID) ([]kv.Change, error) {
	state, err := v.HistoryState()
	if err != nil {
		return nil, err
	}
	state.Head = a
	up, down, err := state.Path(v.history(), b)
	if err != nil {
		return nil, err
	}
	all := map[string]kv.Change{}
	for i, n := range append(up, down...) {
		changes, err := v.ChangesOf(n.ID)
		if err != nil {
			return nil, err
		}
		if i < len(up) {
			changes = kv.Inverse(changes)
		}
		for _, c := range changes {
			if first, ok := all[string(c.Key)]; ok {
				c.Old = first.Old
			}
			all[string(c.Key)] = c
		}
	}
	return slices.DeleteFunc(sortedByKey(all), kv.Change.IsNoop), nil
}

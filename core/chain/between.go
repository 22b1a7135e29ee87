package chain

import (
	"bytes"
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
	gather := func(n history.Node, turn bool) error {
		changes, err := v.ChangesOf(n.ID)
		if turn {
			changes = history.Inverse(changes)
		}
		for _, c := range changes {
			if first, ok := all[string(c.Key)]; ok {
				c.Old = first.Old
			}
			all[string(c.Key)] = c
		}
		return err
	}
	for _, n := range up {
		if err := gather(n, true); err != nil {
			return nil, err
		}
	}
	for _, n := range down {
		if err := gather(n, false); err != nil {
			return nil, err
		}
	}
	return differing(all), nil
}

// differing drops what went back to what it was.
func differing(all map[string]kv.Change) []kv.Change {
	out := make([]kv.Change, 0, len(all))
	for _, c := range all {
		if !c.Idle() {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y kv.Change) int { return bytes.Compare(x.Key, y.Key) })
	return out
}

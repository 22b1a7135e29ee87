package history

import (
	"slices"

	"ephemera/core/kv"
)

// Root gives the node that becomes the oldest when about keep nodes are to be
// left: the head or a node above it, so that the head keeps its way. It gives
// 0 when nothing is to be forgotten.
func (s State) Root(r kv.Reader, keep int) (ID, error) {
	if s.Head == 0 || uint64(s.Last) <= uint64(keep) {
		return 0, nil
	}
	oldest := max(s.Last-ID(keep)+1, s.Floor)
	at := s.Head
	for {
		n, err := Get(r, at)
		if err != nil {
			return 0, err
		}
		if n.Parent < oldest {
			break
		}
		at = n.Parent
	}
	if at == 1 || at == s.Floor {
		return 0, nil // there is nothing before it
	}
	return at, nil
}

// Cut makes a node the oldest: undo and every walk stop at it. s must be
// saved. What is not below it is then dropped with [State.Prunable] and
// [State.Drop], in any number of steps.
func (s *State) Cut(root ID) {
	s.Floor = root
	s.Base = max(s.Base, root)
}

// Prunable lists the nodes that are not the floor and not below it, the youngest first:
// if they are dropped in this order, and that is interrupted, the branch record of every
// node that is left is there for [LoadTree]. Prunable also counts the nodes that were
// pruned before; s must be saved.
func (s *State) Prunable(r kv.Reader) ([]ID, error) {
	if s.Pruned = 0; s.Floor == 0 {
		return nil, nil
	}
	var doomed []ID
	var met uint64
	kept := map[ID]bool{s.Floor: true}
	for p, err := range r.Scan(keysOf([]byte{nodeKey})) {
		if err != nil {
			return nil, err
		}
		met++
		id, err := decodeID(p.Key, p.Key[1:])
		if err != nil {
			return nil, err
		}
		if id > s.Floor {
			n, err := Get(r, id)
			if err != nil {
				return nil, err
			}
			// Parents come before their children.
			kept[id] = kept[n.Parent]
		}
		if !kept[id] {
			doomed = append(doomed, id)
		}
	}
	s.Pruned = uint64(s.Last) - min(met, uint64(s.Last))
	slices.Reverse(doomed)
	return doomed, nil
}

// Drop forgets nodes, and the names on them; s must be saved.
func (s *State) Drop(t kv.Txn, doomed []ID) error {
	s.Pruned += uint64(len(doomed))
	gone := make(map[ID]bool, len(doomed))
	for _, id := range doomed {
		gone[id] = true
		if err := drop(t, id); err != nil {
			return err
		}
	}
	names, err := Names(t)
	if err != nil {
		return err
	}
	for _, n := range names {
		if gone[n.ID] {
			if err := t.Delete(nameOf(n.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func drop(t kv.Txn, id ID) error {
	for _, kind := range []byte{nodeKey, changeKey} {
		if err := dropParts(t, kind, id); err != nil {
			return err
		}
	}
	if err := t.Delete(key(redoKey, id)); err != nil {
		return err
	}
	prefix := key(branchKey, id)
	var listed [][]byte
	for p, err := range t.Scan(keysOf(prefix)) {
		if err != nil {
			return err
		}
		listed = append(listed, append([]byte(nil), p.Key...))
	}
	for _, k := range listed {
		if err := t.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

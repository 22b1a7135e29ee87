package history

import (
	"bytes"
	"slices"

	"ephemera/core/kv"
)

// Pruning takes two steps. [State.PruneBefore] makes a node the oldest: from then on, undo
// and every other walk stop there. Then [State.Prunable] lists the nodes that are out of
// reach, and [State.DeleteNodes] deletes them, in any number of transactions.

// OldestToKeep returns the node that becomes the oldest if a prune keeps about keep nodes.
// It is the head or a node on the way to it, so that the head can be kept. It is 0 if there
// is nothing to prune.
func (s State) OldestToKeep(r kv.Reader, keep int) (ID, error) {
	if s.Head == 0 || uint64(s.Last) <= uint64(keep) {
		return 0, nil
	}

	// Walk back from the head, as far as the nodes to keep reach.
	lowest := max(s.Last-ID(keep)+1, s.Oldest)
	oldest := s.Head
	for {
		n, err := Get(r, oldest)
		if err != nil {
			return 0, err
		}
		if n.Parent < lowest {
			break
		}
		oldest = n.Parent
	}

	// Without a node before it, there is nothing to prune.
	hasNothingBefore := oldest == 1 || oldest == s.Oldest
	if hasNothingBefore {
		return 0, nil
	}
	return oldest, nil
}

// PruneBefore makes a node the oldest of the history. The caller saves s.
func (s *State) PruneBefore(oldest ID) {
	s.Oldest = oldest
	s.SetupEnd = max(s.SetupEnd, oldest)
}

// Prunable lists the stored nodes that no history needs any more: all but the oldest node
// and those that come after it on any branch. The youngest is first, so that a prune that is
// interrupted has deleted no node whose children are still stored.
//
// Prunable also sets s.Pruned to the number of nodes that are no longer stored. The caller
// saves s.
func (s *State) Prunable(r kv.Reader) ([]ID, error) {
	s.Pruned = 0
	if s.Oldest == 0 {
		return nil, nil
	}
	var prunable []ID
	var stored uint64

	// A node is kept if its parent is. All other nodes before or beside the oldest can go.
	kept := map[ID]bool{s.Oldest: true}
	for id, err := range idsIn(r, keysWithPrefix([]byte{nodeKey})) {
		if err != nil {
			return nil, err
		}
		if id > s.Oldest {
			n, err := Get(r, id)
			if err != nil {
				return nil, err
			}
			kept[id] = kept[n.Parent] // parents come before their children
		}
		if !kept[id] {
			prunable = append(prunable, id)
		}
		stored++
	}
	s.Pruned = uint64(s.Last) - min(stored, uint64(s.Last))
	slices.Reverse(prunable)
	return prunable, nil
}

// DeleteNodes deletes nodes that [State.Prunable] listed, and the names that they have.
// The caller saves s.
func (s *State) DeleteNodes(t kv.Txn, ids []ID) error {
	s.Pruned += uint64(len(ids))
	for _, id := range ids {
		if err := deleteNode(t, id); err != nil {
			return err
		}
	}

	// A name must not lead to a node that is gone.
	names, err := Names(t)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !slices.Contains(ids, n.ID) {
			continue
		}
		if err := t.Delete(nameRecordKey(n.Name)); err != nil {
			return err
		}
	}
	return nil
}

// deleteNode deletes all records of a node except its names.
func deleteNode(t kv.Txn, id ID) error {
	for _, kind := range []byte{nodeKey, changeKey} {
		if err := deleteParts(t, kind, id); err != nil {
			return err
		}
	}

	// Then the records of how to go on from the node.
	if err := t.Delete(key(redoKey, id)); err != nil {
		return err
	}

	var branchKeys [][]byte // nothing may be written during a scan
	for p, err := range t.Scan(keysWithPrefix(key(branchKey, id))) {
		if err != nil {
			return err
		}
		branchKeys = append(branchKeys, bytes.Clone(p.Key))
	}
	for _, k := range branchKeys {
		if err := t.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

package history

import (
	"bytes"
	"slices"

	"ephemera/core/kv"
)

// Pruning takes two steps. [State.PruneBefore] makes a node the oldest, which takes
// effect at once: undo and every walk stop there. Then [State.Prunable] and
// [State.DeleteNodes] delete what is out of reach, in any number of transactions.

// OldestToKeep returns the node to prune before so that about keep nodes are left: the
// head or a node before it, so that the way to the head is left too. It returns 0 if
// there is nothing to prune.
func (s State) OldestToKeep(r kv.Reader, keep int) (ID, error) {
	if s.Head == 0 || uint64(s.Last) <= uint64(keep) {
		return 0, nil
	}
	lowest := max(s.Last-ID(keep)+1, s.Oldest)
	at := s.Head
	for {
		n, err := Get(r, at)
		if err != nil {
			return 0, err
		}
		if n.Parent < lowest {
			break
		}
		at = n.Parent
	}
	hasNothingBefore := at == 1 || at == s.Oldest
	if hasNothingBefore {
		return 0, nil
	}
	return at, nil
}

// PruneBefore makes a node the oldest. s must be saved.
func (s *State) PruneBefore(oldest ID) {
	s.Oldest = oldest
	s.SetupEnd = max(s.SetupEnd, oldest)
}

// Prunable lists the stored nodes that are not the oldest node and do not come after
// it on any branch, the youngest first. Nodes deleted in this order leave the branch
// record of every node that is left, which [LoadTree] needs if the rest is not deleted.
//
// Prunable also sets s.Pruned to the number of nodes that are not stored; s must be
// saved.
func (s *State) Prunable(r kv.Reader) ([]ID, error) {
	s.Pruned = 0
	if s.Oldest == 0 {
		return nil, nil
	}
	var prunable []ID
	var stored uint64
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

// DeleteNodes deletes nodes that are [State.Prunable], and the names on them. s must be
// saved.
func (s *State) DeleteNodes(t kv.Txn, ids []ID) error {
	s.Pruned += uint64(len(ids))
	for _, id := range ids {
		if err := deleteNode(t, id); err != nil {
			return err
		}
	}
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

// deleteNode deletes the records of a node, except for the names on it.
func deleteNode(t kv.Txn, id ID) error {
	for _, kind := range []byte{nodeKey, changeKey} {
		if err := deleteParts(t, kind, id); err != nil {
			return err
		}
	}
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

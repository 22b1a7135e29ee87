package history

import (
	"bytes"
	"slices"

	"ephemera/core/kv"
)

// A prune deletes old nodes in two steps. First [State.PruneBefore] makes a node the
// oldest, and from then on undo goes back no further than this node. Then
// [State.PrunableNodes] lists the nodes that are out of reach, and [State.DeleteNodes]
// deletes them, in one transaction or in several.

// OldestToKeep returns the node that will be the oldest of the history after a prune that
// keeps about keep nodes: the head or one of its ancestors. It is 0 if there is nothing to
// prune.
func (s State) OldestToKeep(reader kv.Reader, keep int) (ID, error) {
	if s.Head == 0 || uint64(s.Last) <= uint64(keep) {
		return 0, nil
	}

	// Go back from the head to its oldest ancestor among the last keep nodes. The head
	// itself may be older than these, on another branch.
	lowestID := max(s.Last-ID(keep)+1, s.Oldest)
	oldest := s.Head
	for {
		node, err := Get(reader, oldest)
		if err != nil {
			return 0, err
		}
		if node.Parent < lowestID {
			break
		}
		oldest = node.Parent
	}

	if oldest == 1 || oldest == s.Oldest {
		return 0, nil
	}
	return oldest, nil
}

// PruneBefore makes a node the oldest of the history. It deletes no record. The caller must
// save s.
func (s *State) PruneBefore(oldest ID) {
	s.Oldest = oldest
	s.SetupEnd = max(s.SetupEnd, oldest)
}

// PrunableNodes lists the stored nodes that are not the oldest node or its descendants, the
// youngest first. So even an interrupted prune leaves no node without its parent.
//
// It also sets s.PrunedCount to the number of nodes that are no longer stored. The caller must
// save s.
func (s *State) PrunableNodes(reader kv.Reader) ([]ID, error) {
	s.PrunedCount = 0
	if s.Oldest == 0 {
		return nil, nil
	}
	var prunable []ID
	var storedCount uint64

	// A node is kept if its parent is kept. The loop goes through the nodes in ascending
	// order, so it comes to a parent before its children.
	isKept := map[ID]bool{s.Oldest: true}
	nodeKeys := keysWithPrefix([]byte{nodeLetter})
	for id, err := range nodeIDsIn(reader, nodeKeys) {
		if err != nil {
			return nil, err
		}
		if id > s.Oldest {
			node, err := Get(reader, id)
			if err != nil {
				return nil, err
			}
			isKept[id] = isKept[node.Parent]
		}
		if !isKept[id] {
			prunable = append(prunable, id)
		}
		storedCount++
	}

	// In a broken history, more nodes may be stored than were added. Then none is missing.
	s.PrunedCount = uint64(s.Last) - min(storedCount, uint64(s.Last))
	slices.Reverse(prunable)
	return prunable, nil
}

// DeleteNodes deletes nodes that [State.PrunableNodes] listed, and the names that they have.
// The caller must save s.
func (s *State) DeleteNodes(txn kv.Txn, ids []ID) error {
	s.PrunedCount += uint64(len(ids))

	// Collect the keys first, because nothing may be written during a scan.
	var keys [][]byte
	for _, id := range ids {
		for _, letter := range []byte{nodeLetter, changeLetter} {
			if err := deleteParts(txn, letter, id); err != nil {
				return err
			}
		}
		keys = append(keys, key(redoLetter, id))
		for pair, err := range txn.Scan(keysWithPrefix(key(branchLetter, id))) {
			if err != nil {
				return err
			}
			keys = append(keys, bytes.Clone(pair.Key))
		}
	}

	// A name must not lead to a node that is gone.
	names, err := Names(txn)
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.Contains(ids, name.ID) {
			keys = append(keys, nameRecordKey(name.Name))
		}
	}
	for _, k := range keys {
		if err := txn.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

package history

import (
	"errors"
	"iter"
	"slices"

	"ephemera/core/kv"
)

// Undo returns the nodes that one undo reverts: from the head back to the last node that
// changed anything. It fails with [ErrNothingToUndo] if no node after the set-up did.
func (s State) Undo(reader kv.Reader) (path []Node, err error) {
	for id := s.Head; id > s.SetupEnd; {
		node, err := Get(reader, id)
		if err != nil {
			return nil, err
		}
		path = append(path, node)
		if node.hasChanges() {
			return path, nil
		}
		id = node.Parent
	}
	return nil, ErrNothingToUndo
}

// Path returns the nodes to revert, the head first, and the nodes to do again, the oldest
// first, to get from the head to a target, which can be on another branch.
//
// It fails with an [*UnknownNodeError] if the target does not exist, or if a node between was
// pruned.
func (s State) Path(reader kv.Reader, target ID) (undoneNodes, redoneNodes []Node, err error) {
	if _, err := Get(reader, target); err != nil {
		return nil, nil, err
	}

	// Go back to the parents from both ends until they meet. A parent has a lower number
	// than its children, so the node with the higher number is no ancestor of the other.
	ancestorOfHead := s.Head
	ancestorOfTarget := target
	for ancestorOfHead != ancestorOfTarget {
		node, err := Get(reader, max(ancestorOfHead, ancestorOfTarget))
		if err != nil {
			return nil, nil, err
		}

		if node.ID <= s.Oldest {
			return nil, nil, &UnknownNodeError{ID: target, Pruned: true}
		}
		if node.ID == ancestorOfHead {
			undoneNodes = append(undoneNodes, node)
			ancestorOfHead = node.Parent
		} else {
			redoneNodes = append(redoneNodes, node)
			ancestorOfTarget = node.Parent
		}
	}
	slices.Reverse(redoneNodes)
	return undoneNodes, redoneNodes, nil
}

// Children yields the children of a node, the oldest first.
func Children(reader kv.Reader, id ID) iter.Seq2[ID, error] {
	return kv.Sequence(func(yield func(ID) bool) error {
		// The node with the next number has no branch record if it is a child.
		next, err := Get(reader, id+1)
		if err != nil && !errors.As(err, new(*UnknownNodeError)) {
			return err
		}
		if err == nil && next.Parent == id && !yield(id+1) {
			return nil
		}

		for link, err := range branchLinks(reader, key(branchLetter, id)) {
			if err != nil {
				return err
			}
			if !yield(link.child) {
				return nil
			}
		}
		return nil
	})
}

// Walk yields the numbers of the nodes of all branches, the highest first. It begins with the
// number from, or with the highest of all if from is 0.
func Walk(reader kv.Reader, from ID) iter.Seq2[ID, error] {
	nodeKeys := keysWithPrefix([]byte{nodeLetter})
	nodeKeys.Reverse = true
	if from > 0 {
		nodeKeys.End = append(key(nodeLetter, from), 0) // the first key after it
	}
	return nodeIDsIn(reader, nodeKeys)
}

// nodeIDsIn yields the numbers of the nodes in the keys of a range, after a letter.
func nodeIDsIn(reader kv.Reader, keys kv.Range) iter.Seq2[ID, error] {
	decodeNodeID := func(pair kv.Pair) (ID, error) { return decodeID(pair.Key, pair.Key[1:]) }
	return kv.Convert(reader.Scan(keys), decodeNodeID)
}

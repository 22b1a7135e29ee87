package history

import (
	"errors"
	"iter"
	"slices"

	"ephemera/core/kv"
)

// Undo returns the nodes that undo reverts: from the head back to the last node that
// changed anything. It fails with [ErrNothingToUndo] if none did after the set-up.
func (s State) Undo(r kv.Reader) (path []Node, err error) {
	for id := s.Head; id > s.SetupEnd; {
		n, err := Get(r, id)
		if err != nil {
			return nil, err
		}
		path = append(path, n)
		if n.changed() {
			return path, nil
		}
		id = n.Parent
	}
	return nil, ErrNothingToUndo
}

// Path returns the way from the head to a target, which can be on another branch: up has
// the nodes to revert, beginning with the head, and down the nodes to do again, the oldest
// first. Path fails with an [*UnknownNodeError], also for a node that cannot be reached
// because a node on the way was pruned.
func (s State) Path(r kv.Reader, target ID) (up, down []Node, err error) {
	if _, err := Get(r, target); err != nil {
		return nil, nil, err
	}
	from := s.Head
	to := target
	for from != to {
		// A parent has a lower number than its children, so the node with the higher
		// number is not on the way to the other.
		n, err := Get(r, max(from, to))
		if err != nil {
			return nil, nil, err
		}
		if n.ID <= s.Oldest {
			return nil, nil, &UnknownNodeError{ID: target, Pruned: true}
		}
		if n.ID == from {
			up = append(up, n)
			from = n.Parent
		} else {
			down = append(down, n)
			to = n.Parent
		}
	}
	slices.Reverse(down)
	return up, down, nil
}

// Children yields the nodes that follow a node, oldest first.
func Children(r kv.Reader, id ID) iter.Seq2[ID, error] {
	return kv.Sequence(func(yield func(ID) bool) error {
		// A child that is the successor has no branch record.
		followed, err := isFollowedBySuccessor(r, id)
		if err != nil || followed && !yield(id+1) {
			return err
		}
		for link, err := range branchLinks(r, key(branchKey, id)) {
			if err != nil || !yield(link.child) {
				return err
			}
		}
		return nil
	})
}

// isFollowedBySuccessor reports whether the node with the next number follows a node.
func isFollowedBySuccessor(r kv.Reader, id ID) (bool, error) {
	successor, err := Get(r, id+1)
	var unknown *UnknownNodeError
	if errors.As(err, &unknown) {
		return false, nil
	}
	return err == nil && successor.Parent == id, err
}

// Walk yields the numbers of the nodes of all branches, the youngest first. It begins with the
// node from, or with the youngest node if from is 0: in a history of 5 nodes, Walk from 3
// yields 3, 2 and 1.
func Walk(r kv.Reader, from ID) iter.Seq2[ID, error] {
	nodes := keysWithPrefix([]byte{nodeKey})
	nodes.Reverse = true
	if from > 0 {
		nodes.End = append(key(nodeKey, from), 0) // the first key after it
	}
	return idsIn(r, nodes)
}

// idsIn yields the numbers of the nodes whose records have keys in a range. The keys are a
// letter and a number.
func idsIn(r kv.Reader, keys kv.Range) iter.Seq2[ID, error] {
	return kv.Convert(r.Scan(keys), func(p kv.Pair) (ID, error) { return decodeID(p.Key, p.Key[1:]) })
}

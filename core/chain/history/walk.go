package history

import (
	"errors"
	"iter"
	"slices"

	"ephemera/core/kv"
)

// Undo finds where undo goes: to before the last node that changed anything,
// passing over those that did not. The path begins with the head and ends with
// that node. It fails with [ErrNothingToUndo].
func (s State) Undo(r kv.Reader) (path []Node, err error) {
	for at := s.Head; at > s.Base; {
		n, err := Get(r, at)
		if err != nil {
			return nil, err
		}
		path = append(path, n)
		if n.Changes > 0 {
			return path, nil
		}
		at = n.Parent
	}
	return nil, ErrNothingToUndo
}

// Children walks the nodes right below one, oldest first.
func Children(r kv.Reader, id ID) iter.Seq2[ID, error] {
	return func(yield func(ID, error) bool) {
		// Most nodes are their parent's successor; only the others are listed.
		n, err := Get(r, id+1)
		var none *UnknownNodeError
		if errors.As(err, &none) {
			err = nil
		}
		if err != nil || n.ID != 0 && n.Parent == id {
			if !yield(id+1, err) || err != nil {
				return
			}
		}
		prefix := key(branchKey, id)
		for p, err := range r.Scan(keysOf(prefix)) {
			if err != nil {
				yield(0, err)
				return
			}
			child, err := decodeID(p.Key, p.Key[len(prefix):])
			if !yield(child, err) || err != nil {
				return
			}
		}
	}
}

// Path gives the way from the head to a node: first the nodes to revert, the
// head first, then the nodes to do again, the oldest first. It fails with an
// [*UnknownNodeError], also for a node that is still there but whose way to the
// head was pruned.
func (s State) Path(r kv.Reader, to ID) (up, down []Node, err error) {
	a, b := s.Head, to
	if _, err := Get(r, to); err != nil {
		return nil, nil, err
	}
	for a != b {
		// Ids grow downwards, so the larger of the two cannot be above the
		// other.
		n, err := Get(r, max(a, b))
		if err != nil {
			return nil, nil, err
		}
		if n.ID <= s.Floor {
			return nil, nil, &UnknownNodeError{ID: to, Pruned: true}
		}
		if a > b {
			up, a = append(up, n), n.Parent
		} else {
			down, b = append(down, n), n.Parent
		}
	}
	slices.Reverse(down)
	return up, down, nil
}

// Walk walks nodes by id from one (inclusive), youngest first, whatever branch
// they are on; from 0 begins at the youngest.
func Walk(r kv.Reader, from ID) iter.Seq2[ID, error] {
	rng := keysOf([]byte{nodeKey})
	rng.Reverse = true
	if from > 0 {
		rng.End = append(key(nodeKey, from), 0) // the first key behind it
	}
	return func(yield func(ID, error) bool) {
		for p, err := range r.Scan(rng) {
			var id ID
			if err == nil {
				id, err = decodeID(p.Key, p.Key[1:])
			}
			if !yield(id, err) || err != nil {
				return
			}
		}
	}
}

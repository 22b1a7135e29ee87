package history

import (
	"bytes"
	"encoding/binary"
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

// Redo finds where redo goes: forward over every node that undo went back over,
// else along the oldest branch, at least to the next node that changed anything.
// It fails with [ErrNothingToRedo].
func (s State) Redo(r kv.Reader) (path []Node, err error) {
	for !slices.ContainsFunc(path, Node.changed) {
		nodes, err := s.forward(r)
		if err != nil {
			return nil, err
		}
		path = append(path, nodes...)
		s.Head = path[len(path)-1].ID
	}
	return path, nil
}

// RememberRedo makes redo go from the parent of a node to start, where the undo
// of the node began: the node itself or one below it.
func RememberRedo(t kv.Txn, n Node, start ID) error {
	k := key(redoKey, n.Parent)
	raw, ok, err := t.Get(k)
	if err != nil {
		return err
	}
	want := binary.BigEndian.AppendUint64(nil, uint64(start))
	if ok && bytes.Equal(raw, want) {
		return nil
	}
	// Redo goes to the first child by itself, and on from one that changed nothing.
	leadsThere := start == n.ID || n.Changes == 0
	if !ok && n.ID == n.Parent+1 && leadsThere {
		return nil
	}
	return t.Set(k, want)
}

// forward gives the nodes from the head to where redo goes next, the oldest first.
// It fails with [ErrNothingToRedo].
func (s State) forward(r kv.Reader) ([]Node, error) {
	k := key(redoKey, s.Head)
	raw, ok, err := r.Get(k)
	if err != nil {
		return nil, err
	}
	if ok {
		start, err := decodeID(k, raw)
		if err != nil {
			return nil, err
		}
		return s.pathDown(r, start)
	}
	for child, err := range Children(r, s.Head) {
		if err != nil {
			return nil, err
		}
		n, err := Get(r, child)
		return []Node{n}, err
	}
	return nil, ErrNothingToRedo
}

// pathDown gives the nodes from the head to one where an undo began, the oldest
// first. It fails with a [*kv.CorruptError] where no undo can have led from there
// to the head: undo passes only over nodes that changed nothing, but for the last.
func (s State) pathDown(r kv.Reader, start ID) ([]Node, error) {
	up, down, err := s.Path(r, start)
	if err != nil {
		return nil, err
	}
	if len(up) > 0 || len(down) == 0 || slices.ContainsFunc(down[1:], Node.changed) {
		return nil, &kv.CorruptError{Key: key(redoKey, s.Head), Err: errNoUndo}
	}
	return down, nil
}

var errNoUndo = errors.New("no undo leads from there to here")

func (n Node) changed() bool { return n.Changes > 0 }

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
		for p, err := range r.Scan(kv.Range{Start: prefix, End: kv.PrefixEnd(prefix), KeysOnly: true}) {
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
	rng := kv.Range{Start: []byte{nodeKey}, End: kv.PrefixEnd([]byte{nodeKey}), Reverse: true, KeysOnly: true}
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

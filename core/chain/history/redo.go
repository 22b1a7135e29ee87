package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"ephemera/core/kv"
)

// Redo returns the nodes that redo does again, the oldest first. It goes forward over
// every node that the last undo to the head went back over. If there was none, it follows
// the oldest branch. It ends at a node that changed anything, or at the end of the undo
// that it repeats. It fails with [ErrNothingToRedo].
func (s State) Redo(r kv.Reader) (path []Node, err error) {
	for !slices.ContainsFunc(path, Node.changed) {
		nodes, err := s.redoStep(r)
		if err != nil {
			return nil, err
		}
		path = append(path, nodes...)
		s.Head = path[len(path)-1].ID
	}
	return path, nil
}

// RememberRedo stores that redo goes from the parent of an undone node to start, the node
// at which the step of undo began: the undone node itself or one that comes after it.
func RememberRedo(t kv.Txn, undone Node, start ID) error {
	recordKey := key(redoKey, undone.Parent)
	stored, isStored, err := t.Get(recordKey)
	if err != nil {
		return err
	}
	record := binary.BigEndian.AppendUint64(nil, uint64(start))
	if isStored && bytes.Equal(stored, record) {
		return nil
	}

	// Without a record, redo goes to the first child, and on if that changed nothing.
	isFirstChild := undone.ID == undone.Parent+1
	goesToStart := start == undone.ID || undone.Changes == 0
	if !isStored && isFirstChild && goesToStart {
		return nil
	}
	return t.Set(recordKey, record)
}

// redoStep returns the nodes that come after the head, up to the node at which the undo to
// the head began, the oldest first. If no such undo is stored, it returns the first child
// of the head. It fails with [ErrNothingToRedo].
func (s State) redoStep(r kv.Reader) ([]Node, error) {
	start, err := redoStart(r, s.Head)
	if err != nil {
		return nil, err
	}

	// Redo goes back to where the undo began.
	if start != 0 {
		return s.pathDown(r, start)
	}

	// Without an undo to reverse, redo goes on one node.
	for child, err := range Children(r, s.Head) {
		if err != nil {
			return nil, err
		}
		n, err := Get(r, child)
		return []Node{n}, err
	}
	return nil, ErrNothingToRedo
}

// redoStart returns the node at which an undo to a node began; 0 if none is recorded.
func redoStart(r kv.Reader, id ID) (ID, error) {
	recordKey := key(redoKey, id)
	stored, isStored, err := r.Get(recordKey)
	if err != nil || !isStored {
		return 0, err
	}
	return decodeID(recordKey, stored)
}

// pathDown returns the nodes between the head and start, the node at which an undo to the
// head began, the oldest first; start is included. It fails with a [*kv.CorruptError] if
// one undo cannot have led from start to the head, because a node other than the first
// changed something.
func (s State) pathDown(r kv.Reader, start ID) ([]Node, error) {
	up, down, err := s.Path(r, start)
	if err != nil {
		return nil, err
	}
	if len(up) > 0 || len(down) == 0 || slices.ContainsFunc(down[1:], Node.changed) {
		return nil, s.noUndoError()
	}
	return down, nil
}

// errNoUndo reports that a redo record names a node from which no undo can have come.
var errNoUndo = errors.New("no undo leads from there to here")

// noUndoError returns the error for a redo record of the head that names a node from which
// no undo can have come.
func (s State) noUndoError() error {
	return &kv.CorruptError{Key: key(redoKey, s.Head), Err: errNoUndo}
}

// RedoLeadsTo reports whether redo, repeated as often as possible, goes over a node. It
// reads the stored redo records on the way, but only few nodes.
func (s State) RedoLeadsTo(r kv.Reader, tree *Tree, id ID) (bool, error) {
	for s.Head < id && tree.IsOnWay(s.Head, id) {
		end, isOneStep, err := s.redoEnd(r, tree)
		if err != nil || end == 0 {
			return false, err
		}

		// Each round follows one redo. It ends when a redo stops at the node, goes over it,
		// or leads elsewhere.
		isBeforeEnd := tree.IsOnWay(id, end)
		switch {
		case isBeforeEnd && isOneStep: // redo goes over the node if it goes to the end
			return s.redoFinishes(r, tree.Next(s.Head, id), end)
		case isBeforeEnd:
			return s.redoFinishes(r, id, id)
		}
		s.Head = end
	}
	return false, nil
}

// redoEnd returns a node after the head to which redo goes; 0 if there is none. isOneStep
// says whether redo goes there in one step of [State.redoStep], and not node by node.
func (s State) redoEnd(r kv.Reader, tree *Tree) (end ID, isOneStep bool, err error) {
	start, err := redoStart(r, s.Head)
	if err != nil {
		return 0, false, err
	}

	// A stored undo: redo goes to its start in one step, which must come after the head.
	if start != 0 {
		if start <= s.Head || !tree.IsOnWay(s.Head, start) {
			return 0, false, s.noUndoError()
		}
		return start, true, nil
	}

	// Otherwise redo goes node by node, to the next stored undo or to the end of the run.
	run := tree.runs[tree.indexOf(s.Head)] // the tree has the head, since it has a way from there
	if run.last == s.Head {
		return run.firstChild, false, nil
	}
	end, err = nextRedoRecord(r, s.Head, run.last)
	return end, false, err
}

// nextRedoRecord returns the first node that has a stored redo record among those after a
// node and before last; last if there is none.
func nextRedoRecord(r kv.Reader, id, last ID) (ID, error) {
	recorded := kv.Range{Start: key(redoKey, id+1), End: key(redoKey, last), KeysOnly: true}
	for recordedID, err := range idsIn(r, recorded) {
		return recordedID, err
	}
	return last, nil
}

// redoFinishes reports whether redo goes over the nodes from first to last, which follow
// each other. It does if first changed anything, or if a node after last did: redo does
// not go over refused messages alone.
func (s State) redoFinishes(r kv.Reader, first, last ID) (bool, error) {
	n, err := Get(r, first)
	if err != nil || n.changed() {
		return err == nil, err
	}
	s.Head = last
	_, err = s.Redo(r)
	if errors.Is(err, ErrNothingToRedo) {
		return false, nil
	}
	return err == nil, err
}

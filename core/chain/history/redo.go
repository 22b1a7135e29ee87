package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"ephemera/core/kv"
)

// Redo returns the nodes that redo does again, the oldest first: every node that undo
// went back over, or else those of the oldest branch, at least as far as the next node
// that changed anything. It fails with [ErrNothingToRedo].
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

// RememberRedo makes redo go from the parent of a node to start, where the undo of the
// node began: the node itself or one below it.
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

// redoStep returns the nodes from the head to where redo goes next, the oldest first. It
// fails with [ErrNothingToRedo].
func (s State) redoStep(r kv.Reader) ([]Node, error) {
	start, err := redoStart(r, s.Head)
	if err != nil {
		return nil, err
	}
	if start != 0 {
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

// redoStart returns the node at which an undo to a node began; 0 if none is recorded.
func redoStart(r kv.Reader, id ID) (ID, error) {
	recordKey := key(redoKey, id)
	stored, isStored, err := r.Get(recordKey)
	if err != nil || !isStored {
		return 0, err
	}
	return decodeID(recordKey, stored)
}

// pathDown returns the nodes from the head to one where an undo began, the oldest
// first. It fails with a [*kv.CorruptError] if no undo can have led from there to the
// head: undo passes only over nodes that changed nothing, except for the last.
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

var errNoUndo = errors.New("no undo leads from there to here")

// noUndoError says that the redo record of the head cannot be true.
func (s State) noUndoError() error {
	return &kv.CorruptError{Key: key(redoKey, s.Head), Err: errNoUndo}
}

// RedoLeadsTo reports whether redo, repeated as often as possible, passes a node. It
// reads the redo records on the way, and few nodes.
func (s State) RedoLeadsTo(r kv.Reader, tree *Tree, id ID) (bool, error) {
	for s.Head < id && tree.IsOnWay(s.Head, id) {
		end, isOneStep, err := s.redoEnd(r, tree)
		if err != nil || end == 0 {
			return false, err
		}
		if tree.IsOnWay(id, end) {
			first := id
			if isOneStep {
				first = tree.Next(s.Head, id)
			} else {
				end = id
			}
			return s.redoFinishes(r, first, end)
		}
		s.Head = end
	}
	return false, nil
}

// redoEnd returns a node below the head to which redo goes; 0 if there is none. Redo
// goes there in one step of [State.redoStep], or else node by node.
func (s State) redoEnd(r kv.Reader, tree *Tree) (end ID, isOneStep bool, err error) {
	start, err := redoStart(r, s.Head)
	if err != nil {
		return 0, false, err
	}
	if start != 0 {
		if start <= s.Head || !tree.IsOnWay(s.Head, start) {
			return 0, false, s.noUndoError()
		}
		return start, true, nil
	}
	run := tree.runs[tree.indexOf(s.Head)] // the tree has the head, since it has a way from there
	if run.last == s.Head {
		return run.firstChild, false, nil
	}
	end, err = nextRedoRecord(r, s.Head, run.last)
	return end, false, err
}

// nextRedoRecord returns the first node after another that has a redo record, or last
// if that comes before.
func nextRedoRecord(r kv.Reader, id, last ID) (ID, error) {
	recorded := kv.Range{Start: key(redoKey, id+1), End: key(redoKey, last), KeysOnly: true}
	for recordedID, err := range idsIn(r, recorded) {
		return recordedID, err
	}
	return last, nil
}

// redoFinishes reports whether redo carries out a step over nodes that follow each
// other from first to last. It does unless neither the step nor any after it changes
// anything.
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

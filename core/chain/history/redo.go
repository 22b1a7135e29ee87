package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"ephemera/core/kv"
)

// Redo returns the nodes that redo does again, the oldest first. It fails with
// [ErrNothingToRedo] if there are none.
//
// If an undo ended at the head, these are the nodes that the undo went back over. Otherwise
// Redo follows the oldest branch. Refused messages change nothing, so Redo goes on until a
// node changed something.
func (s State) Redo(reader kv.Reader) (path []Node, err error) {
	for !slices.ContainsFunc(path, Node.hasChanges) {
		nodes, err := s.redoStep(reader)
		if err != nil {
			return nil, err
		}
		path = append(path, nodes...)
		s.Head = path[len(path)-1].ID
	}
	return path, nil
}

// RememberRedo stores how a later redo reverses the undo of a node: it goes from the node's
// parent to start, the node at which the undo began. For example, one undo reverts the nodes
// 9, 8 and 7. RememberRedo of node 7 with start 9 then stores, for node 6, that redo goes to
// node 9.
func RememberRedo(txn kv.Txn, undoneNode Node, start ID) error {
	recordKey := key(redoLetter, undoneNode.Parent)
	stored, isStored, err := txn.Get(recordKey)
	if err != nil {
		return err
	}
	record := binary.BigEndian.AppendUint64(nil, uint64(start))
	if isStored && bytes.Equal(stored, record) {
		return nil
	}

	// Without a record, redo goes to the first child, and on from there if this child changed
	// nothing. If that leads to start anyway, no record is needed.
	isFirstChild := undoneNode.ID == undoneNode.Parent+1
	goesToStart := start == undoneNode.ID || undoneNode.ChangeCount == 0
	if !isStored && isFirstChild && goesToStart {
		return nil
	}
	return txn.Set(recordKey, record)
}

// redoStep returns the nodes of one step of redo, the oldest first: those that an undo to the
// head went back over, or the oldest child of the head. Without a child, it fails with
// [ErrNothingToRedo].
func (s State) redoStep(reader kv.Reader) ([]Node, error) {
	start, err := redoStart(reader, s.Head)
	if err != nil {
		return nil, err
	}

	if start != 0 {
		return s.redoPath(reader, start)
	}

	for child, err := range Children(reader, s.Head) {
		if err != nil {
			return nil, err
		}
		node, err := Get(reader, child)
		return []Node{node}, err
	}
	return nil, ErrNothingToRedo
}

// redoStart returns the node at which an undo began that ended at node id; 0 if none is
// stored.
func redoStart(reader kv.Reader, id ID) (ID, error) {
	recordKey := key(redoLetter, id)
	stored, isStored, err := reader.Get(recordKey)
	if err != nil || !isStored {
		return 0, err
	}
	return decodeID(recordKey, stored)
}

// redoPath returns the nodes after the head up to start, the oldest first. It fails with a
// [*kv.CorruptError] if no undo can have gone from start to the head.
func (s State) redoPath(reader kv.Reader, start ID) ([]Node, error) {
	undoneNodes, redoneNodes, err := s.Path(reader, start)
	if err != nil {
		return nil, err
	}

	// An undo ends as soon as it has reverted a node that changed something, so only the
	// oldest of the nodes can have changed something.
	comesAfterHead := len(undoneNodes) == 0 && len(redoneNodes) > 0
	if !comesAfterHead || slices.ContainsFunc(redoneNodes[1:], Node.hasChanges) {
		return nil, s.noUndoError()
	}
	return redoneNodes, nil
}

var errNoUndo = errors.New("no undo leads from there to here")

// noUndoError returns the error for a redo record of the head from which no undo can have
// come.
func (s State) noUndoError() error {
	return &kv.CorruptError{Key: key(redoLetter, s.Head), Err: errNoUndo}
}

// RedoLeadsTo reports whether redo, repeated as often as possible, does node id again. It
// reads the redo records on the path to the node, but only few nodes, so it is fast in a long
// history.
func (s State) RedoLeadsTo(reader kv.Reader, tree *Tree, id ID) (bool, error) {
	// Move the head forward as redo would do, as long as it is an ancestor of the node.
	for s.Head < id && tree.IsOnPath(s.Head, id) {
		end, isOneStep, err := s.redoEnd(reader, tree)
		if err != nil {
			return false, err
		}
		if end == 0 {
			return false, nil
		}
		if !tree.IsOnPath(id, end) {
			s.Head = end
			continue
		}

		// The node is on the way to end. One step does either all nodes up to end again,
		// and so also this one, or none of them. Otherwise redo goes node by node.
		if isOneStep {
			first := tree.Next(s.Head, id)
			return s.redoFinishes(reader, first, end)
		}
		return s.redoFinishes(reader, id, id)
	}
	return false, nil
}

// redoEnd returns a node to which redo goes from the head, or 0 for none: in one step, see
// [State.redoStep], or node by node.
func (s State) redoEnd(reader kv.Reader, tree *Tree) (end ID, isOneStep bool, err error) {
	start, err := redoStart(reader, s.Head)
	if err != nil {
		return 0, false, err
	}

	// If an undo ended at the head, the node at which it began must come after the head.
	if start != 0 {
		if start <= s.Head || !tree.IsOnPath(s.Head, start) {
			return 0, false, s.noUndoError()
		}
		return start, true, nil
	}

	// Otherwise redo goes to the next node, up to one with a redo record, and from the last
	// node of a segment to the oldest child.
	headSegment := tree.segments[tree.indexOf(s.Head)]
	if headSegment.last == s.Head {
		return headSegment.firstChild, false, nil
	}
	redoKeys := kv.Range{Start: key(redoLetter, s.Head+1), End: key(redoLetter, headSegment.last), KeysOnly: true}
	for next, err := range nodeIDsIn(reader, redoKeys) {
		return next, false, err // the first is enough
	}
	return headSegment.last, false, nil
}

// redoFinishes reports whether redo does the nodes from first to last again. Of these, only
// first can have changed something. Redo does nodes that changed nothing, such as refused
// messages, only on the way to one that did. So first must have changed something, or else
// redo must find such a node after last.
func (s State) redoFinishes(reader kv.Reader, first, last ID) (bool, error) {
	node, err := Get(reader, first)
	if err != nil {
		return false, err
	}
	if node.hasChanges() {
		return true, nil
	}

	// Look for a node after last that changed something.
	s.Head = last
	_, err = s.Redo(reader)
	if errors.Is(err, ErrNothingToRedo) {
		return false, nil
	}
	return err == nil, err
}

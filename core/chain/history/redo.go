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
	// Node.changed reports whether a node changed any record of the store.
	for !slices.ContainsFunc(path, Node.changed) {
		nodes, err := s.redoStep(reader)
		if err != nil {
			return nil, err
		}
		path = append(path, nodes...)
		s.Head = path[len(path)-1].ID
	}
	return path, nil
}

// RememberRedo stores how redo reverses the undo of a node: it goes from the node's parent
// to start, the node at which the undo began. For example, one undo went from node 9 back
// over 8 and 7. RememberRedo of node 7 with start 9 then stores 9 under its parent, node 6.
func RememberRedo(txn kv.Txn, undone Node, start ID) error {
	recordKey := key(redoKey, undone.Parent)
	stored, isStored, err := txn.Get(recordKey)
	if err != nil {
		return err
	}
	record := binary.BigEndian.AppendUint64(nil, uint64(start))
	if isStored && bytes.Equal(stored, record) {
		return nil
	}

	// Without a record, redo goes to the first child, and goes on if this child changed
	// nothing. If that leads to start anyway, no record is needed.
	isFirstChild := undone.ID == undone.Parent+1
	goesToStart := start == undone.ID || undone.Changes == 0
	needsNoRecord := !isStored && isFirstChild && goesToStart
	if needsNoRecord {
		return nil
	}
	return txn.Set(recordKey, record)
}

// redoStep returns the nodes of one step of redo, the oldest first. If an undo to the head
// is stored, these are the nodes after the head up to the one at which the undo began.
// Otherwise it is the oldest child of the head. If the head has no child, redoStep fails
// with [ErrNothingToRedo].
func (s State) redoStep(reader kv.Reader) ([]Node, error) {
	start, err := redoStart(reader, s.Head)
	if err != nil {
		return nil, err
	}

	// If an undo is stored, redo goes to the node at which the undo began.
	if start != 0 {
		return s.redoPath(reader, start)
	}

	// Otherwise redo goes to the oldest child, which Children yields first.
	for child, err := range Children(reader, s.Head) {
		if err != nil {
			return nil, err
		}
		node, err := Get(reader, child)
		return []Node{node}, err
	}
	return nil, ErrNothingToRedo
}

// redoStart returns the node at which an undo began that ended at node id. Redo goes back
// there. The result is 0 if no such undo is stored.
func redoStart(reader kv.Reader, id ID) (ID, error) {
	recordKey := key(redoKey, id)
	stored, isStored, err := reader.Get(recordKey)
	if err != nil || !isStored {
		return 0, err
	}
	return decodeID(recordKey, stored)
}

// redoPath returns the nodes after the head up to start, the node at which an undo to the
// head began. The oldest node is first, and start is last. redoPath fails with a
// [*kv.CorruptError] if no undo can have gone from start to the head.
func (s State) redoPath(reader kv.Reader, start ID) ([]Node, error) {
	undone, redone, err := s.Path(reader, start)
	if err != nil {
		return nil, err
	}
	comesAfterHead := len(undone) == 0 && len(redone) > 0
	if !comesAfterHead {
		return nil, s.noUndoError()
	}

	// An undo stops behind the first change that it reverts, so only the oldest of the
	// nodes can have changed something.
	if slices.ContainsFunc(redone[1:], Node.changed) {
		return nil, s.noUndoError()
	}
	return redone, nil
}

// errNoUndo reports that a redo record names a node from which no undo can have come.
var errNoUndo = errors.New("no undo leads from there to here")

// noUndoError returns the error for a redo record of the head that names a node from which
// no undo can have come.
func (s State) noUndoError() error {
	return &kv.CorruptError{Key: key(redoKey, s.Head), Err: errNoUndo}
}

// RedoLeadsTo reports whether redo, repeated as often as possible, does node id again. It
// reads the stored redo records on the path to the node, but only few nodes.
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

		// A single step does all nodes up to the end again, and so also the node, or none.
		if isOneStep {
			first := tree.Next(s.Head, id)
			return s.redoFinishes(reader, first, end)
		}
		return s.redoFinishes(reader, id, id)
	}
	return false, nil
}

// redoEnd returns a node to which redo goes from the head, and 0 if there is nothing to do
// again. isOneStep is true if redo goes there in one step of [State.redoStep]. It is false
// if redo goes there node by node.
func (s State) redoEnd(reader kv.Reader, tree *Tree) (end ID, isOneStep bool, err error) {
	start, err := redoStart(reader, s.Head)
	if err != nil {
		return 0, false, err
	}

	// If an undo is stored, redo goes in one step to the node at which the undo began. This
	// node must come after the head.
	if start != 0 {
		comesAfterHead := start > s.Head && tree.IsOnPath(s.Head, start)
		if !comesAfterHead {
			return 0, false, s.noUndoError()
		}
		return start, true, nil
	}

	// Otherwise redo goes node by node within the series of consecutive nodes that the head
	// is in, and at the last node to its oldest child. The tree has the head, because
	// RedoLeadsTo has found a path from there.
	index := tree.indexOf(s.Head)
	headSegment := tree.segments[index]
	if headSegment.last == s.Head {
		return headSegment.firstChild, false, nil
	}
	end, err = nextRedoRecord(reader, s.Head, headSegment.last)
	return end, false, err
}

// nextRedoRecord returns the first node with a stored redo record among the nodes after id
// and before last. It returns last if none of them has one.
func nextRedoRecord(reader kv.Reader, id, last ID) (ID, error) {
	recorded := kv.Range{Start: key(redoKey, id+1), End: key(redoKey, last), KeysOnly: true}
	for recordedID, err := range nodeIDsIn(reader, recorded) {
		return recordedID, err
	}
	return last, nil
}

// redoFinishes reports whether redo does the nodes from first to last again, of which only
// first can have changed something. Redo never does only nodes that changed nothing, such as
// refused messages. So either first must have changed something, or a node after last.
func (s State) redoFinishes(reader kv.Reader, first, last ID) (bool, error) {
	node, err := Get(reader, first)
	if err != nil {
		return false, err
	}
	if node.changed() {
		return true, nil
	}

	// Redo needs a node after last that changed something. It fails if there is none.
	s.Head = last
	_, err = s.Redo(reader)
	if errors.Is(err, ErrNothingToRedo) {
		return false, nil
	}
	return err == nil, err
}

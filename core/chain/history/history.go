// Package history stores what happened as a tree: every message, refused ones too, and
// every move of the clock is a node, with the changes that it made to the store.
//
// One node is the head: the store is in the state after it. Undo reverts the changes of
// the head and makes its parent the head; redo makes the changes again. A message that is
// sent after an undo starts a branch, so nothing is lost.
//
// The history stores changes, not versions of the store. So undo costs as much as was
// changed, works on any store, and shows what a message did.
//
// The package does not interpret the changes and does not apply them. Package chain reads
// a path, writes the changes of its nodes and sets the head, all in one transaction.
package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// ID is the number of a node in the history. The first node has number 1, and every later
// node the next number, whatever branch it is on. 0 is the empty store before the first
// node.
type ID uint64

// Kind says what a node of the history records: a message of some kind, or a move of the
// clock.
type Kind string

// The kinds of node.
const (
	KindInstantiate Kind = "instantiate"
	KindExecute     Kind = "execute"
	KindClock       Kind = "clock"
	KindImport      Kind = "import"
	KindMigrate     Kind = "migrate" // to the code of another contract
)

// Refusal is the answer to a message that was refused.
type Refusal struct {
	Kind  cw721.Kind
	Text  string
	Field string // the member of the message at fault; may be empty
}

// Node is one thing that happened: a message, or a move of the clock.
type Node struct {
	ID     ID
	Parent ID // the node before it on its branch; 0 for the first
	Kind   Kind
	// Height and Time are those of the block; for a move of the clock, of the block
	// before the move.
	Height cw721.Height
	Time   cw721.Time
	Sender cw721.Address // empty for a move of the clock
	// Message is the message as sent, which may be no JSON. For a move of the clock, it
	// is the clock before the move.
	Message string
	// Answer is the contract's response as JSON; empty if the message was refused. For a
	// move of the clock, it is the clock after the move.
	Answer  wire.Raw
	Refusal *Refusal // nil if the message was carried out
	// Difference is how the built-in contract would have answered a compiled contract's
	// message, as JSON; empty if the same, or if they were not compared.
	Difference wire.Raw
	// Debug is what a compiled contract logged, in lines.
	Debug string
	// Changes is how many records the node changed.
	Changes uint64
	// Batch is the first node of the batch that the message was sent in; 0 if it was sent
	// alone. Undo and redo take the messages of a batch together.
	Batch ID
}

// changed reports whether the message or the clock move of a node changed any record of
// the store.
func (n Node) changed() bool { return n.Changes > 0 }

// State is the position in a history, and the limits of undo. It is stored as one record,
// which [State.Save] writes.
type State struct {
	// Head is the node whose state the store has now.
	Head ID
	// Last is the node that was added last, on whatever branch.
	Last ID
	// SetupEnd is the last node of the set-up, which undo never reverts.
	SetupEnd ID
	// Oldest is the oldest node that is kept, and every other node that is kept comes
	// after it; 0 if the history was never pruned. Its own changes cannot be undone.
	Oldest ID
	// Pruned is how many nodes were pruned.
	Pruned uint64
	// Revision counts the commits to the store, of any kind. As long as it is the same,
	// the store has not changed.
	Revision uint64
}

// The first bytes of the keys. The ids that follow are eight bytes each, big-endian.
const (
	stateKey  = 'h' // the [State]
	nodeKey   = 'n' // id → the node
	changeKey = 'd' // id → the changes of the node
	moreKey   = 'm' // id, part, kind → a further part of a large record of another kind
	redoKey   = 'r' // id → the node at which an undo to it began
	branchKey = 'k' // parent, child → nothing, for a child that is not its parent's successor
	nameKey   = 's' // name → id
)

// key returns the key of a record of a kind.
func key(kind byte, ids ...ID) []byte {
	k := append(make([]byte, 0, 24), kind)
	for _, id := range ids {
		k = binary.BigEndian.AppendUint64(k, uint64(id))
	}
	return k
}

// keysWithPrefix returns the range of the keys that begin with prefix, to be read without values.
func keysWithPrefix(prefix []byte) kv.Range {
	keys := kv.PrefixRange(prefix)
	keys.KeysOnly = true
	return keys
}

// The reasons why undo and redo lead nowhere.
var (
	ErrNothingToUndo = errors.New("there is nothing to undo")
	ErrNothingToRedo = errors.New("there is nothing to redo")
)

// UnknownNodeError says that no node has a number, or that the node was pruned.
type UnknownNodeError struct {
	ID     ID
	Pruned bool
}

// Error returns a sentence with the number of the node.
func (e *UnknownNodeError) Error() string {
	if e.Pruned {
		return fmt.Sprintf("node %d was pruned from the history", e.ID)
	}
	return fmt.Sprintf("the history has no node %d", e.ID)
}

// Load reads the state of the history. In a store without a history, it returns the zero
// State.
func Load(r kv.Reader) (State, error) {
	raw, ok, err := r.Get([]byte{stateKey})
	if err != nil || !ok {
		return State{}, err
	}
	return decodeState(raw)
}

// Save writes the state of the history.
func (s State) Save(w kv.Writer) error { return w.Set([]byte{stateKey}, s.encode()) }

// Get reads a node. It fails with an [*UnknownNodeError] if there is none, and with a
// [*kv.CorruptError] if it cannot be decoded.
func Get(r kv.Reader, id ID) (Node, error) {
	raw, ok, err := loadParts(r, nodeKey, id)
	if err != nil {
		return Node{}, err
	}
	if ok {
		return decodeNode(id, raw)
	}

	// The error says whether the node was pruned or never existed.
	s, err := Load(r)
	if err != nil {
		return Node{}, err
	}
	existed := id <= s.Last // a number is never used again
	return Node{}, &UnknownNodeError{ID: id, Pruned: existed && s.Oldest > 0}
}

// NodeCount returns how many nodes are stored: all that were ever added, without those
// that were pruned.
func (s State) NodeCount() uint64 { return uint64(s.Last) - min(s.Pruned, uint64(s.Last)) }

// IsGapless reports whether every number from the oldest node to the youngest belongs to a
// stored node. The place of a node in the list of all nodes then follows from its number.
func (s State) IsGapless() bool {
	oldest := uint64(max(s.Oldest, 1))
	return s.Pruned == oldest-1
}

// Append adds a node after the head and makes it the head. It returns the node with its
// number, its parent and its count of changes. s must be saved.
func (s *State) Append(t kv.Txn, n Node, changes []kv.Change) (Node, error) {
	s.Last++
	n.ID = s.Last
	n.Parent = s.Head
	s.Head = n.ID
	if n.Parent+1 != n.ID {
		if err := t.Set(key(branchKey, n.Parent, n.ID), []byte{}); err != nil {
			return n, err
		}
	}
	return save(t, n, changes)
}

// Amend replaces a node and its changes. A move of the clock is amended when the clock
// moves on. [State.CanAmend] must be true for the node.
func Amend(t kv.Txn, n Node, changes []kv.Change) error {
	if err := deleteParts(t, changeKey, n.ID); err != nil {
		return err
	}
	_, err := save(t, n, changes)
	return err
}

// CanAmend reports whether [Amend] may replace a node: the node is the head, is no part
// of the set-up, has no node after it, and has no name. The oldest node of a pruned
// history is part of the set-up.
func (s State) CanAmend(r kv.Reader, id ID) (bool, error) {
	if id == 0 || id != s.Head || id == s.SetupEnd {
		return false, nil
	}
	for _, err := range Children(r, id) {
		return false, err
	}
	names, err := Names(r)
	if err != nil {
		return false, err
	}
	hasName := slices.ContainsFunc(names, func(n Name) bool { return n.ID == id })
	return !hasName, nil
}

// save writes a node and its changes, and returns the node with their count.
func save(w kv.Writer, n Node, changes []kv.Change) (Node, error) {
	n.Changes = uint64(len(changes))
	if err := saveParts(w, nodeKey, n.ID, n.encode()); err != nil {
		return n, err
	}
	return n, saveChanges(w, n.ID, changes)
}

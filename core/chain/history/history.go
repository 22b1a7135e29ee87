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

// Kind says what a node of the history records.
type Kind string

// The kinds of node.
const (
	KindInstantiate Kind = "instantiate" // the message that creates the collection
	KindExecute     Kind = "execute"     // a message to the collection
	KindClock       Kind = "clock"       // a move of the clock
	KindImport      Kind = "import"      // an import of the collection's records
	KindMigrate     Kind = "migrate"     // a migration to the code of another contract
)

// Refusal is why a message was refused.
type Refusal struct {
	Kind  cw721.Kind // the kind of reason, such as a missing permission
	Text  string     // the reason, for people
	Field string     // the member of the message that caused it; "" if no single one did
}

// Node is one thing that happened, as the history records it: a message, executed or refused,
// or a move of the clock.
type Node struct {
	ID     ID // the number of the node; 1 for the first node
	Parent ID // the node before it on its branch; 0 for the first node
	Kind   Kind
	// Height and Time are those of the block in which the message was executed. For a move
	// of the clock, they are those of the block before the move.
	Height cw721.Height
	Time   cw721.Time
	Sender cw721.Address // the account that sent the message; "" for a move of the clock
	// Message is the message as sent, which may be no valid JSON. For a move of the clock,
	// it is the clock before the move, as JSON.
	Message string
	// Answer is the contract's response as JSON; empty if the message was refused. For a
	// move of the clock, it is the clock after the move, as JSON.
	Answer  wire.Raw
	Refusal *Refusal // why the message was refused; nil if it was executed
	// Difference is how the answers of a compiled contract and of the built-in contract
	// differ, as JSON. It is empty if they do not differ or were not compared.
	Difference  wire.Raw
	Log         string // the lines that a compiled contract logged; "" for none
	ChangeCount uint64 // how many records of the store the node changed
	// Batch is the first node of the batch, the messages that a user sent together; 0 if
	// the message was sent alone. Undo and redo take the messages of a batch together.
	Batch ID
}

// Block returns the block of the message, or the one before a move of the clock.
func (n Node) Block() cw721.Block { return cw721.Block{Height: n.Height, Time: n.Time} }

func (n Node) hasChanges() bool { return n.ChangeCount > 0 }

// State says where a history stands. It is one record, which [State.Save] writes.
type State struct {
	Head ID // the node after which the store has its present state
	Last ID // the node that was added last, on any branch
	// SetupEnd is the last node of the set-up. Undo reverts neither it nor earlier nodes.
	SetupEnd ID
	// Oldest is the oldest node that a prune kept; 0 if the history was never pruned. All
	// other nodes are its descendants. Its own changes cannot be undone.
	Oldest      ID
	PrunedCount uint64 // how many nodes were pruned
	// Revision counts the commits to the store, of any kind. As long as it stays the same,
	// the store has not changed.
	Revision uint64
}

// Every key begins with one of these letters, which says what kind of record it is. In
// each comment, what follows in the key is before the arrow, and what the record holds is
// after it. An id is the number of a node in eight bytes, big-endian.
const (
	stateLetter  = 'h' // → the [State]
	nodeLetter   = 'n' // id → the node
	changeLetter = 'd' // id → the changes that the node made
	partLetter   = 'm' // id, part, letter → a further part of a large record with this letter
	redoLetter   = 'r' // id → the node at which an undo to this node began
	branchLetter = 'k' // parent, child → nothing; only if child is not parent+1
	nameLetter   = 's' // name → id of the node with the name
)

// key returns the key of a record: the letter of its kind, and then ids in eight bytes each.
func key(letter byte, ids ...ID) []byte {
	recordKey := append(make([]byte, 0, 24), letter) // room for most keys
	for _, id := range ids {
		recordKey = binary.BigEndian.AppendUint64(recordKey, uint64(id))
	}
	return recordKey
}

// keysWithPrefix returns the range of the keys that begin with prefix, without values.
func keysWithPrefix(prefix []byte) kv.Range {
	keys := kv.PrefixRange(prefix)
	keys.KeysOnly = true
	return keys
}

// The errors of undo and redo if there is no node to revert or to do again.
var (
	ErrNothingToUndo = errors.New("there is nothing to undo")
	ErrNothingToRedo = errors.New("there is nothing to redo")
)

// UnknownNodeError reports that the history has no node with a number, or has it no longer.
type UnknownNodeError struct {
	ID     ID
	Pruned bool // the node existed, and a prune deleted it
}

// Error says whether the node was pruned, or never existed.
func (e *UnknownNodeError) Error() string {
	if e.Pruned {
		return fmt.Sprintf("node %d was pruned from the history", e.ID)
	}
	return fmt.Sprintf("the history has no node %d", e.ID)
}

// Load reads the state of the history, which is the zero State in an empty store.
func Load(reader kv.Reader) (State, error) {
	record, exists, err := reader.Get([]byte{stateLetter})
	if err != nil || !exists {
		return State{}, err
	}
	return decodeState(record)
}

// Save writes the state of the history.
func (s State) Save(writer kv.Writer) error { return writer.Set([]byte{stateLetter}, s.encode()) }

// Get reads a node. It fails with an [*UnknownNodeError] if there is none, and with a
// [*kv.CorruptError] if it cannot be decoded.
func Get(reader kv.Reader, id ID) (Node, error) {
	record, exists, err := loadParts(reader, nodeLetter, id)
	if err != nil {
		return Node{}, err
	}
	if exists {
		return decodeNode(id, record)
	}

	state, err := Load(reader)
	if err != nil {
		return Node{}, err
	}
	existed := id <= state.Last // a number is never used again
	return Node{}, &UnknownNodeError{ID: id, Pruned: existed && state.Oldest > 0}
}

// NodeCount returns how many nodes are stored.
func (s State) NodeCount() uint64 {
	prunedCount := min(s.PrunedCount, uint64(s.Last)) // a broken record may claim more
	return uint64(s.Last) - prunedCount
}

// IsGapless reports whether every number from the oldest node to the youngest belongs to a
// stored node, so that the position of a node in the list of all nodes can be computed. A
// prune of a branch leaves gaps.
func (s State) IsGapless() bool {
	oldest := uint64(max(s.Oldest, 1)) // the first node has number 1
	countBefore := oldest - 1
	return s.PrunedCount == countBefore // otherwise later nodes were pruned too
}

// Append adds a node to the history as a child of the head, and makes it the head. It returns
// the node with its number, its parent and its number of changes. The caller must save s.
func (s *State) Append(txn kv.Txn, node Node, changes []kv.Change) (Node, error) {
	s.Last++
	node.ID = s.Last
	node.Parent = s.Head
	s.Head = node.ID

	if node.Parent+1 != node.ID {
		if err := txn.Set(key(branchLetter, node.Parent, node.ID), []byte{}); err != nil {
			return node, err
		}
	}
	return saveNode(txn, node, changes)
}

// Amend replaces a stored node and its changes, so that the move of a running clock stays one
// node. [State.CanAmend] must be true for the node.
func Amend(txn kv.Txn, node Node, changes []kv.Change) error {
	if err := deleteParts(txn, changeLetter, node.ID); err != nil {
		return err
	}
	_, err := saveNode(txn, node, changes)
	return err
}

// CanAmend reports whether [Amend] may replace a node: it is the head but not the end of the
// set-up, and has no child and no name. In a pruned history, the oldest node is part of the
// set-up.
func (s State) CanAmend(reader kv.Reader, id ID) (bool, error) {
	if id == 0 || id != s.Head || id == s.SetupEnd {
		return false, nil
	}

	// The loop returns if the node has a child, or if reading the children fails.
	for _, err := range Children(reader, id) {
		return false, err
	}
	names, err := Names(reader)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(names, func(n Name) bool { return n.ID == id }), nil
}

// saveNode writes a node and its changes, and returns it with the number of changes.
func saveNode(writer kv.Writer, node Node, changes []kv.Change) (Node, error) {
	node.ChangeCount = uint64(len(changes))
	if err := saveParts(writer, nodeLetter, node.ID, node.encode()); err != nil {
		return node, err
	}
	return node, saveChanges(writer, node.ID, changes)
}

// Package history remembers what happened as a tree: every message, refused
// ones too, and every move of the clock is a node, with the changes that it
// made to storage.
//
// One node is the head: the state of the store is the state after it. Going up
// reverts a node's changes, going down does them again, and acting anywhere but
// at a tip starts a branch. Nothing is lost by going back.
//
// Changes are kept, not versions of the store: going back then costs what was
// changed, works on any store, and shows what a message did.
//
// The package must never know what the changes mean, nor move anything itself:
// the chain reads a path from here, writes the changes, and sets the head, all
// in one transaction.
package history

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// ID names a node. They count up from 1; 0 is the empty store before all.
type ID uint64

// Kind tells what a node is.
type Kind string

// The kinds of node.
const (
	KindInstantiate Kind = "instantiate"
	KindExecute     Kind = "execute"
	KindClock       Kind = "clock"
	KindImport      Kind = "import"
	KindMigrate     Kind = "migrate" // to the code of another contract
)

// Refusal is the answer to a message that was turned down.
type Refusal struct {
	Kind  cw721.Kind
	Text  string
	Field string
}

// Node is one thing that happened.
type Node struct {
	ID     ID
	Parent ID
	Kind   Kind
	// The block it happened in; for a move of the clock, the block before.
	Height cw721.Height
	Time   cw721.Time
	Sender cw721.Address
	// Message is the message as sent, which need not be JSON; for a move of the
	// clock, the clock before it.
	Message string
	// Answer is the contract's response as JSON, empty where it refused; for a
	// move of the clock, the clock after it.
	Answer  wire.Raw
	Refusal *Refusal // nil where it was carried out
	// Difference is what another contract that the message was compared with did
	// otherwise, as JSON; empty where nothing, or where that was not asked.
	Difference wire.Raw
	// Debug is what a compiled contract logged, in lines.
	Debug string
	// Changes is how many records it changed; 0 for one that did nothing.
	Changes uint64
}

// State is where the history stands.
type State struct {
	Head ID
	// Last is the youngest node, on whatever branch.
	Last ID
	// Base is the node that undo never goes before: the end of the set-up.
	Base ID
	// Floor is the oldest node that is kept, above all others that are; 0 when
	// none was pruned. The state before it is gone.
	Floor ID
	// Pruned is how many nodes were pruned.
	Pruned uint64
	// Revision counts commits of any kind, so that a reader can tell whether
	// what it saw is still so.
	Revision uint64
}

// The records, under one byte each.
const (
	stateKey  = 'h'
	nodeKey   = 'n' // id → node
	changeKey = 'd' // id → its changes
	moreKey   = 'm' // id, part, kind → what a record of another kind had no room for
	redoKey   = 'r' // id → the node below it at which undo began
	branchKey = 'k' // parent, child: a child that is not its parent's successor
	nameKey   = 's' // name → id
)

func key(kind byte, ids ...ID) []byte {
	k := append(make([]byte, 0, 24), kind)
	for _, id := range ids {
		k = binary.BigEndian.AppendUint64(k, uint64(id))
	}
	return k
}

// keysOf returns the range of the keys that begin with prefix, to be read without values.
func keysOf(prefix []byte) kv.Range {
	keys := kv.PrefixRange(prefix)
	keys.KeysOnly = true
	return keys
}

// The ways in which a walk can have nowhere to go.
var (
	ErrNothingToUndo = errors.New("there is nothing to undo")
	ErrNothingToRedo = errors.New("there is nothing to redo")
)

// UnknownNodeError says that there is no such node, or no longer.
type UnknownNodeError struct {
	ID     ID
	Pruned bool
}

func (e *UnknownNodeError) Error() string {
	if e.Pruned {
		return fmt.Sprintf("node %d was pruned from the history", e.ID)
	}
	return fmt.Sprintf("the history has no node %d", e.ID)
}

// Load reads where the history stands.
func Load(r kv.Reader) (State, error) {
	raw, ok, err := r.Get([]byte{stateKey})
	if err != nil || !ok {
		return State{}, err
	}
	return decodeState(raw)
}

// Save writes where the history stands.
func (s State) Save(w kv.Writer) error { return w.Set([]byte{stateKey}, s.encode()) }

// Get reads a node. It fails with an [*UnknownNodeError].
func Get(r kv.Reader, id ID) (Node, error) {
	raw, ok, err := loadParts(r, nodeKey, id)
	if err != nil {
		return Node{}, err
	}
	if !ok {
		s, err := Load(r)
		if err != nil {
			return Node{}, err
		}
		return Node{}, &UnknownNodeError{ID: id, Pruned: s.pruned(id)}
	}
	return decodeNode(id, raw)
}

// pruned tells of a node that is not there whether it was: ids are given once.
func (s State) pruned(id ID) bool { return id <= s.Last && s.Floor > 0 }

// Kept is how many nodes there are.
func (s State) Kept() uint64 { return uint64(s.Last) - min(s.Pruned, uint64(s.Last)) }

// Dense tells that no node is missing from the oldest to the youngest, so that
// a node's place follows from its number.
func (s State) Dense() bool { return s.Pruned+1 == uint64(max(s.Floor, 1)) }

// Append adds a node below the head and makes it the head. It fills in the
// node's id and parent; s is brought up to date and must be saved.
func (s *State) Append(t kv.Txn, n Node, changes []kv.Change) (Node, error) {
	s.Last++
	n.ID, n.Parent, n.Changes = s.Last, s.Head, uint64(len(changes))
	s.Head = n.ID
	if n.Parent+1 != n.ID {
		if err := t.Set(key(branchKey, n.Parent, n.ID), []byte{}); err != nil {
			return n, err
		}
	}
	return n, put(t, n, changes)
}

// Amend replaces the changes and the answer of a node at the head: for what
// goes on, as a clock that plays. Only a tip without a name can be amended;
// see [State.Open].
func (s *State) Amend(t kv.Txn, n Node, changes []kv.Change) error {
	n.Changes = uint64(len(changes))
	return cmp.Or(dropParts(t, changeKey, n.ID), put(t, n, changes))
}

// Open tells whether a node may go on: it is the head, after the set-up (and so
// after the oldest node, which [State.Cut] makes its end), with nothing below it
// that counts on what it did and no name that stands for it.
func (s State) Open(r kv.Reader, id ID) (bool, error) {
	if id == 0 || id != s.Head || id == s.Base {
		return false, nil
	}
	for _, err := range Children(r, id) {
		return false, err
	}
	names, err := Names(r)
	for _, n := range names {
		if n.ID == id {
			return false, nil
		}
	}
	return err == nil, err
}

func put(t kv.Txn, n Node, changes []kv.Change) error {
	return cmp.Or(saveParts(t, nodeKey, n.ID, n.encode()), saveChanges(t, n.ID, changes))
}

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
)

// Refusal is the answer to a message that was turned down.
type Refusal struct {
	Kind  cw721.Kind `wire:"kind"`
	Text  string     `wire:"text"`
	Field string     `wire:"field"`
}

// Node is one thing that happened.
type Node struct {
	ID     ID   `wire:"id"`
	Parent ID   `wire:"parent"`
	Kind   Kind `wire:"kind"`
	// The block it happened in; for a move of the clock, the block before.
	Height cw721.Height  `wire:"height"`
	Time   cw721.Time    `wire:"time"`
	Sender cw721.Address `wire:"sender"`
	// Message is the message as sent, which need not be JSON; for a move of the
	// clock, the clock before it.
	Message string `wire:"message"`
	// Answer is the contract's response as JSON, null where it refused; for a
	// move of the clock, the clock after it.
	Answer  wire.Raw `wire:"answer,optional"`
	Refusal *Refusal `wire:"refusal"`
	// Changes is how many records it changed; 0 for one that did nothing.
	Changes uint64 `wire:"changes"`
}

// State is where the history stands.
type State struct {
	Head ID `wire:"head"`
	// Last is the youngest node, on whatever branch.
	Last ID `wire:"last"`
	// Base is the node that undo never goes before: the end of the set-up.
	Base ID `wire:"base"`
	// Floor is the oldest node that is kept; 0 when none was pruned.
	Floor ID `wire:"floor"`
	// Revision counts commits of any kind, so that a reader can tell whether
	// what it saw is still so.
	Revision uint64 `wire:"revision"`
}

// The records, under one byte each.
const (
	stateKey  = 'h'
	nodeKey   = 'n' // id → node
	changeKey = 'd' // id, part → a part of its changes
	redoKey   = 'r' // id → the child that undo came from
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
func Load(r kv.Reader) (s State, err error) {
	raw, ok, err := r.Get([]byte{stateKey})
	if err != nil || !ok {
		return s, err
	}
	if err := wire.Decode(raw, &s); err != nil {
		return s, &kv.CorruptError{Key: []byte("history"), Err: err}
	}
	return s, nil
}

// Save writes where the history stands.
func (s State) Save(w kv.Writer) error { return w.Set([]byte{stateKey}, wire.Encode(s)) }

// Get reads a node. It fails with an [*UnknownNodeError].
func Get(r kv.Reader, id ID) (n Node, err error) {
	raw, ok, err := r.Get(key(nodeKey, id))
	if err != nil {
		return n, err
	}
	if !ok {
		s, err := Load(r)
		if err != nil {
			return n, err
		}
		return n, &UnknownNodeError{ID: id, Pruned: id > 0 && id < s.Floor}
	}
	if err := wire.Decode(raw, &n); err != nil {
		return n, &kv.CorruptError{Key: key(nodeKey, id), Err: err}
	}
	return n, nil
}

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

// Amend replaces the head's changes and text: for what goes on, as a clock
// that plays.
func (s *State) Amend(t kv.Txn, n Node, changes []kv.Change) error {
	n.Changes = uint64(len(changes))
	if err := dropChanges(t, n.ID); err != nil {
		return err
	}
	return put(t, n, changes)
}

func put(t kv.Txn, n Node, changes []kv.Change) error {
	if err := t.Set(key(nodeKey, n.ID), wire.Encode(n)); err != nil {
		return err
	}
	return saveChanges(t, n.ID, changes)
}

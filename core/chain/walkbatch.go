package chain

import (
	"bytes"
	"maps"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// walkTxn is one transaction of undo or redo. It gathers the changes of all nodes and then
// writes them together, so a record that they changed a hundred times is written only once.
type walkTxn struct {
	session   *session
	state     history.State  // the state of the history, with the head as far as it was moved
	clock     Clock          // the clock at the end; set by write
	nodes     []history.Node // the visited nodes that changed something
	changes   changeSet      // what is to be written
	byteCount int            // the total size of the gathered keys and values
	nodeCount int            // how many nodes were visited; each writes at most one record
	unvisited []visit        // the rest of the path, for other transactions; set by follow
}

func newWalkTxn(s *session) (*walkTxn, error) {
	state, err := history.Load(s.history)
	return &walkTxn{session: s, state: state, changes: changeSet{}}, err
}

// The limits of one transaction of undo or redo. When it has gathered this much, it takes no
// further nodes. The limits are well below what a store can commit at once.
const (
	maxTxnRecords = 2500      // records to write
	maxTxnBytes   = 128 << 10 // bytes in the keys and values of these records
)

// visit is the undo or the redo of one node of the history, as a part of a longer walk.
type visit struct {
	node history.Node
	// undoStart is 0 if the node is done again. If the node is undone, undoStart is the node
	// at which this undo began, for example node 9 for an undo of nodes 9 and 8. Redo later
	// goes back to this node.
	undoStart history.ID
}

// headAfter returns the head of the history after the visit.
func (v visit) headAfter() history.ID {
	if v.undoStart != 0 {
		return v.node.Parent
	}
	return v.node.ID
}

// pathTo returns the path from the head to a node: first the nodes to undo, the newest
// first, then those to redo, the oldest first.
func (t *walkTxn) pathTo(id history.ID) (path []visit, err error) {
	undoneNodes, redoneNodes, err := t.state.Path(t.session.history, id)
	for _, node := range undoneNodes {
		path = append(path, visit{node: node, undoStart: node.ID})
	}
	for _, node := range redoneNodes {
		path = append(path, visit{node: node})
	}
	return path, err
}

// follow visits the nodes on a path until the transaction is full, and keeps the rest in
// t.unvisited.
func (t *walkTxn) follow(path []visit) error {
	for len(path) > 0 && len(t.changes)+t.nodeCount < maxTxnRecords && t.byteCount < maxTxnBytes {
		if err := t.undoOrRedo(path[0]); err != nil {
			return err
		}
		path = path[1:]
	}
	t.unvisited = path
	return nil
}

// undoOrRedo visits one node: it moves the head, and gathers the changes to the store. For an
// undo, it also stores to which node a later redo goes.
func (t *walkTxn) undoOrRedo(v visit) error {
	t.nodeCount++
	t.state.Head = v.headAfter()
	if v.node.ChangeCount > 0 {
		changes, err := history.Changes(t.session.history, v.node.ID)
		if err != nil {
			return err
		}
		if v.undoStart != 0 {
			changes = kv.Inverse(changes)
		}
		t.nodes = append(t.nodes, v.node)
		t.changes.add(changes)
		for _, change := range changes {
			t.byteCount += len(change.Key) + len(change.NewValue)
		}
	}
	if v.undoStart == 0 {
		return nil
	}
	return history.RememberRedo(t.session.history, v.node, v.undoStart)
}

// write writes the gathered changes and the state of the history. It sets t.clock, because the
// changes may have moved the clock.
func (t *walkTxn) write() error {
	if err := kv.Apply(t.session.store, t.changes.sorted()); err != nil {
		return err
	}
	currentBlock, err := loadBlockState(t.session.meta)
	if err != nil {
		return err
	}
	t.clock = currentBlock.Clock
	return t.state.Save(t.session.history)
}

// changeSet merges changes that were made one after the other. For each key it has one
// change, from the record's value before the first change to its value after the last one.
type changeSet map[string]kv.Change

// add adds changes that were made after those in the set. For example, a change of a record
// from 1 to 2 and one from 2 to 3 become one change from 1 to 3.
func (s changeSet) add(changes []kv.Change) {
	for _, change := range changes {
		if earlierChange, hasEarlier := s[string(change.Key)]; hasEarlier {
			change.OldValue = earlierChange.OldValue
		}
		s[string(change.Key)] = change
	}
}

// sorted returns the changes in key order, without those whose old and new values are equal.
func (s changeSet) sorted() []kv.Change {
	sortedChanges := slices.AppendSeq(make([]kv.Change, 0, len(s)), maps.Values(s))
	slices.SortFunc(sortedChanges, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return slices.DeleteFunc(sortedChanges, kv.Change.IsNoop)
}

// contractChanges returns those changes of the whole store that are of the contract's records,
// with the keys that the contract uses.
func contractChanges(storeChanges []kv.Change) []kv.Change {
	var changes []kv.Change
	for _, change := range storeChanges {
		if key, isContract := bytes.CutPrefix(change.Key, contractPart); isContract {
			changes = append(changes, kv.Change{Key: key, OldValue: change.OldValue, NewValue: change.NewValue})
		}
	}
	return changes
}

package chain

import (
	"bytes"
	"maps"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// walkBatch is one transaction of a walk over the history by undo or redo. It gathers the
// changes before it writes them, so that a key that changed a hundred times is written once.
type walkBatch struct {
	s         *session
	state     history.State
	clock     Clock          // the clock after the walk; set by write
	nodes     []history.Node // the visited nodes that changed something
	changes   changeSet      // to write
	byteCount int            // the size of the keys and values in changes
	nodeCount int            // how many nodes were visited; each writes at most one record
	unvisited []visit        // the end of the path, for other transactions; set by follow
}

// newWalkBatch returns a batch that has not moved yet. It begins at the head of the history,
// collects the changes of the nodes that an undo or redo passes, and writes them at once.
func newWalkBatch(s *session) (*walkBatch, error) {
	state, err := history.Load(s.history)
	return &walkBatch{s: s, state: state, changes: changeSet{}}, err
}

// Limits of what one transaction of a walk over the history, by undo, redo or a jump, gathers.
// They are well below what a store commits at once.
const (
	maxBatchRecords = 2500
	maxBatchBytes   = 128 << 10
)

// isFull reports whether the next node belongs into another transaction.
func (b *walkBatch) isFull() bool {
	return len(b.changes)+b.nodeCount >= maxBatchRecords || b.byteCount >= maxBatchBytes
}

// visit is the undo or the redo of one node on the path of a walk.
type visit struct {
	node history.Node
	// undoStart is set if the visit undoes its node. It is the node at which that step of
	// undo began, and to which redo later returns. It is 0 if the visit redoes its node.
	undoStart history.ID
}

// headAfter returns the head of the history after the visit.
func (v visit) headAfter() history.ID {
	if v.undoStart != 0 {
		return v.node.Parent
	}
	return v.node.ID
}

// pathTo returns the path from the head to a node: first the nodes to undo, the newest first,
// then those to redo, the oldest first.
func (b *walkBatch) pathTo(id history.ID) (path []visit, err error) {
	undone, redone, err := b.state.Path(b.s.history, id)
	for _, n := range undone {
		path = append(path, visit{node: n, undoStart: n.ID})
	}
	for _, n := range redone {
		path = append(path, visit{node: n})
	}
	return path, err
}

// follow moves the head along a path until the batch is full.
func (b *walkBatch) follow(path []visit) error {
	for len(path) > 0 && !b.isFull() {
		if err := b.visit(path[0]); err != nil {
			return err
		}
		path = path[1:]
	}
	b.unvisited = path
	return nil
}

// visit undoes or redoes a node, as v says: it gathers the changes of that, if there are any,
// and moves the head. After an undo, it stores to which node redo leads from the new head.
func (b *walkBatch) visit(v visit) error {
	b.nodeCount++
	b.state.Head = v.headAfter()

	// Undo makes the opposite of the changes that the node made.
	if v.node.Changes > 0 {
		changes, err := history.Changes(b.s.history, v.node.ID)
		if err != nil {
			return err
		}
		if v.undoStart != 0 {
			changes = kv.Inverse(changes)
		}
		b.nodes = append(b.nodes, v.node)
		b.changes.add(changes)
		for _, c := range changes {
			b.byteCount += len(c.Key) + len(c.New)
		}
	}

	// A redo needs no record of how to go forward again.
	if v.undoStart == 0 {
		return nil
	}
	return history.RememberRedo(b.s.history, v.node, v.undoStart)
}

// write writes the gathered changes and the state of the history, and reads the clock at
// which the walk ended.
func (b *walkBatch) write() error {
	if err := kv.Apply(b.s.t, b.changes.sorted()); err != nil {
		return err
	}
	now, err := loadBlockState(b.s.meta)
	if err != nil {
		return err
	}
	b.clock = now.Clock
	return b.state.Save(b.s.history)
}

// goTo moves the head to any node, however far it is, in an overlay that is not committed.
// The revision stays that of the store.
func (b *walkBatch) goTo(id history.ID) error {
	path, err := b.pathTo(id)
	if err != nil {
		return err
	}
	for _, v := range path {
		if err := b.visit(v); err != nil {
			return err
		}
	}
	return b.write()
}

// changeSet merges changes that were made one after the other. It has one change of each
// record, by the record's key, from the first old value to the last new one.
type changeSet map[string]kv.Change

// add adds changes that were made after those in the set. A record that was changed before
// keeps the old value of the first change, and gets the new value of the last.
func (s changeSet) add(changes []kv.Change) {
	for _, c := range changes {
		if earlier, hasEarlier := s[string(c.Key)]; hasEarlier {
			c.Old = earlier.Old
		}
		s[string(c.Key)] = c
	}
}

// sorted returns the changes in the order of their keys, without those whose new value is
// the old one.
func (s changeSet) sorted() []kv.Change {
	all := slices.AppendSeq(make([]kv.Change, 0, len(s)), maps.Values(s))
	slices.SortFunc(all, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return slices.DeleteFunc(all, kv.Change.IsNoop)
}

// contractChanges returns the changes of the contract's records, with the keys that the
// contract uses.
func contractChanges(all []kv.Change) []kv.Change {
	var changes []kv.Change
	for _, c := range all {
		if key, isContract := bytes.CutPrefix(c.Key, contractPart); isContract {
			changes = append(changes, kv.Change{Key: key, Old: c.Old, New: c.New})
		}
	}
	return changes
}

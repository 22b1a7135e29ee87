package chain

import (
	"bytes"
	"maps"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// walkBatch is one transaction of a walk over the history. It gathers the changes before
// it writes them: a key that changed a hundred times is written once.
type walkBatch struct {
	s         *session
	state     history.State
	clock     Clock                // where the walk ended; set by write
	nodes     []history.Node       // visited, without those that changed nothing
	changes   map[string]kv.Change // by key; New is the value to write
	byteCount int                  // of the keys and values in changes
	nodeCount int                  // of all visited nodes: each costs a record
}

// newWalkBatch returns an empty batch that begins at the head of the history.
func newWalkBatch(s *session) (*walkBatch, error) {
	state, err := history.Load(s.history)
	return &walkBatch{s: s, state: state, changes: map[string]kv.Change{}}, err
}

// Limits of what one transaction of a walk gathers, well below what a store
// commits at once.
const (
	maxBatchRecords = 2500
	maxBatchBytes   = 128 << 10
)

// isFull reports whether the next node belongs into another transaction.
func (b *walkBatch) isFull() bool {
	return len(b.changes)+b.nodeCount >= maxBatchRecords || b.byteCount >= maxBatchBytes
}

// visitor moves the head of a batch over one node, up or down.
type visitor func(*walkBatch, history.Node) error

// visitAll visits nodes until the batch is full, and returns those that remain.
func (b *walkBatch) visitAll(nodes []history.Node, visit visitor) (remaining []history.Node, err error) {
	for len(nodes) > 0 && !b.isFull() {
		if err := visit(b, nodes[0]); err != nil {
			return nodes, err
		}
		nodes = nodes[1:]
	}
	return nodes, nil
}

// walkPath is the path from the head to a node: the nodes to undo, and then the nodes to do
// again.
type walkPath struct{ up, down []history.Node }

// follow moves the head along a path until the batch is full, and removes the visited nodes
// from the path.
func (b *walkBatch) follow(path *walkPath) (err error) {
	undo := func(b *walkBatch, n history.Node) error { return b.undo(n, n.ID) }
	path.up, err = b.visitAll(path.up, undo)
	if err != nil || len(path.up) > 0 {
		return err
	}
	path.down, err = b.visitAll(path.down, (*walkBatch).redo)
	return err
}

// undo reverts the head, which is n. It stores that redo leads from its parent back to
// start, the node at which the step of undo began.
func (b *walkBatch) undo(n history.Node, start history.ID) error {
	if err := b.revert(n); err != nil {
		return err
	}
	return history.RememberRedo(b.s.history, n, start)
}

// revert moves the head from n to its parent.
func (b *walkBatch) revert(n history.Node) error {
	changes, err := b.changesOf(n)
	if err != nil {
		return err
	}
	b.gather(n, kv.Inverse(changes))
	b.state.Head = n.Parent
	return nil
}

// redo moves the head to n, a child of it.
func (b *walkBatch) redo(n history.Node) error {
	changes, err := b.changesOf(n)
	if err != nil {
		return err
	}
	b.gather(n, changes)
	b.state.Head = n.ID
	return nil
}

// changesOf reads what a node changed, with keys of the whole store.
func (b *walkBatch) changesOf(n history.Node) ([]kv.Change, error) {
	if n.Changes == 0 {
		return nil, nil
	}
	return history.Changes(b.s.history, n.ID)
}

// gather adds the changes of a visited node to the batch.
func (b *walkBatch) gather(n history.Node, changes []kv.Change) {
	b.nodeCount++
	if len(changes) == 0 {
		return
	}
	b.nodes = append(b.nodes, n)
	for _, c := range changes {
		b.byteCount += len(c.Key) + len(c.New)
		b.changes[string(c.Key)] = c
	}
}

// write writes the gathered changes and the state of the history, and reads the clock at
// which the walk ended.
func (b *walkBatch) write() error {
	if err := kv.Apply(b.s.t, sortedByKey(b.changes)); err != nil {
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
// The revision stays that of the store, and no redo is stored.
func (b *walkBatch) goTo(id history.ID) error {
	up, down, err := b.state.Path(b.s.history, id)
	if err != nil {
		return err
	}
	for _, n := range up {
		if err := b.revert(n); err != nil {
			return err
		}
	}
	for _, n := range down {
		if err := b.redo(n); err != nil {
			return err
		}
	}
	return b.write()
}

// sortedByKey returns changes in key order.
func sortedByKey(changes map[string]kv.Change) []kv.Change {
	all := slices.AppendSeq(make([]kv.Change, 0, len(changes)), maps.Values(changes))
	slices.SortFunc(all, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return all
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

package chain

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// walkBatch gathers what a walk over the history changes before it is written: a
// key that changed a hundred times is written once.
type walkBatch struct {
	s       *session
	state   history.State
	clock   Clock                // once written
	nodes   []history.Node       // gone over; those that changed nothing left out
	changes map[string]kv.Change // by key
	size    int                  // bytes in changes
	passed  int                  // nodes gone over, which cost a record each
}

func newWalkBatch(s *session) (*walkBatch, error) {
	state, err := history.Load(s.history)
	return &walkBatch{s: s, state: state, changes: map[string]kv.Change{}}, err
}

// Limits of what one transaction of a walk gathers, well below what a store
// commits at once.
const (
	batchRecords = 2500
	batchBytes   = 128 << 10
)

func (d *walkBatch) full() bool {
	return len(d.changes)+d.passed >= batchRecords || d.size >= batchBytes
}

// visitor goes over one node, up or down.
type visitor func(*walkBatch, history.Node) error

// along goes over nodes until the batch is full, and gives those that are left.
func (d *walkBatch) along(nodes []history.Node, visit visitor) (left []history.Node, err error) {
	for len(nodes) > 0 && !d.full() {
		if err := visit(d, nodes[0]); err != nil {
			return nodes, err
		}
		nodes = nodes[1:]
	}
	return nodes, nil
}

// way is what lies between the head and a node: what to revert, and then what
// to do again.
type way struct{ up, down []history.Node }

// toward goes along a way as far as fits, and leaves the rest of it.
func (d *walkBatch) toward(w *way) (err error) {
	if w.up, err = d.along(w.up, (*walkBatch).up); err == nil && len(w.up) == 0 {
		w.down, err = d.along(w.down, (*walkBatch).down)
	}
	return err
}

// up reverts the head and remembers the way back to it.
func (d *walkBatch) up(n history.Node) error { return d.undo(n, n.ID) }

// undo reverts the head in a step that began at start, to which redo leads back.
func (d *walkBatch) undo(n history.Node, start history.ID) error {
	return cmp.Or(d.revert(n), history.RememberRedo(d.s.history, n, start))
}

// revert undoes the head.
func (d *walkBatch) revert(n history.Node) error {
	changes, err := d.changesOf(n)
	d.gather(n, kv.Inverse(changes))
	d.state.Head = n.Parent
	return err
}

// down does a node below the head again.
func (d *walkBatch) down(n history.Node) error {
	changes, err := d.changesOf(n)
	d.gather(n, changes)
	d.state.Head = n.ID
	return err
}

func (d *walkBatch) changesOf(n history.Node) ([]kv.Change, error) {
	if n.Changes == 0 {
		return nil, nil
	}
	return history.Changes(d.s.history, n.ID)
}

func (d *walkBatch) gather(n history.Node, changes []kv.Change) {
	d.passed++
	if len(changes) == 0 {
		return
	}
	d.nodes = append(d.nodes, n)
	for _, c := range changes {
		d.size += len(c.Key) + len(c.New)
		d.changes[string(c.Key)] = c
	}
}

// write writes what was gathered, and where the walk ended.
func (d *walkBatch) write() error {
	if err := kv.Apply(d.s.t, sortedByKey(d.changes)); err != nil {
		return err
	}
	m, err := loadBlockState(d.s.meta)
	d.clock = m.Clock
	return cmp.Or(err, d.state.Save(d.s.history))
}

// visit shows another node's state in a trial, however far it is: what it
// writes goes nowhere. The revision stays the store's.
func (d *walkBatch) visit(id history.ID) error {
	up, down, err := d.state.Path(d.s.history, id)
	if err != nil {
		return err
	}
	for _, n := range up {
		if err := d.revert(n); err != nil {
			return err
		}
	}
	for _, n := range down {
		if err := d.down(n); err != nil {
			return err
		}
	}
	return d.write()
}

func sortedByKey(changes map[string]kv.Change) []kv.Change {
	all := slices.AppendSeq(make([]kv.Change, 0, len(changes)), maps.Values(changes))
	slices.SortFunc(all, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return all
}

// contractChanges gives those of the contract's records, keys as the contract
// has them.
func contractChanges(all []kv.Change) []kv.Change {
	var out []kv.Change
	for _, c := range all {
		if k, ok := bytes.CutPrefix(c.Key, contractPart); ok {
			out = append(out, kv.Change{Key: k, Old: c.Old, New: c.New})
		}
	}
	return out
}

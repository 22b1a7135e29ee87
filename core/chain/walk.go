package chain

import (
	"errors"

	"ephemera/core/chain/history"
)

// Walked is what a walk over the history did.
type Walked struct {
	// Nodes are the messages and moves that were undone or done again, in
	// that order; those that had changed nothing are left out.
	Nodes []history.Node
	Head  history.ID
	Clock Clock
	// Revision is the store's after the walk.
	Revision uint64
}

// A long walk takes several transactions, because a transaction has a size.
// Each ends at a node, so whatever interrupts it leaves a valid state; the walk
// tells what it did until then.

// Undo goes to before the last n nodes that changed anything. It fails with
// [history.ErrNothingToUndo] when there is none; fewer than n are undone when
// there are fewer.
func (c *Chain) Undo(n int) (Walked, error) {
	return c.steps(n, func(d *walkBatch) ([]history.Node, error) {
		return d.state.Undo(d.s.history)
	}, (*walkBatch).up)
}

// Redo goes forward over the next n nodes that changed anything. It fails with
// [history.ErrNothingToRedo].
func (c *Chain) Redo(n int) (Walked, error) {
	return c.steps(n, func(d *walkBatch) ([]history.Node, error) {
		return d.state.Redo(d.s.history)
	}, (*walkBatch).down)
}

// steps takes n steps. path finds the nodes of the next one, of which the last
// is what it is about; over goes over a node.
func (c *Chain) steps(n int, path func(*walkBatch) ([]history.Node, error), over func(*walkBatch, history.Node) error) (w Walked, err error) {
	if n < 1 {
		return w, &RangeError{"steps: expected at least 1"}
	}
	for more := true; more; {
		var d *walkBatch
		err = c.update(func(s *session) error {
			if d, err = newWalkBatch(s); err != nil {
				return err
			}
			for more = true; more && !d.full(); more = len(w.Nodes)+len(d.nodes) < n {
				nodes, err := path(d)
				if isEnd(err) && len(w.Nodes)+len(d.nodes) > 0 {
					more = false // as far as there is
					break
				}
				if err != nil {
					return err
				}
				if _, err := d.along(nodes, over); err != nil {
					return err
				}
			}
			return d.settle()
		})
		if err != nil {
			return w, err
		}
		w.add(d)
	}
	return w, nil
}

func isEnd(err error) bool {
	return errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo)
}

// add joins what a transaction of a walk did, once it is done.
func (w *Walked) add(d *walkBatch) {
	w.Nodes = append(w.Nodes, d.nodes...)
	w.Head, w.Clock, w.Revision = d.state.Head, d.clock, d.state.Revision
}

// Goto goes to a node on any branch: the name of a snapshot or a node's number.
// It fails with a [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Goto(target string) (w Walked, err error) {
	var rest way
	for there := false; !there; {
		var d *walkBatch
		err = c.update(func(s *session) error {
			if d, err = newWalkBatch(s); err != nil {
				return err
			}
			to, err := history.Find(s.history, target)
			if err != nil {
				return err
			}
			// To find the way reads all of it, so the rest is kept for the next
			// transaction, unless somebody else came in between.
			if d.state.Revision != w.Revision {
				if rest.up, rest.down, err = d.state.Path(s.history, to); err != nil {
					return err
				}
			}
			if err := d.toward(&rest); err != nil {
				return err
			}
			there = d.state.Head == to
			return d.settle()
		})
		if err != nil {
			return w, err
		}
		w.add(d)
	}
	return w, nil
}

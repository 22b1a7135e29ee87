package chain

import (
	"errors"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
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
	return c.steps(n, history.State.Undo, func(start history.ID) visitor {
		return func(d *walkBatch, n history.Node) error { return d.undo(n, start) }
	})
}

// Redo goes forward over the next n nodes that changed anything, and over what
// was refused behind each when undo went back over it. It fails with
// [history.ErrNothingToRedo].
func (c *Chain) Redo(n int) (Walked, error) {
	return c.steps(n, history.State.Redo, func(history.ID) visitor { return (*walkBatch).down })
}

// steps takes n steps. path finds the nodes of the next step, one of which changed
// something; visitFrom gives what visits them in a step that begins at a node.
func (c *Chain) steps(n int, path func(history.State, kv.Reader) ([]history.Node, error), visitFrom func(start history.ID) visitor) (Walked, error) {
	if n < 1 {
		return Walked{}, &RangeError{"steps: expected at least 1"}
	}
	var left []history.Node // of the step in hand
	var visit visitor
	return c.walk(func(w Walked, d *walkBatch) (there bool, err error) {
		if d.state.Revision != w.Revision {
			left = nil // the first transaction, or somebody else came in between
		}
		for len(left) > 0 || len(w.Nodes)+len(d.nodes) < n {
			if d.full() {
				return false, nil
			}
			if len(left) == 0 {
				left, err = path(d.state, d.s.history)
				visit = visitFrom(d.state.Head)
			}
			switch nowhere := errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo); {
			case nowhere && len(w.Nodes)+len(d.nodes) > 0:
				return true, nil // as far as there is
			case err != nil:
				return false, err
			}
			if left, err = d.along(left, visit); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// Goto goes to a node on any branch: the name of a snapshot or a node's number.
// It fails with a [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Goto(target string) (Walked, error) {
	var rest way
	return c.walk(func(w Walked, d *walkBatch) (there bool, err error) {
		to, err := history.Find(d.s.history, target)
		if err != nil {
			return false, err
		}
		// To find the way reads all of it, so the rest is kept for the next
		// transaction, unless somebody else came in between.
		if d.state.Revision != w.Revision {
			if rest.up, rest.down, err = d.state.Path(d.s.history, to); err != nil {
				return false, err
			}
		}
		err = d.toward(&rest)
		return d.state.Head == to, err
	})
}

// walk goes on in one transaction after the other until on says that it is there.
func (c *Chain) walk(on func(Walked, *walkBatch) (there bool, err error)) (w Walked, err error) {
	for there := false; !there; {
		var d *walkBatch
		err = c.update(func(s *session) error {
			if d, err = newWalkBatch(s); err != nil {
				return err
			}
			if there, err = on(w, d); err != nil {
				return err
			}
			d.state.Revision++
			return d.write()
		})
		if err != nil {
			return w, err
		}
		w.Nodes = append(w.Nodes, d.nodes...)
		w.Head, w.Clock, w.Revision = d.state.Head, d.clock, d.state.Revision
	}
	return w, nil
}

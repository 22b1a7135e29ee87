package chain

import (
	"errors"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// Walked says what a walk over the history did.
type Walked struct {
	// Nodes are the messages and clock moves that were undone or done again, in that
	// order, without those that had changed nothing.
	Nodes []history.Node
	Head  history.ID
	Clock Clock
	// Revision is the store's after the walk.
	Revision uint64
}

// A transaction has a size limit, so a long walk takes several. Each ends at a node. A walk
// that is interrupted therefore leaves a valid state, and returns what it did until then.

// Undo goes to before the last n nodes that changed anything, or before all of them if there
// are fewer. The messages of a batch, sent by [Chain.ExecuteInBatch], count as one node. Undo
// fails with [history.ErrNothingToUndo] if there is none, and with a
// [*RangeError] if n is less than 1.
func (c *Chain) Undo(n int) (Walked, error) {
	visitorFrom := func(start history.ID) visitor {
		return func(b *walkBatch, node history.Node) error { return b.undo(node, start) }
	}
	return c.walkSteps(n, history.State.Undo, visitorFrom)
}

// Redo does the next n nodes that changed anything again, or all of them if there are
// fewer, together with the refused messages behind each that undo went back over. The
// messages of a batch count as one node. Redo fails with [history.ErrNothingToRedo] if there is none, and with a [*RangeError] if n is less
// than 1.
func (c *Chain) Redo(n int) (Walked, error) {
	visitorFrom := func(history.ID) visitor { return (*walkBatch).redo }
	return c.walkSteps(n, history.State.Redo, visitorFrom)
}

// stepCounter counts the steps of a walk: one for each node that changed something, and one
// for all nodes of a batch that follow each other.
type stepCounter struct {
	count int
	batch history.ID // of the last node; 0 if its message was sent alone
}

// add counts visited nodes, all of which changed something.
func (c *stepCounter) add(nodes []history.Node) {
	for _, n := range nodes {
		if !c.continuesBatch(n) {
			c.count++
		}
		c.batch = n.Batch
	}
}

// continuesBatch reports whether a node changed something and is of the same batch as the
// last one.
func (c *stepCounter) continuesBatch(n history.Node) bool {
	return n.Changes > 0 && n.Batch != 0 && n.Batch == c.batch
}

// walkSteps takes n steps of undo or redo. pathOf returns the nodes up to and including the
// next one that changed something, and maybe some behind it that did not. visitorFrom
// returns the visitor for a path that begins at a node.
func (c *Chain) walkSteps(n int, pathOf func(history.State, kv.Reader) ([]history.Node, error), visitorFrom func(start history.ID) visitor) (Walked, error) {
	if n < 1 {
		return Walked{}, &RangeError{"steps: expected at least 1"}
	}
	var steps stepCounter
	var remaining []history.Node // of the current path
	var visit visitor
	return c.walk(func(walked Walked, b *walkBatch) (arrived bool, err error) {
		isOutdated := b.state.Revision != walked.Revision // by another write, or nothing is read yet
		if isOutdated {
			remaining = nil
		}
		for {
			hasAllSteps := len(remaining) == 0 && steps.count >= n
			if hasAllSteps && steps.batch == 0 {
				return true, nil
			}
			if b.isFull() {
				return false, nil
			}

			if len(remaining) == 0 {
				path, err := pathOf(b.state, b.s.history)
				isAtEnd := errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo)
				if isAtEnd && steps.count > 0 {
					return true, nil
				}
				if err != nil {
					return false, err
				}
				if hasAllSteps && !slices.ContainsFunc(path, steps.continuesBatch) {
					return true, nil
				}
				remaining = path
				visit = visitorFrom(b.state.Head)
			}

			visitedBefore := len(b.nodes)
			if remaining, err = b.visitAll(remaining, visit); err != nil {
				return false, err
			}
			steps.add(b.nodes[visitedBefore:])
		}
	})
}

// Goto goes to a node on any branch, given as the name of a snapshot or the number of the
// node. It fails with a [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Goto(target string) (Walked, error) {
	var remaining walkPath
	return c.walk(func(walked Walked, b *walkBatch) (arrived bool, err error) {
		id, err := history.Find(b.s.history, target)
		if err != nil {
			return false, err
		}
		// Finding the path reads all of it. The rest of it is therefore kept for the next
		// transaction, unless another write came in between.
		isOutdated := b.state.Revision != walked.Revision
		if isOutdated {
			remaining.up, remaining.down, err = b.state.Path(b.s.history, id)
			if err != nil {
				return false, err
			}
		}
		err = b.follow(&remaining)
		return b.state.Head == id, err
	})
}

// walk runs advance in one transaction after the other until it arrives. advance gets what
// the transactions before did.
func (c *Chain) walk(advance func(Walked, *walkBatch) (arrived bool, err error)) (Walked, error) {
	var walked Walked
	arrived := false
	for !arrived {
		var b *walkBatch
		err := c.update(func(s *session) (err error) {
			if b, err = newWalkBatch(s); err != nil {
				return err
			}
			if arrived, err = advance(walked, b); err != nil {
				return err
			}
			b.state.Revision++
			return b.write()
		})
		if err != nil {
			return walked, err
		}
		walked.Nodes = append(walked.Nodes, b.nodes...)
		walked.Head = b.state.Head
		walked.Clock = b.clock
		walked.Revision = b.state.Revision
	}
	return walked, nil
}

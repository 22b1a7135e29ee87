package chain

import (
	"errors"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// Walked is the result of going to another place in the history.
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
	return c.walkSteps(n, func(state history.State, r kv.Reader) ([]visit, error) {
		nodes, err := state.Undo(r)
		var visits []visit
		for _, node := range nodes {
			visits = append(visits, visit{node: node, undoStart: state.Head})
		}
		return visits, err
	})
}

// Redo does the next n nodes that changed anything again, or all of them if there are
// fewer, together with the refused messages behind each that undo went back over. The
// messages of a batch count as one node. Redo fails with [history.ErrNothingToRedo] if there
// is none, and with a [*RangeError] if n is less than 1.
func (c *Chain) Redo(n int) (Walked, error) {
	return c.walkSteps(n, func(state history.State, r kv.Reader) ([]visit, error) {
		nodes, err := state.Redo(r)
		var visits []visit
		for _, node := range nodes {
			visits = append(visits, visit{node: node})
		}
		return visits, err
	})
}

// stepCounter counts the steps of a walk: one for each node that changed something, and one
// for all nodes of a batch that follow each other.
type stepCounter struct {
	count int
	batch history.ID // of the last node that changed something; 0 if its message was sent alone
}

// add counts a node. It ignores a node that changed nothing.
func (c *stepCounter) add(n history.Node) {
	if n.Changes == 0 {
		return
	}
	if !c.continuesBatch(n) {
		c.count++
	}
	c.batch = n.Batch
}

// continuesBatch reports whether a node changed something and is of the same batch as the
// last one.
func (c *stepCounter) continuesBatch(n history.Node) bool {
	return n.Changes > 0 && n.Batch != 0 && n.Batch == c.batch
}

// walkSteps takes n steps of undo or redo. nextStep returns the visits of the next step from
// a state: all nodes up to the next one that changed something, and maybe some behind it that
// did not. The nodes of a batch are one step, so after n steps the walk continues as long as
// the next node is of the same batch as the last one.
func (c *Chain) walkSteps(n int, nextStep func(history.State, kv.Reader) ([]visit, error)) (Walked, error) {
	if n < 1 {
		return Walked{}, &RangeError{"steps: expected at least 1"}
	}
	return c.walk(func(b *walkBatch, visited []history.Node) (path []visit, err error) {
		var steps stepCounter
		for _, node := range visited {
			steps.add(node)
		}

		state := b.state
		for {
			hasAllSteps := steps.count >= n
			if hasAllSteps && steps.batch == 0 {
				return path, nil
			}
			next, err := nextStep(state, b.s.history)
			isAtEnd := errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo)
			if isAtEnd && steps.count > 0 {
				return path, nil
			}
			if err != nil {
				return nil, err
			}
			continuesBatch := func(v visit) bool { return steps.continuesBatch(v.node) }
			if hasAllSteps && !slices.ContainsFunc(next, continuesBatch) {
				return path, nil
			}

			path = append(path, next...)
			for _, v := range next {
				steps.add(v.node)
				state.Head = v.headAfter()
			}
		}
	})
}

// Goto goes to a node on any branch, given as the name of a snapshot or the number of the
// node. It fails with a [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Goto(target string) (Walked, error) {
	return c.walk(func(b *walkBatch, _ []history.Node) ([]visit, error) {
		id, err := history.Find(b.s.history, target)
		if err != nil {
			return nil, err
		}
		return b.pathTo(id)
	})
}

// walk follows a path in the history, in as many transactions as it takes. plan returns the
// path from the head, given the nodes that were visited so far. walk calls it first, and again
// if something else was written between two transactions.
func (c *Chain) walk(plan func(b *walkBatch, visited []history.Node) ([]visit, error)) (Walked, error) {
	var walked Walked
	var path []visit
	for {
		var b *walkBatch
		err := c.update(func(s *session) (err error) {
			b, err = newWalkBatch(s)
			if err != nil {
				return err
			}
			hasPlan := b.state.Revision == walked.Revision
			if !hasPlan {
				path, err = plan(b, walked.Nodes)
				if err != nil {
					return err
				}
			}
			path, err = b.follow(path)
			if err != nil {
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
		if len(path) == 0 {
			return walked, nil
		}
	}
}

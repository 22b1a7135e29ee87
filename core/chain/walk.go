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
func (c *Chain) Undo(n int) (Walked, error) { return c.walkSteps(n, undoStep) }

// undoStep returns the visits of one step of undo from a state of the history.
func undoStep(state history.State, r kv.Reader) (visits []visit, err error) {
	nodes, err := state.Undo(r)
	for _, node := range nodes {
		visits = append(visits, visit{node: node, undoStart: state.Head})
	}
	return visits, err
}

// Redo does the next n nodes that changed anything again, or all of them if there are
// fewer, together with the refused messages behind each that undo went back over. The
// messages of a batch count as one node. Redo fails with [history.ErrNothingToRedo] if there
// is none, and with a [*RangeError] if n is less than 1.
func (c *Chain) Redo(n int) (Walked, error) { return c.walkSteps(n, redoStep) }

// redoStep returns the visits of one step of redo from a state of the history.
func redoStep(state history.State, r kv.Reader) (visits []visit, err error) {
	nodes, err := state.Redo(r)
	for _, node := range nodes {
		visits = append(visits, visit{node: node})
	}
	return visits, err
}

// stepCounter counts the steps of a walk: one for each node that changed something, and one
// for all nodes of a batch that follow each other.
type stepCounter struct {
	wanted int        // how many steps the walk takes
	count  int        // how many steps it has taken
	batch  history.ID // of the last node that changed something; 0 if its message was sent alone
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

// isComplete reports whether all wanted steps were taken, and the last of them was not in a
// batch, whose other nodes might follow.
func (c *stepCounter) isComplete() bool { return c.count >= c.wanted && c.batch == 0 }

// needs reports whether the walk takes a further step: one that is wanted, or one that
// continues the batch of the last step.
func (c *stepCounter) needs(step []visit) bool {
	continuesBatch := func(v visit) bool { return c.continuesBatch(v.node) }
	return c.count < c.wanted || slices.ContainsFunc(step, continuesBatch)
}

// stepFinder returns the visits of the next step from a state of the history: all nodes up to
// the next one that changed something, and maybe some behind it that did not.
type stepFinder func(history.State, kv.Reader) ([]visit, error)

// walkSteps takes n steps of undo or redo. The nodes of a batch are one step: if the third
// step undoes the last message of a batch of five, it undoes all five.
func (c *Chain) walkSteps(n int, nextStep stepFinder) (Walked, error) {
	if n < 1 {
		return Walked{}, &RangeError{"steps: expected at least 1"}
	}
	return c.walk(func(b *walkBatch, visited []history.Node) ([]visit, error) {
		steps := stepCounter{wanted: n}
		for _, node := range visited {
			steps.add(node)
		}
		return b.planSteps(&steps, nextStep)
	})
}

// planSteps returns the path of the steps that the counter still needs. The path is shorter if
// the history ends before. If it ends before the first step, planSteps fails with
// [history.ErrNothingToUndo] or [history.ErrNothingToRedo].
func (b *walkBatch) planSteps(steps *stepCounter, nextStep stepFinder) (path []visit, err error) {
	state := b.state
	for !steps.isComplete() {
		step, err := nextStep(state, b.s.history)

		// A walk that is asked for more steps than there are goes as far as it can.
		isAtEnd := errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo)
		if isAtEnd && steps.count > 0 {
			return path, nil
		}
		if err != nil {
			return nil, err
		}
		if !steps.needs(step) {
			return path, nil
		}

		// Plan the next step as if this one were done.
		path = append(path, step...)
		for _, v := range step {
			steps.add(v.node)
			state.Head = v.headAfter()
		}
	}
	return path, nil
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

// walkPlan returns the path of a walk from the head of the history, given the nodes that the
// walk has visited so far.
type walkPlan func(b *walkBatch, visited []history.Node) ([]visit, error)

// walk follows a path in the history, in as many transactions as it takes.
func (c *Chain) walk(plan walkPlan) (Walked, error) {
	var walked Walked
	var path []visit
	for {
		// One transaction follows the path as far as its size permits.
		b, err := change(c, func(s *session) (*walkBatch, error) { return s.walkOn(walked, path, plan) })
		if err != nil {
			return walked, err
		}

		// Note what this transaction did, and go on with what is left.
		path = b.unvisited
		walked.Nodes = append(walked.Nodes, b.nodes...)
		walked.Head = b.state.Head
		walked.Clock = b.clock
		walked.Revision = b.state.Revision
		if len(path) == 0 {
			return walked, nil
		}
	}
}

// walkOn follows a path as far as one transaction goes. walked is the walk so far. If the
// walk begins, or something else was written after its last transaction, walkOn takes a new
// path from plan.
func (s *session) walkOn(walked Walked, path []visit, plan walkPlan) (*walkBatch, error) {
	b, err := newWalkBatch(s)
	if err != nil {
		return nil, err
	}

	// The revision shows whether anybody else has written since the last transaction.
	isPathValid := b.state.Revision == walked.Revision
	if !isPathValid {
		path, err = plan(b, walked.Nodes)
		if err != nil {
			return nil, err
		}
	}
	if err := b.follow(path); err != nil {
		return nil, err
	}
	b.state.Revision++
	return b, b.write()
}

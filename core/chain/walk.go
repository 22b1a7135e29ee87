package chain

import (
	"errors"

	"ephemera/core/chain/history"
)

// WalkResult is the result of undo, redo or a jump to another node of the history.
type WalkResult struct {
	// Nodes are the messages and clock moves that were undone or done again, in this order.
	// Those that had changed nothing, such as refused messages, are left out.
	Nodes    []history.Node
	Head     history.ID // the node whose state the store has now
	Clock    Clock      // after the walk
	Revision uint64     // the number of commits to the store, the walk included
}

// Undo, redo and jumps walk along a path of nodes. A transaction has a size limit, so a long
// walk takes several transactions. Each of them ends at a node. If a walk fails midway, the
// store is therefore in a valid state, and the walk returns what it did until then.

// Undo reverts the last stepCount nodes that changed anything, or all if there are fewer.
// The messages of a batch, sent by [Chain.ExecuteInBatch], count as one node. Undo fails
// with [history.ErrNothingToUndo] if there is nothing to undo, and with a [*RangeError] if
// stepCount is less than 1.
func (c *Chain) Undo(stepCount int) (WalkResult, error) { return c.walkSteps(stepCount, true) }

// Redo does again what undo has reverted: the next stepCount nodes that changed anything, or
// all if there are fewer. It also goes forward over the refused messages that undo has passed
// over. The messages of a batch count as one node. Redo fails with [history.ErrNothingToRedo]
// if there is nothing to redo, and with a [*RangeError] if stepCount is less than 1.
func (c *Chain) Redo(stepCount int) (WalkResult, error) { return c.walkSteps(stepCount, false) }

// stepCounter counts the steps of undo or redo. A node that changed something is one step, and
// the messages of a batch are one step together.
type stepCounter struct {
	count int
	batch history.ID // of the last counted node; 0 if it was in none
}

// add counts a node, unless it changed nothing or continues a batch.
func (c *stepCounter) add(node history.Node) {
	if node.ChangeCount == 0 {
		return
	}
	if node.Batch == 0 || node.Batch != c.batch {
		c.count++
	}
	c.batch = node.Batch
}

// walkSteps takes a number of steps of undo or redo, or as many as there are. For example, if
// the third step undoes the last message of a batch of five, it undoes all five.
func (c *Chain) walkSteps(stepCount int, isUndo bool) (WalkResult, error) {
	if stepCount < 1 {
		return WalkResult{}, &RangeError{"steps: expected at least 1"}
	}
	nextStep := history.State.Redo
	if isUndo {
		nextStep = history.State.Undo
	}

	return c.walk(func(txn *walkTxn, visited []history.Node) (path []visit, err error) {
		// The nodes that were visited before count as steps that were taken already.
		var taken stepCounter
		for _, node := range visited {
			taken.add(node)
		}

		// Find each step from a copy of the state. After a message of a batch, the next one
		// may belong to the same step.
		state := txn.state
		for taken.count < stepCount || taken.batch != 0 {
			nodes, err := nextStep(state, txn.session.history)
			isAtEnd := errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo)
			if isAtEnd && taken.count > 0 {
				return path, nil
			}
			if err != nil {
				return nil, err
			}
			for _, node := range nodes {
				taken.add(node)
			}
			if taken.count > stepCount { // the step is not the rest of a batch
				return path, nil
			}

			step := visit{}
			if isUndo {
				step.undoStart = state.Head
			}
			for _, node := range nodes {
				step.node = node
				path = append(path, step)
				state.Head = step.headAfter()
			}
		}
		return path, nil
	})
}

// Goto brings the store into its state after a node on any branch, by undo and redo. target
// is the name of the node or its number, such as "12". Goto fails with a
// [*history.NameError] if target is neither, and with an [*history.UnknownNodeError] if no
// node has the number.
func (c *Chain) Goto(target string) (WalkResult, error) {
	return c.walk(func(txn *walkTxn, _ []history.Node) ([]visit, error) {
		id, err := history.Find(txn.session.history, target)
		if err != nil {
			return nil, err
		}
		return txn.pathTo(id)
	})
}

// walkPlan returns the remaining path of a walk, which begins at the head of the history.
// visited are the nodes that the walk has undone or done again so far.
type walkPlan func(t *walkTxn, visited []history.Node) ([]visit, error)

// walk undoes and redoes the nodes on the path that plan finds. If it fails midway, the result
// is what it did until then.
func (c *Chain) walk(plan walkPlan) (WalkResult, error) {
	var walkSoFar WalkResult
	var path []visit
	for {
		// One transaction follows the path as far as its size permits.
		followPath := func(s *session) (*walkTxn, error) { return s.walkOn(walkSoFar, path, plan) }
		txn, err := updateWithResult(c, followPath)
		if err != nil {
			return walkSoFar, err
		}

		path = txn.unvisited
		walkSoFar.Nodes = append(walkSoFar.Nodes, txn.nodes...)
		walkSoFar.Head = txn.state.Head
		walkSoFar.Clock = txn.clock
		walkSoFar.Revision = txn.state.Revision
		if len(path) == 0 {
			return walkSoFar, nil
		}
	}
}

// walkOn continues a walk as far as one transaction goes, on the path that the earlier ones left.
// If another writer has changed the store meanwhile, and at the beginning, it gets a new path.
func (s *session) walkOn(walkSoFar WalkResult, path []visit, plan walkPlan) (*walkTxn, error) {
	txn, err := newWalkTxn(s)
	if err != nil {
		return nil, err
	}

	// At the beginning, walkSoFar has revision 0.
	if txn.state.Revision != walkSoFar.Revision {
		path, err = plan(txn, walkSoFar.Nodes)
		if err != nil {
			return nil, err
		}
	}
	if err := txn.follow(path); err != nil {
		return nil, err
	}
	txn.state.Revision++
	return txn, txn.write()
}

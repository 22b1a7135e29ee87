package chain

import (
	"errors"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
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
func (c *Chain) Undo(stepCount int) (WalkResult, error) { return c.walkSteps(stepCount, undoStep) }

// undoStep returns the visits of one step of undo: the nodes from the head of the history
// back to the last one that changed anything, each to be undone.
func undoStep(state history.State, reader kv.Reader) (visits []visit, err error) {
	nodes, err := state.Undo(reader)
	for _, node := range nodes {
		visits = append(visits, visit{node: node, undoStart: state.Head})
	}
	return visits, err
}

// Redo does again what undo has reverted: the next stepCount nodes that changed anything, or
// all if there are fewer. It also goes forward over the refused messages that undo has passed
// over. The messages of a batch count as one node. Redo fails with [history.ErrNothingToRedo]
// if there is nothing to redo, and with a [*RangeError] if stepCount is less than 1.
func (c *Chain) Redo(stepCount int) (WalkResult, error) { return c.walkSteps(stepCount, redoStep) }

// redoStep returns the visits of one step of redo: the next nodes up to one that changed
// something, each to be done again.
func redoStep(state history.State, reader kv.Reader) (visits []visit, err error) {
	nodes, err := state.Redo(reader)
	for _, node := range nodes {
		visits = append(visits, visit{node: node})
	}
	return visits, err
}

// stepCounter counts the steps of undo or redo. A node that changed something is one step.
// If several messages were sent as a batch, all of them together are one step.
type stepCounter struct {
	wantedCount int        // how many steps to take
	takenCount  int        // how many steps were taken so far
	batch       history.ID // the batch of the last counted node; 0 if it was in none
}

// countNode counts a node as a step that was taken. It ignores a node that changed nothing,
// and counts the nodes of one batch only once.
func (c *stepCounter) countNode(node history.Node) {
	if node.ChangeCount == 0 {
		return
	}
	if !c.continuesBatch(node) {
		c.takenCount++
	}
	c.batch = node.Batch
}

// continuesBatch reports whether a node changed something and belongs to the same batch as
// the last node that was counted.
func (c *stepCounter) continuesBatch(node history.Node) bool {
	return node.ChangeCount > 0 && node.Batch != 0 && node.Batch == c.batch
}

// isComplete reports whether all wanted steps were taken for certain. After a message of a
// batch, the next message may belong to the same step.
func (c *stepCounter) isComplete() bool { return c.takenCount >= c.wantedCount && c.batch == 0 }

// needsStep reports whether a step must still be taken. That is so while fewer steps were
// taken than wanted. Later it is so only if the step is the rest of a batch, because a batch
// is undone or done again as a whole.
func (c *stepCounter) needsStep(step []visit) bool {
	if c.takenCount < c.wantedCount {
		return true
	}
	return slices.ContainsFunc(step, func(v visit) bool { return c.continuesBatch(v.node) })
}

// stepFinder returns the visits of the next step of undo or redo from a state of the
// history. A step goes over one node that changed something, and over nodes around it that
// did not.
type stepFinder func(history.State, kv.Reader) ([]visit, error)

// walkSteps takes a number of steps of undo or redo. nextStep finds each of them. The
// messages of a batch are one step. For example, if the third step undoes the last message
// of a batch of five, it undoes all five. walkSteps fails with a [*RangeError] if stepCount
// is less than 1.
func (c *Chain) walkSteps(stepCount int, nextStep stepFinder) (WalkResult, error) {
	if stepCount < 1 {
		return WalkResult{}, &RangeError{"steps: expected at least 1"}
	}

	// Each path has the remaining steps. The visited nodes count as steps that were taken
	// already.
	return c.walk(func(txn *walkTxn, visited []history.Node) ([]visit, error) {
		counter := stepCounter{wantedCount: stepCount}
		for _, node := range visited {
			counter.countNode(node)
		}
		return txn.planSteps(&counter, nextStep)
	})
}

// planSteps returns the path of the steps that are still to be taken according to counter.
// If the history has fewer steps, it returns those that it has. If no step was taken before
// and the history has none, it fails with [history.ErrNothingToUndo] or
// [history.ErrNothingToRedo].
func (t *walkTxn) planSteps(counter *stepCounter, nextStep stepFinder) (path []visit, err error) {
	state := t.state
	for !counter.isComplete() {
		step, err := nextStep(state, t.session.history)

		// If there are fewer steps than wanted, the walk goes as far as it can.
		isAtEnd := errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo)
		if isAtEnd && counter.takenCount > 0 {
			return path, nil
		}
		if err != nil {
			return nil, err
		}
		if !counter.needsStep(step) {
			return path, nil
		}

		// Take this step in the copy of the state, from which the next round finds the next
		// step.
		path = append(path, step...)
		for _, v := range step {
			counter.countNode(v.node)
			state.Head = v.headAfter()
		}
	}
	return path, nil
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

// walk undoes and redoes the nodes on the path that plan finds, in as many transactions as
// that takes. If it fails midway, the result is what it did until then.
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

		// Add what this transaction did to the result. The next one does the rest.
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

// walkOn continues a walk in one transaction. walkSoFar is what the earlier transactions
// did, and path is what they left. walkOn follows the path as far as one transaction goes.
// At the beginning of the walk, and if another writer has changed the store since the last
// transaction, it first gets a new path from plan.
func (s *session) walkOn(walkSoFar WalkResult, path []visit, plan walkPlan) (*walkTxn, error) {
	txn, err := newWalkTxn(s)
	if err != nil {
		return nil, err
	}

	// The revision, which counts all commits, shows whether the store has changed. At the
	// beginning, walkSoFar has revision 0.
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

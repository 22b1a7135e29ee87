package chain

import (
	"errors"
	"slices"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// WalkResult is the result of undo, redo or a jump to another node of the history.
type WalkResult struct {
	// Nodes are the messages and clock moves that were undone or done again, in the order
	// in which that happened. Those that had changed nothing are left out.
	Nodes    []history.Node
	Head     history.ID // the node after which the store now has its state
	Clock    Clock      // after the walk
	Revision uint64     // of the store after the walk
}

// Undo, redo and jumps walk along a path of nodes. A transaction has a size limit, so a long
// walk takes several transactions. Each of them ends at a node. If a walk fails midway, the
// store is therefore in a valid state, and the walk returns what it did until then.

// Undo reverts the last stepCount nodes that changed anything, or all if there are fewer.
// The messages of a batch, sent by [Chain.ExecuteInBatch], count as one node. Undo fails
// with [history.ErrNothingToUndo] if there is nothing to undo, and with a [*RangeError] if
// stepCount is less than 1.
func (c *Chain) Undo(stepCount int) (WalkResult, error) { return c.walkSteps(stepCount, undoStep) }

// undoStep returns the nodes to undo in one step of undo, as visits. They are those from the
// head of the history back to the last one that changed anything.
func undoStep(state history.State, reader kv.Reader) (visits []visit, err error) {
	nodes, err := state.Undo(reader)
	for _, node := range nodes {
		visits = append(visits, visit{node: node, undoStart: state.Head})
	}
	return visits, err
}

// Redo does the next stepCount nodes that changed anything again, or all if there are
// fewer. If undo went back over refused messages after such a node, redo goes forward
// over them again. The messages of a batch count as one node. Redo fails with
// [history.ErrNothingToRedo] if there is nothing to redo, and with a [*RangeError] if
// stepCount is less than 1.
func (c *Chain) Redo(stepCount int) (WalkResult, error) { return c.walkSteps(stepCount, redoStep) }

// redoStep returns the nodes to do again in one step of redo, as visits.
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
	wanted int        // how many steps to take
	count  int        // how many steps were taken
	batch  history.ID // the batch of the last node that changed something; 0 if it has none
}

// countNode counts a node. It ignores a node that changed nothing, and counts a batch
// only once.
func (c *stepCounter) countNode(node history.Node) {
	if node.Changes == 0 {
		return
	}
	if !c.continuesBatch(node) {
		c.count++
	}
	c.batch = node.Batch
}

// continuesBatch reports whether a node changed something and belongs to the same batch as
// the last node that was counted.
func (c *stepCounter) continuesBatch(node history.Node) bool {
	return node.Changes > 0 && node.Batch != 0 && node.Batch == c.batch
}

// isComplete reports whether all wanted steps were taken for certain. After a message of a
// batch, the next message may belong to the same step.
func (c *stepCounter) isComplete() bool { return c.count >= c.wanted && c.batch == 0 }

// needsStep reports whether a step must still be taken. It must if further steps are
// wanted, or if the step continues the batch of the last one.
func (c *stepCounter) needsStep(step []visit) bool {
	if c.count < c.wanted {
		return true
	}
	continuesBatch := func(v visit) bool { return c.continuesBatch(v.node) }
	return slices.ContainsFunc(step, continuesBatch)
}

// stepFinder returns the visits of the next step of undo or redo from a state of the
// history. A step goes over one node that changed something, and over nodes around it that
// did not.
type stepFinder func(history.State, kv.Reader) ([]visit, error)

// walkSteps takes steps of undo or redo, which nextStep finds. The messages of a batch
// are one step. For example, if the third step undoes the last message of a batch of
// five, it undoes all five.
func (c *Chain) walkSteps(stepCount int, nextStep stepFinder) (WalkResult, error) {
	if stepCount < 1 {
		return WalkResult{}, &RangeError{"steps: expected at least 1"}
	}

	// plan finds the remaining steps. Those to the visited nodes were taken already.
	plan := func(batch *walkBatch, visited []history.Node) ([]visit, error) {
		steps := stepCounter{wanted: stepCount}
		for _, node := range visited {
			steps.countNode(node)
		}
		return batch.planSteps(&steps, nextStep)
	}
	return c.walk(plan)
}

// planSteps returns the path of the steps that the counter still needs. If there are fewer
// steps in the history, it returns those that there are. If the walk has taken no step at
// all and there is none, it fails with [history.ErrNothingToUndo] or
// [history.ErrNothingToRedo].
func (b *walkBatch) planSteps(steps *stepCounter, nextStep stepFinder) (path []visit, err error) {
	state := b.state
	for !steps.isComplete() {
		step, err := nextStep(state, b.session.history)

		// If there are fewer steps than wanted, the walk goes as far as it can.
		isAtEnd := errors.Is(err, history.ErrNothingToUndo) || errors.Is(err, history.ErrNothingToRedo)
		if isAtEnd && steps.count > 0 {
			return path, nil
		}
		if err != nil {
			return nil, err
		}
		if !steps.needsStep(step) {
			return path, nil
		}

		// Find the following step from the state after this one.
		path = append(path, step...)
		for _, v := range step {
			steps.countNode(v.node)
			state.Head = v.headAfter()
		}
	}
	return path, nil
}

// Goto goes to a node on any branch by undo and redo. target is the name or the number of
// the node. Goto fails with a [*history.NameError] if target is neither, and with an
// [*history.UnknownNodeError] if no node has the number.
func (c *Chain) Goto(target string) (WalkResult, error) {
	plan := func(batch *walkBatch, _ []history.Node) ([]visit, error) {
		id, err := history.Find(batch.session.history, target)
		if err != nil {
			return nil, err
		}
		return batch.pathTo(id)
	}
	return c.walk(plan)
}

// walkPlan returns the remaining path of a walk, which begins at the head of the history.
// visited are the nodes that the walk has undone or done again so far.
type walkPlan func(b *walkBatch, visited []history.Node) ([]visit, error)

// walk undoes and redoes the nodes on a path, in as many transactions as that takes. If it
// fails, the result is what it did until then.
func (c *Chain) walk(plan walkPlan) (WalkResult, error) {
	var walked WalkResult
	var path []visit
	for {
		// One transaction follows the path as far as its size permits.
		walkOn := func(s *session) (*walkBatch, error) { return s.walkOn(walked, path, plan) }
		batch, err := updateWithResult(c, walkOn)
		if err != nil {
			return walked, err
		}

		// Add what this transaction did to the result. The next one does the rest.
		path = batch.unvisited
		walked.Nodes = append(walked.Nodes, batch.nodes...)
		walked.Head = batch.state.Head
		walked.Clock = batch.clock
		walked.Revision = batch.state.Revision
		if len(path) == 0 {
			return walked, nil
		}
	}
}

// walkOn follows the rest of a path as far as one transaction goes. walked is the result of
// the earlier transactions. At the beginning of a walk, walkOn takes the path from plan. It
// does so again if another writer has changed the store since the last transaction.
func (s *session) walkOn(walked WalkResult, path []visit, plan walkPlan) (*walkBatch, error) {
	batch, err := newWalkBatch(s)
	if err != nil {
		return nil, err
	}

	// The revision, which counts all commits, shows whether the store has changed. At the
	// beginning, walked has revision 0.
	if batch.state.Revision != walked.Revision {
		path, err = plan(batch, walked.Nodes)
		if err != nil {
			return nil, err
		}
	}
	if err := batch.follow(path); err != nil {
		return nil, err
	}
	batch.state.Revision++
	return batch, batch.write()
}

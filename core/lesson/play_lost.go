package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/scenario"
)

// rehearsal repeats what a learner did in a task on a chain of its own. There it can go back to
// any moment of the task, and find out whether the task could still be solved from there.
type rehearsal struct {
	session      *Session       // plays the same task from its beginning, on a chain of its own
	learnerNodes []history.Node // the messages and clock moves that the learner has not undone, oldest first
	positions    []history.ID   // [n] is the head of that chain after the first n of learnerNodes
}

// explainLostGoals looks for goals of a check that can no longer be reached, and adds the
// reason to each: `"burn rose" by alice is in the way; undo takes it back`. A message is in
// the way if the solution reaches all goals when it is played before the message, but not
// when it is played after it. nodes has what the learner did and has not undone, newest first.
func (t *Task) explainLostGoals(check *Check, nodes []history.Node) (err error) {
	if len(nodes) == 0 || !slices.ContainsFunc(check.Goals, Goal.needsExplanation) {
		return nil
	}
	if t.state.beginAgain == nil { // this check is a part of the explanation of another
		return nil
	}

	// Repeat what the learner did in a session that begins the same task.
	session, err := t.state.beginAgain()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.chain.Close()) }()
	for _, query := range t.state.queries {
		session.NoteQuery(query)
	}
	r := &rehearsal{session: session, learnerNodes: slices.Clone(nodes)}
	slices.Reverse(r.learnerNodes)
	if err := r.repeatLearnerNodes(); err != nil {
		return err
	}

	// Nothing is lost as long as the task can be solved from where the learner is.
	isReachable, isSolvable, err := r.trySolving(len(r.learnerNodes))
	if err != nil || isSolvable {
		return err
	}

	// The node after the last moment from which the task could be solved is the obstacle.
	obstacleIndex := len(r.learnerNodes)
	for !isSolvable {
		obstacleIndex--
		if obstacleIndex < 0 { // the solution is wrong, which [Lesson.Faults] reports
			return nil
		}
		if _, isSolvable, err = r.trySolving(obstacleIndex); err != nil {
			return err
		}
	}
	for _, goal := range check.lostGoals(isReachable) {
		if goal.Instead != "" {
			goal.Instead += "; "
		}
		goal.Instead += r.describeObstacle(obstacleIndex)
	}
	return nil
}

// lostGoals returns the goals of an unsolvable task that cannot be reached any more.
// isReachable says for each goal whether some attempt reaches it. If each unreached goal is
// reachable, they cannot be reached together, so all of them are lost.
func (c *Check) lostGoals(isReachable []bool) (goals []*Goal) {
	var unreachedGoals []*Goal
	for i := range c.Goals {
		goal := &c.Goals[i]
		if !goal.needsExplanation() {
			continue
		}
		unreachedGoals = append(unreachedGoals, goal)
		if !isReachable[i] {
			goals = append(goals, goal)
		}
	}
	if len(goals) == 0 {
		return unreachedGoals
	}
	return goals
}

// needsExplanation reports whether a goal is not reached and does not advise to undo yet, which
// it does if the clock is past the required block.
func (g Goal) needsExplanation() bool {
	return !g.Reached && !strings.HasSuffix(g.Instead, undoGoesBack)
}

// repeatLearnerNodes does again what the learner did, and records the position before the first
// node and after each.
func (r *rehearsal) repeatLearnerNodes() error {
	if err := r.recordPosition(); err != nil {
		return err
	}
	for _, node := range r.learnerNodes {
		var err error
		if node.Kind == history.KindClock {
			_, clockAfter, _ := chain.ClocksOf(node) // a clock move always has both clocks
			_, err = r.session.chain.Advance(chain.ClockStep{Height: &clockAfter.Height, Time: &clockAfter.Time})
		} else {
			_, err = r.session.chain.Execute(node.Sender, []byte(node.Message))
		}
		if err != nil {
			return err
		}
		if err := r.recordPosition(); err != nil {
			return err
		}
	}
	return nil
}

func (r *rehearsal) recordPosition() error {
	return r.session.chain.View(func(view *chain.View) error {
		r.positions = append(r.positions, view.Head)
		return nil
	})
}

// trySolving finds out whether the task can be solved after the first nodeCount of
// learnerNodes. isReachable says for each goal whether at least one attempt reaches it, and
// isSolvable whether one attempt reaches all.
//
// The learner may have done a part of the solution already. So some attempts leave out the
// steps that the learner has done, and others do not. Of each kind, one begins with the first
// step, one with the second, and so on.
func (r *rehearsal) trySolving(nodeCount int) (isReachable []bool, isSolvable bool, err error) {
	remainingSteps, err := r.remainingSteps(nodeCount)
	if err != nil {
		return nil, false, err
	}
	var attempts [][]scenario.Step
	for i := range remainingSteps {
		attempts = append(attempts, remainingSteps[i:])
	}
	solution := r.session.Task().Solution
	for i := range solution {
		attempts = append(attempts, solution[i:])
	}

	isReachable = make([]bool, len(r.session.Task().Checks))
	for _, steps := range attempts {
		goals, err := r.playAttempt(nodeCount, steps)
		if err != nil {
			return nil, false, err
		}
		reachesAll := true
		for i, goal := range goals {
			isReachable[i] = isReachable[i] || goal.Reached
			reachesAll = reachesAll && goal.Reached
		}
		if reachesAll {
			return isReachable, true, nil
		}
	}
	return isReachable, false, nil
}

// remainingSteps returns the steps of the solution that the learner has not done with the first
// nodeCount of learnerNodes. Queries and clock moves never count as done.
func (r *rehearsal) remainingSteps(nodeCount int) (steps []scenario.Step, err error) {
	task := r.session.Task()
	sent := withoutClockMoves(r.learnerNodes[:nodeCount])
	err = r.session.chain.View(func(view *chain.View) error {
		for _, step := range task.Solution {
			if step.Kind != scenario.Execute {
				steps = append(steps, step)
				continue
			}
			isDone, err := task.state.hasAttempted(view, &step, sent)
			if err != nil {
				return err
			}
			if !isDone {
				steps = append(steps, step)
			}
		}
		return nil
	})
	return steps, err
}

// playAttempt goes back to the moment after the first nodeCount of learnerNodes, plays steps
// from there, and returns the goals as they are then. It ignores steps that the contract
// refuses, or whose block is past.
func (r *rehearsal) playAttempt(nodeCount int, steps []scenario.Step) ([]Goal, error) {
	position := strconv.FormatUint(uint64(r.positions[nodeCount]), 10)
	if _, err := r.session.chain.Goto(position); err != nil {
		return nil, err
	}

	// Play the steps. A query that is a goal must be in the task's list of queries.
	task := r.session.Task()
	for _, step := range steps {
		if step.Kind == scenario.Query {
			task.state.queries = append(task.state.queries, step.Message)
		}
		if _, err := r.session.player.Play(&step); err != nil {
			return nil, err
		}
	}

	// Without beginAgain the check does not explain lost goals, which would never end.
	task.state.beginAgain = nil
	check, err := task.Check(r.session.chain)
	return check.Goals, err
}

// describeObstacle says that learnerNodes[obstacleIndex] is in the way, and how many times the
// learner must undo to take it back. Messages that changed nothing are not undone separately.
func (r *rehearsal) describeObstacle(obstacleIndex int) string {
	node := r.learnerNodes[obstacleIndex]
	var text string
	_ = r.session.chain.View(func(view *chain.View) error { // cannot fail, as the chain is open
		text = strconv.Quote(explain.DescribeNode(view.Contract(), node, view.DisplayName))
		if node.Sender != "" {
			text += " by " + view.DisplayName(node.Sender)
		}
		return nil
	})

	// Undo takes back one change at a time, and the newest first.
	undoCount := 0
	for _, laterNode := range r.learnerNodes[obstacleIndex:] {
		if laterNode.ChangeCount > 0 {
			undoCount++
		}
	}
	if undoCount > 1 {
		return fmt.Sprintf("%s is in the way; undo, %d times, takes it back", text, undoCount)
	}
	return text + " is in the way; undo takes it back"
}

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

// rehearsal repeats what a learner did in a task, on another chain than the learner's. On
// that chain it can go back to any moment of the task, and find out whether the task could
// still be solved from there.
type rehearsal struct {
	session      *Session       // plays the same task from its beginning, on a chain of its own
	learnerNodes []history.Node // the messages and clock moves that the learner has not undone, oldest first
	// positions[n] is the head of the history of session after the first n of learnerNodes were
	// repeated, so positions[0] is the start of the task.
	positions []history.ID
}

// explainLostGoals looks for goals of a check that can no longer be reached, and adds the
// reason to each: `"burn rose" by alice is in the way; undo takes it back`. nodes has the
// messages and clock moves of the learner that are not undone, newest first.
//
// A message is in the way if the lesson's solution reaches all goals when it is played
// before the message, but not when it is played after the message.
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

	// The node after the last moment from which the task could be solved is the obstacle. If
	// there is no such moment, the solution is wrong, which [Lesson.Faults] reports.
	obstacleIndex, wasSolvable, err := r.findLastSolvable()
	if err != nil || !wasSolvable {
		return err
	}
	for _, goal := range check.lostGoals(isReachable) {
		if goal.Instead != "" {
			goal.Instead += "; "
		}
		goal.Instead += r.describeObstacle(obstacleIndex)
	}
	return nil
}

// findLastSolvable finds the last moment from which the task could still be solved.
// nodeCount is how many of the learner's messages and clock moves come before that moment.
// So the next one, learnerNodes[nodeCount], made the task unsolvable. wasSolvable is false
// if the task could never be solved.
func (r *rehearsal) findLastSolvable() (nodeCount int, wasSolvable bool, err error) {
	for nodeCount = len(r.learnerNodes) - 1; nodeCount >= 0; nodeCount-- {
		_, isSolvable, err := r.trySolving(nodeCount)
		if err != nil {
			return 0, false, err
		}
		if isSolvable {
			return nodeCount, true, nil
		}
	}
	return 0, false, nil
}

// lostGoals returns the goals that the learner cannot reach any more, for a task that can
// no longer be solved. isReachable says for each goal of the check whether some attempt
// reaches it. If each unreached goal is reachable, they cannot be reached together, so
// all of them are lost.
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

// needsExplanation reports whether a goal is not reached and its Instead does not advise to
// undo yet. It does so already if the clock is past the block that the goal requires.
func (g Goal) needsExplanation() bool {
	return !g.Reached && !strings.HasSuffix(g.Instead, undoGoesBack)
}

// repeatLearnerNodes sends the learner's messages again and moves the clock as the learner
// did. It records the position at the start and after each.
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

// recordPosition adds the head of the history to positions.
func (r *rehearsal) recordPosition() error {
	return r.session.chain.View(func(view *chain.View) error {
		r.positions = append(r.positions, view.Head)
		return nil
	})
}

// trySolving finds out whether the task can be solved after the first nodeCount of the
// learner's messages and clock moves. isReachable says for each goal whether at least one
// attempt reaches it. isSolvable says whether one attempt reaches all goals.
//
// The learner may have done a part of the solution already. So there are several attempts.
// The first ones leave out the steps that the learner has done: one plays all others, one
// begins with the second of them, and so on. The later ones play the whole solution, the
// solution from its second step on, and so on.
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

	// An attempt that reaches all goals ends the search.
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

// remainingSteps returns the steps of the solution that the learner has not done with the
// first nodeCount messages and clock moves. A step is done if the learner has sent its
// message with the expected outcome. Queries and clock moves never count as done.
func (r *rehearsal) remainingSteps(nodeCount int) (steps []scenario.Step, err error) {
	task := r.session.Task()
	sent := withoutClockMoves(r.learnerNodes[:nodeCount])
	err = r.session.chain.View(func(view *chain.View) error {
		// Only messages are compared. A query can be asked again at any time.
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

// playAttempt takes the chain of the rehearsal back to the moment after the first nodeCount
// of the learner's messages and clock moves. From there it plays steps of the solution,
// and returns the goals of the task as they are then. It ignores steps that the contract
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

// describeObstacle returns a sentence which says that learnerNodes[obstacleIndex], a
// message or clock move, is in the way, and how many times the learner must undo to take
// it back. Messages that changed nothing, such as refused ones, are not undone
// separately.
func (r *rehearsal) describeObstacle(obstacleIndex int) string {
	// Describe the node, such as `"burn rose" by alice`.
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

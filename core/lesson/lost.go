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

// rehearsal repeats what a learner did in a task on a chain of its own. There the solution
// can be tried after each message and clock move of the learner.
type rehearsal struct {
	session *Session // begins the same task again, on the chain of the rehearsal
	// did has the messages and clock moves that the learner has not undone, oldest first.
	did []history.Node
	// heads has positions in the history of session: heads[n] is the newest node after the
	// first n messages and clock moves of did were repeated.
	heads []history.ID
}

// explainLostGoals adds to each goal of a check that can no longer be reached what is in the
// way: `"burn rose" by alice is in the way; undo takes it back`. did has the messages and
// clock moves of the learner that are not undone, newest first. It fails if the store fails.
//
// A message is in the way if the lesson's solution, or a part of it, reaches all goals
// before the message but not after it.
func (t *Task) explainLostGoals(check *Check, did []history.Node) error {
	hasOpen := slices.ContainsFunc(check.Goals, Goal.needsExplanation)
	if !hasOpen || len(did) == 0 || t.state.beginAgain == nil {
		return nil
	}
	session, err := t.state.beginAgain()
	if err != nil {
		return err
	}
	err = t.explainWith(session, check, did)
	return errors.Join(err, session.chain.Close())
}

// explainWith repeats what the learner did in a session that begins the task again, and does
// what [Task.explainLostGoals] describes.
func (t *Task) explainWith(session *Session, check *Check, did []history.Node) error {
	session.state.queries = slices.Clone(t.state.queries)
	r := &rehearsal{session: session, did: slices.Clone(did)}
	slices.Reverse(r.did)
	if err := r.repeat(); err != nil {
		return err
	}

	// Nothing is lost as long as the task can be solved from where the learner is.
	reachable, isSolvable, err := r.try(len(r.did))
	if err != nil || isSolvable {
		return err
	}

	count, wasSolvable, err := r.lastSolvable()
	if err != nil || !wasSolvable { // the solution does not work at all, which Faults reports
		return err
	}
	for _, goal := range check.lostGoals(reachable) {
		goal.addReason(r.obstacle(count))
	}
	return nil
}

// lastSolvable returns after how many of the learner's messages and clock moves the task
// could still be solved; the next one is in the way. wasSolvable is false if it never could.
func (r *rehearsal) lastSolvable() (count int, wasSolvable bool, err error) {
	for count = len(r.did) - 1; count >= 0; count-- {
		_, isSolvable, err := r.try(count)
		if err != nil || isSolvable {
			return count, isSolvable, err
		}
	}
	return 0, false, nil
}

// lostGoals returns the open goals that can no longer be reached. reachable says for each
// goal of the check whether it can be reached alone. If each open goal can, they still cannot
// be reached together, so all of them are lost.
func (c *Check) lostGoals(reachable []bool) (lost []*Goal) {
	var open []*Goal
	for i := range c.Goals {
		goal := &c.Goals[i]
		if !goal.needsExplanation() {
			continue
		}
		open = append(open, goal)
		if !reachable[i] {
			lost = append(lost, goal)
		}
	}
	if len(lost) == 0 {
		return open
	}
	return lost
}

// needsExplanation reports whether a goal is not reached, and its text does not advise undo
// already because the clock is too far ahead.
func (g Goal) needsExplanation() bool {
	return !g.Reached && !strings.HasSuffix(g.Instead, undoGoesBack)
}

// addReason adds a reason why the goal is not reached, behind those that are said already.
func (g *Goal) addReason(reason string) {
	if g.Instead != "" {
		reason = g.Instead + "; " + reason
	}
	g.Instead = reason
}

// repeat sends the learner's messages again, and moves the clock as the learner did. It
// notes the head, the position in the history, at the start and after each of them.
func (r *rehearsal) repeat() error {
	if err := r.addHead(); err != nil {
		return err
	}
	for _, node := range r.did {
		var err error
		if node.Kind == history.KindClock {
			_, clockAfter, _ := chain.ClocksOf(node)
			_, err = r.session.chain.Advance(chain.ClockStep{Height: &clockAfter.Height, Time: &clockAfter.Time})
		} else {
			_, err = r.session.chain.Execute(node.Sender, []byte(node.Message))
		}
		if err != nil {
			return err
		}
		if err := r.addHead(); err != nil {
			return err
		}
	}
	return nil
}

// addHead adds the newest node of the history that is not undone to heads.
func (r *rehearsal) addHead() error {
	return r.session.chain.View(func(v *chain.View) error {
		r.heads = append(r.heads, v.Head)
		return nil
	})
}

// try finds out whether the task can be solved after the first count of the learner's messages
// and clock moves. It reports which goals any attempt reaches, and whether one attempt
// reaches all.
//
// The learner may have done a part of the solution already. So there is an attempt for each
// step of the solution, which begins with that step, and one more for each step if the steps
// that the learner has done are left out.
func (r *rehearsal) try(count int) (reachable []bool, isSolvable bool, err error) {
	solution := r.session.Task().Solution
	open, err := r.openSteps(count)
	if err != nil {
		return nil, false, err
	}
	var attempts [][]scenario.Step
	for i := range open {
		attempts = append(attempts, open[i:])
	}
	for i := range solution {
		attempts = append(attempts, solution[i:])
	}

	// An attempt that reaches all goals ends the search.
	reachable = make([]bool, len(r.session.Task().Checks))
	for _, steps := range attempts {
		goals, err := r.attempt(count, steps)
		if err != nil {
			return nil, false, err
		}
		isSolvable = true
		for i, goal := range goals {
			reachable[i] = reachable[i] || goal.Reached
			isSolvable = isSolvable && goal.Reached
		}
		if isSolvable {
			return reachable, true, nil
		}
	}
	return reachable, false, nil
}

// openSteps returns the steps of the solution that are not done by the first count of the
// learner's messages and clock moves. A step is done if the learner has sent its message with
// the expected outcome.
func (r *rehearsal) openSteps(count int) (open []scenario.Step, err error) {
	task := r.session.Task()
	sent := messagesOf(r.did[:count])
	err = r.session.chain.View(func(v *chain.View) error {
		// Only messages are compared. A query can be asked again at any time.
		for _, step := range task.Solution {
			isDone := false
			if step.Kind == scenario.Execute {
				isDone, err = task.state.attempted(v, &step, sent)
			}
			if err != nil {
				return err
			}
			if !isDone {
				open = append(open, step)
			}
		}
		return nil
	})
	return open, err
}

// attempt goes back to where the chain was after the first count of the learner's messages and
// clock moves, plays steps from there, and returns the goals of the task. It ignores steps
// that are refused or come too late.
func (r *rehearsal) attempt(count int, steps []scenario.Step) ([]Goal, error) {
	position := strconv.FormatUint(uint64(r.heads[count]), 10)
	if _, err := r.session.chain.Goto(position); err != nil {
		return nil, err
	}

	// Play the steps.
	task := r.session.Task()
	for _, step := range steps {
		if step.Kind == scenario.Query {
			task.state.queries = append(task.state.queries, step.Message)
		}
		if _, err := r.session.player.Play(&step); err != nil {
			return nil, err
		}
	}
	task.state.beginAgain = nil // this check must not explain lost goals again
	check, err := task.Check(r.session.chain)
	return check.Goals, err
}

// obstacle says that the learner's next message or clock move after the first count is in the
// way, and how many times undo takes it back. Messages that changed nothing, such as refused
// ones, need no undo of their own.
func (r *rehearsal) obstacle(count int) string {
	node := r.did[count]
	var text string
	_ = r.session.chain.View(func(v *chain.View) error { // cannot fail, as the chain is open
		text = strconv.Quote(explain.DescribeNode(v.Contract(), node, v.DisplayName))
		if node.Sender != "" {
			text += " by " + v.DisplayName(node.Sender)
		}
		return nil
	})

	// Undo takes back one change at a time, and the newest first.
	undos := 0
	for _, later := range r.did[count:] {
		if later.Changes > 0 {
			undos++
		}
	}
	if undos > 1 {
		return fmt.Sprintf("%s is in the way; undo, %d times, takes it back", text, undos)
	}
	return text + " is in the way; undo takes it back"
}

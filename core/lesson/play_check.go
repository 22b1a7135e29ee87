package lesson

import (
	"cmp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/scenario"
)

// Check evaluates the goals of the task, in one read transaction of the chain. While the
// question is not answered, it returns no goals, because a goal could give the answer away.
// It fails if the store fails. checkGoals decides which goals a task has.
func (t *Task) Check(c chain.Viewer) (check Check, err error) {
	err = c.View(func(view *chain.View) error { return t.checkGoals(&check, view) })
	check.Done = len(check.Missing()) == 0 && !t.state.isQuestionOpen
	if t.state.isQuestionOpen {
		check.Goals = nil
	}
	return check, err
}

// Check is the result of [Task.Check]: the goals of a task, and whether all are reached.
type Check struct {
	Done  bool // all goals are reached and the task's question is answered
	Goals []Goal
	Score *Score // of a challenge or game that is solved, or nil

	lastNode history.ID // the newest node of the history: a message or a clock move
	tries    int        // messages sent in the task, including undone ones
}

// Goal is one condition of a task: something that must be true on the chain, or that the
// learner must have tried.
type Goal struct {
	Text    string // such as "bob owns rose"
	Reached bool
	Instead string // what is true instead, such as "owner is alice now"; "" if no short text says it
}

// Missing returns a line about each goal that is not reached.
func (c Check) Missing() (missing []string) {
	for _, goal := range c.Goals {
		if !goal.Reached {
			missing = append(missing, goal.String())
		}
	}
	return missing
}

// String describes the goal: "bob owns rose (owner is alice now)".
func (g Goal) String() string {
	if g.Instead == "" {
		return g.Text
	}
	return g.Text + " (" + g.Instead + ")"
}

// checkGoals adds the goals of the task to check, as they are in a view of the chain.
func (t *Task) checkGoals(check *Check, view *chain.View) error {
	historyState, err := view.HistoryState()
	if err != nil {
		return err
	}
	check.lastNode = historyState.Last

	nodes, tries, err := t.state.nodesInForce(view)
	if err != nil {
		return err
	}
	check.tries = len(tries)

	// A challenge and a mistake have goals of their own.
	sent := withoutClockMoves(nodes)
	switch {
	case t.Challenge != nil:
		return t.checkChallenge(check, view, sent)
	case t.Mistake != nil:
		return t.checkMistake(check, view, tries)
	}

	// The goals of any other task are in the file.
	for i := range t.Checks {
		goal, err := t.evaluateGoal(view, &t.Checks[i], sent)
		if err != nil {
			return err
		}
		check.Goals = append(check.Goals, goal)
	}

	// While the question is open, the goals are not shown, so nothing about them is explained.
	if t.state.isQuestionOpen {
		return nil
	}
	return t.explainLostGoals(check, nodes)
}

// withoutClockMoves returns the nodes that are messages, in a new slice.
func withoutClockMoves(nodes []history.Node) []history.Node {
	return slices.DeleteFunc(slices.Clone(nodes), func(node history.Node) bool {
		return node.Kind != history.KindExecute
	})
}

// nodesInForce returns the messages and clock moves since the start of the task that are not
// undone, newest first: the head of the history, its parent, and so on. tries has all messages
// since then, including undone ones.
func (t taskState) nodesInForce(view *chain.View) (nodes, tries []history.Node, err error) {
	nextID := view.Head // the next older node that is not undone
	for node, err := range view.History(0) {
		if err != nil {
			return nil, nil, err
		}
		if node.ID <= t.startedAfter {
			break
		}

		// The nodes come newest first, so the parent of a node comes after the node.
		if node.ID == nextID {
			nextID = node.Parent
			nodes = append(nodes, node)
		}
		if node.Kind == history.KindExecute { // a clock move is no try
			tries = append(tries, node)
		}
	}
	return nodes, tries, nil
}

// evaluateGoal evaluates the goal that a step of the file describes. sent has the messages of
// the task that are not undone.
func (t *Task) evaluateGoal(view *chain.View, step *scenario.Step, sent []history.Node) (Goal, error) {
	goal := Goal{Text: strings.Join(step.Hints, " ")}

	if mustBeTried(*step) {
		isReached, err := t.state.hasAttempted(view, step, sent)
		goal.Reached = isReached
		if !isReached {
			goal.Instead = wrongBlockText(view.Clock, step.At)
		}
		return goal, err
	}

	// Otherwise step is a query about the state of the chain. Its answer only counts in the
	// block that step names.
	goal.Text = cmp.Or(goal.Text, step.Describe())
	goal.Instead = wrongBlockText(view.Clock, step.At)
	if goal.Instead != "" {
		return goal, nil
	}

	mismatch, err := step.Check(view)
	if err != nil {
		return goal, err
	}
	if mismatch == nil {
		goal.Reached = true
		return goal, nil
	}
	goal.Instead, err = describeMismatch(view, step, mismatch)
	return goal, err
}

// undoGoesBack ends a sentence about a clock that is too far ahead. Only undo moves it back.
const undoGoesBack = "; undo goes back"

// wrongBlockText returns "" if the clock shows the required block, and otherwise what it shows:
// "the clock is at height 1,004; undo goes back". If required is nil, every block is right.
func wrongBlockText(clock chain.Clock, required *scenario.At) string {
	switch {
	case required == nil:
		return ""
	case required.Height != nil && *required.Height != clock.Height:
		return "the clock is at height " + human.Thousands(uint64(clock.Height)) +
			undoAdvice(clock.Height > *required.Height)
	case required.Time != nil && *required.Time != clock.Time:
		return "the clock is at " + human.Time(clock.Time) +
			undoAdvice(clock.Time > *required.Time)
	}
	return ""
}

// undoAdvice returns the advice to undo if the block of a goal is past, or "".
func undoAdvice(isPast bool) string {
	if isPast {
		return undoGoesBack
	}
	return ""
}

// hasAttempted reports whether the learner has tried a step: a query or a message that
// contains the JSON of the step. A message must also have its sender, its block and its
// outcome, accepted or refused. sent has the messages that are not undone.
func (t taskState) hasAttempted(view *chain.View, step *scenario.Step, sent []history.Node) (bool, error) {
	wantedJSON := normalizeMessage(view, step.Kind, step.Message)
	containsWanted := func(message []byte) bool {
		return scenario.ContainsJSON(normalizeMessage(view, step.Kind, message), wantedJSON)
	}
	if step.Kind == scenario.Query {
		return slices.ContainsFunc(t.queries, containsWanted), nil
	}

	sender, err := view.Resolve(step.Sender)
	if err != nil {
		return false, err
	}
	for _, node := range sent {
		clock := chain.Clock{Height: node.Height, Time: node.Time}
		isRefused := node.Refusal != nil
		if node.Sender == sender &&
			isRefused == mustBeRefused(*step) &&
			wrongBlockText(clock, step.At) == "" &&
			containsWanted([]byte(node.Message)) {
			return true, nil
		}
	}
	return false, nil
}

// normalizeMessage decodes a message and encodes it again, so that equal messages become
// equal bytes, with addresses in place of "$names". A message that the contract cannot decode
// is returned unchanged.
func normalizeMessage(view *chain.View, kind scenario.Kind, message []byte) []byte {
	msg, _, err := kind.Decode(view.Contract(), message, addressLookup(view))
	if err != nil {
		return message
	}
	return cw721.Encode(msg)
}

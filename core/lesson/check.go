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

// Check is the state of a task: its goals, and whether all of them are reached.
type Check struct {
	Done  bool
	Goals []Goal

	last  history.ID // the newest node of the history
	tries int        // messages that were sent in the task, undone ones included
}

// Goal is one condition of a task.
type Goal struct {
	// Text describes the goal, such as "bob owns rose".
	Text    string
	Reached bool
	// Instead describes what is there instead. It is empty if the goal is reached,
	// or if there is no short description.
	Instead string
}

// Missing returns the goals that are not reached, in words.
func (c Check) Missing() (missing []string) {
	for _, goal := range c.Goals {
		if !goal.Reached {
			missing = append(missing, goal.String())
		}
	}
	return missing
}

// String returns the text of the goal, and what is there instead in parentheses.
func (g Goal) String() string {
	if g.Instead == "" {
		return g.Text
	}
	return g.Text + " (" + g.Instead + ")"
}

// Check evaluates the goals of the task in one view of the chain, and changes
// nothing. While the question is open it returns no goals, since they could give the
// answer away.
func (t *Task) Check(c chain.Viewer) (Check, error) {
	check := Check{Done: true}
	err := c.View(func(v *chain.View) error {
		state, err := v.HistoryState()
		if err != nil {
			return err
		}
		check.last = state.Last

		sent, tries, err := t.state.messagesInForce(v)
		if err != nil {
			return err
		}
		check.tries = tries

		for i := range t.Checks {
			goal, err := t.goal(v, &t.Checks[i], sent)
			if err != nil {
				return err
			}
			check.Goals = append(check.Goals, goal)
			check.Done = check.Done && goal.Reached
		}
		return nil
	})
	if t.state.questionOpen {
		check.Goals = nil
		check.Done = false
	}
	return check, err
}

// goal evaluates one goal: a step to try, or a query with its expected answer. sent
// are the messages of the task that are not undone.
func (t *Task) goal(v *chain.View, s *scenario.Step, sent []history.Node) (Goal, error) {
	goal := Goal{Text: strings.Join(s.Hints, " ")}
	if isAttempt(s) {
		attempted, err := t.state.attempted(v, s, sent)
		goal.Reached = attempted
		if !attempted {
			goal.Instead = wrongBlock(v.Clock, s.At)
		}
		return goal, err
	}

	goal.Text = cmp.Or(goal.Text, s.Describe())
	goal.Instead = wrongBlock(v.Clock, s.At)
	if goal.Instead != "" {
		return goal, nil
	}
	mismatch, err := s.Check(v)
	if mismatch == nil {
		goal.Reached = err == nil
		return goal, err
	}
	goal.Instead, err = t.tooLate(v, sent)
	if err == nil && goal.Instead == "" {
		goal.Instead, err = describeMismatch(v, s, mismatch)
	}
	return goal, err
}

const undoGoesBack = "; undo goes back"

// wrongBlock describes the block of the clock if a goal wants another block; empty if
// the clock is right. at may be nil.
func wrongBlock(c chain.Clock, at *scenario.At) string {
	if at == nil {
		return ""
	}
	var text string
	var isPast bool
	switch {
	case at.Height != nil && *at.Height != c.Height:
		text = "the clock is at height " + human.Thousands(uint64(c.Height))
		isPast = c.Height > *at.Height
	case at.Time != nil && *at.Time != c.Time:
		text = "the clock is at " + human.Time(c.Time)
		isPast = c.Time > *at.Time
	}
	if isPast {
		text += undoGoesBack
	}
	return text
}

// tooLate returns a sentence if the clock has passed an expiry that a message of the
// solution sets and that the learner has not sent: the contract refuses the message
// now, and only undo helps. It is empty while every such expiry lies ahead.
func (t *Task) tooLate(v *chain.View, sent []history.Node) (string, error) {
	for i := range t.Solution {
		step := &t.Solution[i]
		if step.Kind != scenario.Execute || step.Expect != nil && step.Expect.Refused {
			continue
		}
		msg, err := v.DecodeExecute(step.Message)
		if err != nil {
			continue // the scenario reports mistakes in the file
		}
		field := expiryField(msg)
		if field == nil || *field == nil || !(*field).Expired(v.Clock.Block()) {
			continue
		}
		attempted, err := t.state.attempted(v, step, sent)
		if !attempted || err != nil {
			return "the clock is past " + human.Expiry(**field) + undoGoesBack, err
		}
	}
	return "", nil
}

// expiryField returns the member of a message that sets an expiry, which must lie
// ahead; nil if the message sets none.
func expiryField(msg cw721.ExecuteMsg) **cw721.Expiration {
	switch m := msg.(type) {
	case *cw721.Approve:
		return &m.Expires
	case *cw721.ApproveAll:
		return &m.Expires
	}
	return nil
}

// taskState is a session's state of the current task. It is a copy, so that
// [Task.Check] can run beside the session.
type taskState struct {
	questionOpen bool
	startedAfter history.ID // the newest node when the task started
	queries      [][]byte   // asked by the learner
}

// isAttempt reports whether a step is one that the learner must try: it has a sender
// and a hint. A query with a sender is a query that the learner must ask.
func isAttempt(s *scenario.Step) bool {
	return s.Note == "" && s.As != "" && len(s.Hints) > 0
}

// messagesInForce returns the messages since the task started that are not undone,
// newest first. tries counts the undone ones too. It fails if the store fails.
func (t taskState) messagesInForce(v *chain.View) (sent []history.Node, tries int, err error) {
	inForce := v.Head
	for node, err := range v.History(0) {
		if err != nil {
			return nil, 0, err
		}
		if node.ID <= t.startedAfter {
			break
		}

		isInForce := node.ID == inForce
		if isInForce {
			inForce = node.Parent
		}
		if node.Kind != history.KindExecute {
			continue
		}

		tries++
		if isInForce {
			sent = append(sent, node)
		}
	}
	return sent, tries, nil
}

// attempted reports whether the learner has tried a step: the same sender and
// message, in the block that the step names, with the outcome that it expects. The
// learner's message may have more members. sent are the messages that are not undone.
func (t taskState) attempted(v *chain.View, s *scenario.Step, sent []history.Node) (bool, error) {
	want := normalized(v, s.Kind, s.Message)
	if s.Kind == scenario.Query {
		return slices.ContainsFunc(t.queries, func(query []byte) bool {
			return scenario.ContainsJSON(normalized(v, s.Kind, query), want)
		}), nil
	}

	sender, err := v.Resolve(s.As)
	if err != nil {
		return false, err
	}
	wantRefused := s.Expect != nil && s.Expect.Refused
	return slices.ContainsFunc(sent, func(node history.Node) bool {
		clock := chain.Clock{Height: node.Height, Time: node.Time}
		isRefused := node.Refusal != nil
		return wrongBlock(clock, s.At) == "" &&
			node.Sender == sender &&
			isRefused == wantRefused &&
			scenario.ContainsJSON(normalized(v, s.Kind, []byte(node.Message)), want)
	}), nil
}

// normalized returns a message as the contract would write it, with addresses in place
// of names. A message that does not decode is returned unchanged.
func normalized(v *chain.View, kind scenario.Kind, raw []byte) []byte {
	msg, _, err := kind.Decode(v.Contract(), raw, addressLookup(v))
	if err != nil {
		return raw
	}
	return cw721.Encode(msg)
}

package lesson

import (
	"cmp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
)

// Check is how far a task is.
type Check struct {
	Done  bool
	Goals []Goal

	last  history.ID // the youngest node when it was looked
	tries int        // messages that were sent in the task
}

// Goal is one thing to reach.
type Goal struct {
	// Text says what is to be reached: "bob owns rose".
	Text    string
	Reached bool
	// Instead says what is there instead; "" when the goal is reached, or
	// when nothing short can be said.
	Instead string
}

// Missing lists the goals that are not reached, in words.
func (c Check) Missing() (out []string) {
	for _, g := range c.Goals {
		if !g.Reached {
			out = append(out, g.String())
		}
	}
	return out
}

// String says what is to be reached, and what is there instead.
func (g Goal) String() string {
	if g.Instead == "" {
		return g.Text
	}
	return g.Text + " (" + g.Instead + ")"
}

// Check reads which goals of the task are reached, all in one moment of the
// chain. It changes nothing, so it can be asked after every step. Before the
// question is answered there are no goals to be seen: they could tell the
// answer.
func (t *Task) Check(c chain.Viewer) (Check, error) {
	out := Check{Done: true}
	err := c.View(func(v *chain.View) error {
		state, err := v.HistoryState()
		if err != nil {
			return err
		}
		sent, tries, err := t.state.messagesInForce(v)
		if err != nil {
			return err
		}
		out.last = state.Last
		out.tries = tries
		for i := range t.Checks {
			g, err := t.goal(v, &t.Checks[i], sent)
			if err != nil {
				return err
			}
			out.Goals = append(out.Goals, g)
			out.Done = out.Done && g.Reached
		}
		return nil
	})
	if t.state.questionOpen {
		out.Goals, out.Done = nil, false
	}
	return out, err
}

// goal looks at one goal: something that must be so, or must have been tried.
func (t *Task) goal(v *chain.View, s *scenario.Step, sent []history.Node) (g Goal, err error) {
	g.Text, g.Instead = strings.Join(s.Hints, " "), wrongBlock(v.Clock, s.At)
	if isAttempt(s) {
		if g.Reached, err = t.state.attempted(v, s, sent); g.Reached {
			g.Instead = ""
		}
		return g, err
	}
	g.Text = cmp.Or(g.Text, s.Describe())
	if g.Instead != "" {
		return g, nil
	}
	miss, err := s.Check(v)
	if miss == nil {
		g.Reached = err == nil
		return g, err
	}
	if g.Instead, err = t.tooLate(v, sent); err == nil && g.Instead == "" {
		g.Instead, err = describeMismatch(v, s, miss)
	}
	return g, err
}

const undoGoesBack = "; undo goes back"

// wrongBlock says where the clock is when it should be in another block; "" when
// it is there.
func wrongBlock(c chain.Clock, at *scenario.At) string {
	var text string
	var past bool
	switch {
	case at == nil:
	case at.Height != nil && *at.Height != c.Height:
		text, past = "the clock is at height "+chain.Thousands(uint64(c.Height)), c.Height > *at.Height
	case at.Time != nil && *at.Time != c.Time:
		text, past = "the clock is at "+chain.UTC(c.Time), c.Time > *at.Time
	}
	if past {
		text += undoGoesBack
	}
	return text
}

// tooLate says that the clock has gone past an end that the task wants to be
// given, and that was not: the contract will refuse it, and only undo helps. It
// is "" as long as the end lies ahead.
func (t *Task) tooLate(v *chain.View, sent []history.Node) (string, error) {
	for i := range t.Solution {
		s := &t.Solution[i]
		if s.Kind != scenario.Execute || s.Expect != nil && s.Expect.Refused {
			continue
		}
		msg, err := v.DecodeExecute(s.Message)
		if err != nil {
			continue // it is not for here to find fault with the lesson
		}
		if e := expiresOf(msg); e != nil && *e != nil && (*e).Expired(v.Clock.Block()) {
			given, err := t.state.attempted(v, s, sent)
			if !given || err != nil {
				return "the clock is past " + chain.Expiry(**e) + undoGoesBack, err
			}
		}
	}
	return "", nil
}

// expiresOf is where a message says when what it grants expires, which must lie
// ahead; nil for a message that grants nothing.
func expiresOf(msg cw721.ExecuteMsg) **cw721.Expiration {
	switch m := msg.(type) {
	case *cw721.Approve:
		return &m.Expires
	case *cw721.ApproveAll:
		return &m.Expires
	}
	return nil
}

// taskState is what a session knows of the task in hand. It is a copy, so that
// [Task.Check] can run beside the session.
type taskState struct {
	questionOpen  bool       // the question waits for its answer
	startedAfter   history.ID // the youngest node when the task began
	queries [][]byte   // that the learner has asked
}

// isAttempt tells whether a step is something that the learner must try: it has
// a sender and a hint. A query is asked by nobody on a chain; with a sender it is
// one that the learner must ask.
func isAttempt(s *scenario.Step) bool {
	return s.Note == "" && s.As != "" && len(s.Hints) > 0
}

// messagesInForce lists the messages since the task began that are not undone, newest
// first. tries counts the undone ones too. It fails as the store does.
func (n taskState) messagesInForce(v *chain.View) (sent []history.Node, tries int, err error) {
	inForce := v.Head
	for node, err := range v.History(0) {
		if err != nil {
			return nil, 0, err
		}
		if node.ID <= n.startedAfter {
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

// attempted tells whether the learner has tried a step and has not undone it: the
// same sender and message, in the block that the step names, with the outcome that
// it expects. The message may hold more than the step's does. A query cannot be
// undone.
func (n taskState) attempted(v *chain.View, s *scenario.Step, sent []history.Node) (bool, error) {
	want := normalized(v, s.Kind, s.Message)
	if s.Kind == scenario.Query {
		return slices.ContainsFunc(n.queries, func(q []byte) bool {
			return scenario.ContainsJSON(normalized(v, s.Kind, q), want)
		}), nil
	}
	sender, err := v.Resolve(s.As)
	if err != nil {
		return false, err
	}
	refused := s.Expect != nil && s.Expect.Refused
	return slices.ContainsFunc(sent, func(node history.Node) bool {
		there := wrongBlock(chain.Clock{Height: node.Height, Time: node.Time}, s.At) == ""
		return there && node.Sender == sender && (node.Refusal != nil) == refused &&
			scenario.ContainsJSON(normalized(v, s.Kind, []byte(node.Message)), want)
	}), nil
}

// normalized gives a message as the contract would write it, with addresses in the
// place of names; one that cannot be read stays as it is.
func normalized(v *chain.View, kind scenario.Kind, raw []byte) []byte {
	if msg, err := kind.Decode(v.Contract(), raw, addressLookup(v)); err == nil {
		return cw721.Encode(msg)
	}
	return raw
}

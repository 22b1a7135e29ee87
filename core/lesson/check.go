package lesson

import (
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

// Viewer is what a check needs of a chain.
type Viewer interface {
	View(func(*chain.View) error) error
}

// Look looks which goals of the task are reached, all in one moment of the
// chain. It changes nothing, so it can be asked after every step. Before the
// question is answered there are no goals to be seen: they could tell the
// answer.
func (t *Task) Look(c Viewer) (Check, error) {
	out := Check{Done: true}
	err := c.View(func(v *chain.View) error {
		state, err := v.HistoryState()
		if err != nil {
			return err
		}
		sent, err := t.now.sent(v)
		if err != nil {
			return err
		}
		out.last, out.tries = state.Last, len(sent)
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
	if t.now.asking {
		out.Goals, out.Done = nil, false
	}
	return out, err
}

// goal looks at one goal: something that must be so, or must have been tried.
func (t *Task) goal(v *chain.View, s *scenario.Step, sent []history.Node) (g Goal, err error) {
	g.Text, g.Instead = strings.Join(s.Hints, " "), elsewhere(v.Clock, s.At)
	if isAttempt(s) {
		if g.Reached, err = t.now.attempted(v, s, sent); g.Reached {
			g.Instead = ""
		}
		return g, err
	}
	if g.Text == "" {
		g.Text = s.Doing()
	}
	if g.Instead != "" {
		return g, nil
	}
	miss, err := s.Look(v)
	if miss == nil {
		g.Reached = err == nil
		return g, err
	}
	if g.Instead, err = t.tooLate(v, sent); err == nil && g.Instead == "" {
		g.Instead, err = instead(v, s, miss)
	}
	return g, err
}

const undoGoesBack = "; undo goes back"

// elsewhere says where the clock is when it should be in another block; "" when
// it is there.
func elsewhere(c chain.Clock, at *scenario.At) string {
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
			given, err := t.now.attempted(v, s, sent)
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

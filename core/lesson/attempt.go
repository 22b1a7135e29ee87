package lesson

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
)

// sitting is what a session knows of the task in hand. It is a copy, so that
// [Task.Look] can run beside the session.
type sitting struct {
	asking  bool       // the question waits for its answer
	since   history.ID // the youngest node when the task began
	queries [][]byte   // that the learner has asked
}

// isAttempt tells whether a step is something that the learner must try: it has
// a sender and a hint. A query is asked by nobody on a chain; with a sender it is
// one that the learner must ask.
func isAttempt(s *scenario.Step) bool {
	return s.Note == "" && s.As != "" && len(s.Hints) > 0
}

// sent lists the messages that were sent since the task began, undone ones too.
func (n sitting) sent(v *chain.View) (sent []history.Node, err error) {
	for node, err := range v.History(0) {
		if err != nil {
			return nil, err
		}
		if node.ID <= n.since {
			break
		}
		if node.Kind == history.KindExecute {
			sent = append(sent, node)
		}
	}
	return sent, nil
}

// attempted tells whether the learner has tried a step: the same sender and
// message, in the block that the step names, with the outcome that it expects.
// The message may hold more than the step's does.
func (n sitting) attempted(v *chain.View, s *scenario.Step, sent []history.Node) (bool, error) {
	want := plain(v, s.Kind, s.Message)
	if s.Kind == scenario.Query {
		return slices.ContainsFunc(n.queries, func(q []byte) bool {
			return scenario.Holds(plain(v, s.Kind, q), want)
		}), nil
	}
	sender, err := v.Resolve(s.As)
	if err != nil {
		return false, err
	}
	refused := s.Expect != nil && s.Expect.Refused
	return slices.ContainsFunc(sent, func(node history.Node) bool {
		there := elsewhere(chain.Clock{Height: node.Height, Time: node.Time}, s.At) == ""
		return there && node.Sender == sender && (node.Refusal != nil) == refused &&
			scenario.Holds(plain(v, s.Kind, []byte(node.Message)), want)
	}), nil
}

// plain gives a message as the contract would write it, with addresses in the
// place of names; one that cannot be read stays as it is.
func plain(v *chain.View, kind scenario.Kind, raw []byte) []byte {
	if msg, err := kind.Decode(v.Contract(), raw, names(v)); err == nil {
		return cw721.Encode(msg)
	}
	return raw
}

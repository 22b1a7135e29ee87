package reach

import (
	"bytes"
	"errors"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// node is a state with the way to it.
type node struct {
	parent *node
	hit    // that led here; none leads to the first state
	state  state
	// before is the earliest moment at which the state had been reached already:
	// what can be done from then on was tried.
	before int
}

// hit is a message that the contract carries out at a moment.
type hit struct {
	*sent
	at int
}

// expansion is one state with what it leads to.
type expansion struct {
	*search
	node  *node
	trial *trial
	owner cw721.Address // of the token

	done []hit // acts
	next []*node
	err  error
}

// expand tries the act and all messages on the state, at every moment from the
// one at which it was reached to the one at which it had been reached before.
func (x *expansion) expand() error {
	if err := x.begin(); err != nil {
		return err
	}
	did := map[*sent]bool{}
	reached := map[string]bool{}
	deepest := x.answer.Depth+1 == x.Depth
	for at := x.node.at; at < x.node.before; at++ {
		for i := range x.acts {
			act := &x.acts[i]
			if at < x.first || did[act] && x.grant == nil {
				continue
			}
			ok, err := x.try(hit{act, at})
			if err != nil {
				return err
			}
			if ok {
				did[act] = true
				x.done = append(x.done, hit{act, at})
			}
		}
		for i := range x.messages {
			m := &x.messages[i]
			if m.waits && m.by != x.owner || deepest && x.more.Load() {
				continue // beyond the last depth it is enough to know that there is more
			}
			ok, err := x.try(hit{m, at})
			if err != nil {
				return err
			}
			if ok {
				if err := x.reach(hit{m, at}, reached, deepest); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// begin asks the contract whose token it is: the decision about the act says it.
func (x *expansion) begin() (err error) {
	if x.trial, err = newTrial(&x.base, x.node.state); err != nil || !x.about.token {
		return err
	}
	d, err := x.decide(x.trial, hit{&sent{by: x.answer.Anyone, msg: x.act(x.answer.Anyone, x.receiver)}, x.node.at})
	if err == nil {
		x.owner = *d.Owner
	}
	return err
}

func (s *search) env(at int) cw721.Env { return cw721.Env{Block: s.moments[at].Block, Self: s.self} }

func (s *search) decide(r kv.Reader, h hit) (*cw721.Decision, error) {
	return s.contract.Decide(r, s.env(h.at), cw721.Info{Sender: h.by}, h.msg)
}

// try runs a message on the state; ok is false where it is refused.
func (x *expansion) try(h hit) (ok bool, err error) {
	if x.stop.Load() {
		return false, errStopped
	}
	if x.trial.wrote {
		if x.trial, err = newTrial(&x.base, x.node.state); err != nil {
			return false, err
		}
	}
	x.tried.Add(1)
	_, err = x.contract.Run(x.trial, x.env(h.at), cw721.Info{Sender: h.by}, h.msg)
	if cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError)) {
		return false, nil
	}
	return err == nil, err
}

// reach takes up the state that a message has led to, where it is new or
// reached earlier than before.
func (x *expansion) reach(h hit, reached map[string]bool, deepest bool) error {
	s, err := x.trial.state(&x.records)
	if err != nil {
		return err
	}
	name := x.name(s, h.at)
	if before, seen := x.visited[name]; reached[name] || seen && before <= h.at {
		return nil
	}
	reached[name] = true
	if deepest {
		x.more.Store(true)
		return nil
	}
	x.next = append(x.next, &node{parent: x.node, hit: h, state: s})
	return nil
}

// found takes up an act on a state, unless a shorter way does it with some of
// the same messages. A compiled contract has the last word.
func (s *search) found(n *node, h hit) error {
	s.last = max(s.last, h.at)
	if s.grant != nil || s.enough() {
		return nil
	}
	way, err := s.way(n, h)
	holds := func(shorter []Step) bool { return within(shorter, way) }
	if err != nil || slices.ContainsFunc(s.answer.Ways, holds) || slices.ContainsFunc(s.answer.Refused, holds) {
		return err
	}
	if s.compiled {
		all := make([]chain.Sent, len(way))
		for i, step := range way {
			all[i] = chain.Sent{Block: step.Block, Sender: step.As, Message: cw721.Encode(step.Message)}
		}
		carried, refusal, err := s.view.Rehearse(all)
		if err != nil {
			return err
		}
		if refusal != nil {
			s.answer.Refused = append(s.answer.Refused, way[:carried+1])
			s.answer.Refusals = append(s.answer.Refusals, refusal)
			if len(s.answer.Refused) == MaxRefused {
				return errOther
			}
			return nil
		}
	}
	s.answer.Ways = append(s.answer.Ways, way)
	return nil
}

// way goes the way again and asks at each step which rule lets it pass.
func (s *search) way(n *node, h hit) (steps []Step, err error) {
	if n.parent != nil {
		if steps, err = s.way(n.parent, n.hit); err != nil {
			return nil, err
		}
	}
	t, err := newTrial(&s.base, n.state)
	if err != nil {
		return nil, err
	}
	d, err := s.decide(t, h)
	if err != nil {
		return nil, err
	}
	return append(steps, Step{Block: s.moments[h.at].Block, As: h.by, Message: h.msg, Decision: d}), nil
}

// within tells whether a way holds all messages of a shorter one, in its order.
func within(shorter, way []Step) bool {
	i := 0
	for _, s := range way {
		if i < len(shorter) && s.As == shorter[i].As && bytes.Equal(cw721.Encode(s.Message), cw721.Encode(shorter[i].Message)) {
			i++
		}
	}
	return i == len(shorter)
}

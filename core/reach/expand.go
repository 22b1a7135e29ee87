package reach

import (
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// found is what one state leads to.
type found struct {
	acts []hit
	next []*node
	err  error
}

// hit is an act that the contract carries out at a moment.
type hit struct {
	act *sent
	at  int
}

// expand tries the act and all messages on a state, at every moment from the
// one at which it was reached to the one at which it had been reached before.
func (s *search) expand(n *node) (f found) {
	x := &expansion{search: s, node: n}
	if f.err = x.begin(); f.err != nil {
		return f
	}
	reached := map[string]bool{}
	for at := n.at; at < n.before; at++ {
		if at >= s.first {
			if f.err = x.act(at, &f); f.err != nil {
				return f
			}
		}
		if s.answer.Depth+1 == s.Depth && s.more.Load() {
			continue // there is more, and what it is does not matter any more
		}
		for i := range s.messages {
			m := &s.messages[i]
			if m.waits && m.by != x.owner {
				continue
			}
			ok, err := x.try(m, at)
			if err == nil && ok {
				err = x.reach(m, at, reached, &f)
			}
			if err != nil {
				f.err = err
				return f
			}
		}
	}
	return f
}

// expansion is the work on one state.
type expansion struct {
	*search
	node  *node
	owner cw721.Address // of the token
	trial *trial
}

// begin asks the contract whose token it is, with the question that is asked
// anyway.
func (x *expansion) begin() (err error) {
	if x.trial, err = newTrial(x.base, x.node.state); err != nil || !x.about.token {
		return err
	}
	act := x.search.Question.act(x.answer.Anyone, x.contractAddress)
	d, err := x.decide(x.trial, sent{by: x.answer.Anyone, msg: act}, x.node.at)
	if d != nil && d.Owner != nil {
		x.owner = *d.Owner
	}
	if cw721.AsError(err) != nil {
		return nil // there is no such token any more
	}
	return err
}

func (s *search) decide(r kv.Reader, m sent, at int) (*cw721.Decision, error) {
	return s.contract.Decide(r, cw721.Env{Block: s.moments[at].Block, Self: s.self}, cw721.Info{Sender: m.by}, m.msg)
}

// act tries the act by everybody who has not been found able to do it on this
// state.
func (x *expansion) act(at int, f *found) error {
	for i := range x.acts {
		act := &x.acts[i]
		if x.grant == nil && f.has(act) {
			continue
		}
		ok, err := x.try(act, at)
		if err != nil {
			return err
		}
		if ok {
			f.acts = append(f.acts, hit{act, at})
		}
	}
	return nil
}

func (f *found) has(act *sent) bool {
	for _, h := range f.acts {
		if h.act == act {
			return true
		}
	}
	return false
}

// try runs a message on the state; ok is false where it is refused.
func (x *expansion) try(m *sent, at int) (ok bool, err error) {
	if x.stop.Load() {
		return false, errStopped
	}
	if x.trial.wrote {
		if x.trial, err = newTrial(x.base, x.node.state); err != nil {
			return false, err
		}
	}
	x.tried.Add(1)
	_, err = x.contract.Run(x.trial, cw721.Env{Block: x.moments[at].Block, Self: x.self}, cw721.Info{Sender: m.by}, m.msg)
	if err == nil {
		return true, nil
	}
	if cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError)) {
		return false, nil
	}
	return false, err
}

// reach takes up the state that a message has led to, where it is new or
// reached earlier than before.
func (x *expansion) reach(m *sent, at int, reached map[string]bool, f *found) error {
	s, err := x.trial.state(&x.records)
	if err != nil {
		return err
	}
	name := x.name(s, at)
	if before, seen := x.visited[name]; reached[name] || seen && before <= at {
		return nil
	}
	reached[name] = true
	if x.answer.Depth+1 == x.Depth {
		x.more.Store(true)
		return nil
	}
	f.next = append(f.next, &node{parent: x.node, by: m, at: at, state: s})
	return nil
}

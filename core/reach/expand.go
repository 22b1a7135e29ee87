package reach

import (
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// expansion is one state with what it leads to.
type expansion struct {
	*search
	node   *node
	tried  int   // messages
	done   []hit // acts
	next   []*node
	err    error
	broken any // what it has panicked with
}

// expand tries all messages on the state, at every moment from the one at which
// it was reached to the one at which it had been reached before.
func (x *expansion) expand() error {
	defer func() { x.broken = recover() }()
	state := x.node.state
	x.node.state = nil // it takes the most memory
	act := sent{by: x.answer.Anyone, msg: x.act(x.answer.Anyone, x.receiver)}
	d, err := x.decide(state, hit{&act, x.node.at}) // it says whose token it is
	if err != nil {
		return err
	}
	for at := x.node.at; at < x.node.before; at++ {
		for i := range x.messages {
			m := hit{&x.messages[i], at}
			if m.act && at < x.first || m.waits && m.by != *d.Owner || !m.act && x.more.Load() {
				continue // beyond the last depth it is enough to know that there is more
			}
			x.tried++
			to := state.Copy()
			ok, err := x.send(to, m)
			switch {
			case err != nil:
				return err
			case ok && m.act:
				x.done = append(x.done, m)
			case ok:
				n := &node{parent: x.node, hit: m, state: to}
				if n.digest, err = x.digest(to, at); err != nil {
					return err
				}
				if before, seen := x.visited[n.digest]; !seen || at < before {
					x.more.Store(x.answer.Depth+1 == x.Depth)
					x.next = append(x.next, n)
				}
			}
		}
	}
	return nil
}

// send runs a message on a state; ok is false where it is refused.
func (s *search) send(state *kv.Overlay, h hit) (ok bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	_, err = s.contract.Run(state, s.env(h.at), cw721.Info{Sender: h.by}, h.msg)
	if cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError)) {
		return false, nil
	}
	return err == nil, err
}

func (s *search) decide(r kv.Reader, h hit) (*cw721.Decision, error) {
	return s.contract.Decide(r, s.env(h.at), cw721.Info{Sender: h.by}, h.msg)
}

func (s *search) env(at int) cw721.Env {
	return cw721.Env{Block: s.moments[at].Block, Self: s.view.Self}
}

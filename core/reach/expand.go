package reach

import (
	"errors"
	"runtime"
	"sync"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// expansion is what a state leads to.
type expansion struct {
	next   []*node // acts among them
	err    error
	broken any // what it has panicked with
}

// expandAll searches states in parallel.
func (s *search) expandAll(part []*node) []expansion {
	all, workers := make([]expansion, len(part)), runtime.GOMAXPROCS(0)
	var group sync.WaitGroup
	for first := range workers {
		group.Go(func() {
			for i := first; i < len(part); i += workers {
				all[i].expand(s, part[i])
			}
		})
	}
	group.Wait()
	return all
}

// expand tries all messages on a state, at every moment from the one at which it
// was reached. Beyond the last depth it is enough to know that there is more.
func (x *expansion) expand(s *search, n *node) {
	defer func() { x.broken = recover() }()
	var d *cw721.Decision // it says whose token it is
	if d, x.err = s.contract.Decide(n.state, s.env(n.at), s.messages[0].Info, s.messages[0].msg); x.err != nil {
		return
	}
	more := false
	for at := n.at; at < len(s.moments); at++ {
		for i := range s.messages {
			m := &s.messages[i]
			if m.act && at < s.first || m.waits && m.Sender != *d.Owner || !m.act && more && s.answer.Depth+1 == s.Depth {
				continue
			}
			to := &node{parent: n, sent: m, at: at, state: n.state.Copy()}
			ok, err := s.send(to)
			if err == nil && ok && !m.act {
				to.digest, err = digestOf(to.state)
				ok = s.isNew(to)
				more = more || ok
			}
			if x.err = err; err != nil {
				return
			}
			if ok {
				x.next = append(x.next, to)
			}
		}
	}
	n.state = nil // it takes the most memory
}

// send runs the message of a node on its state; ok is false where it is refused.
func (s *search) send(n *node) (ok bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	_, err = s.contract.Run(n.state, s.env(n.at), n.Info, n.msg)
	if cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError)) {
		return false, nil
	}
	return err == nil, err
}

func (s *search) env(at int) cw721.Env {
	return cw721.Env{Block: s.moments[at], Self: s.view.Self}
}

// isNew tells whether a state was not reached yet, or only later.
func (s *search) isNew(n *node) bool {
	before, seen := s.visited[n.digest]
	return !seen || n.at < before
}

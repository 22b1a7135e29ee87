package reach

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// sent is a message with who sends it.
type sent struct {
	cw721.Info
	msg cw721.ExecuteMsg
	act bool // what the question asks about
	// waits tells that it can be sent at any time, and that it is of no use
	// before its sender owns the token.
	waits bool
}

// node is a state, by the way to it.
type node struct {
	parent *node
	*sent  // what led here; nothing leads to the first state
	at     int
	state  *kv.Overlay // until all messages were tried on it
	digest digest
}

// path lists what leads to the state.
func (n *node) path() (way []*node) {
	for ; n.parent != nil; n = n.parent {
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}

// digest tells a state from all others: a hash of all that is different in it from
// the view.
type digest = [sha256.Size]byte

func digestOf(state *kv.Overlay) (digest, error) {
	changes, err := state.Changes()
	var all []byte
	for _, c := range changes {
		size := len(c.New)
		if c.New == nil {
			size = -1
		}
		all = append(binary.AppendVarint(kv.AppendPart(all, c.Key), int64(size)), c.New...)
	}
	return sha256.Sum256(all), err
}

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
			leads, err := s.send(to)
			if x.err = err; err != nil {
				return
			}
			if leads {
				x.next = append(x.next, to)
				more = more || !m.act
			}
		}
	}
	n.state = nil // it takes the most memory
}

// send runs the message of a node on its state. It tells whether that does what is
// asked about, or leads to a state that is new.
func (s *search) send(n *node) (leads bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	_, err = s.contract.RunExecute(n.state, s.env(n.at), n.Info, n.msg)
	if cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError)) {
		return false, nil // it is refused
	}
	if err != nil || n.act {
		return true, err
	}
	n.digest, err = digestOf(n.state)
	return s.isNew(n), err
}

func (s *search) env(at int) cw721.Env {
	return cw721.Env{Block: s.moments[at], Self: s.view.Self}
}

// isNew tells whether a state was not reached yet, or only later.
func (s *search) isNew(n *node) bool {
	before, seen := s.visited[n.digest]
	return !seen || n.at < before
}

// base is a view, which serves one goroutine, for many: it reads each record
// once and keeps it.
type base struct {
	mu   sync.RWMutex
	view kv.Reader
	seen map[string]record
}

type record struct {
	value []byte
	ok    bool
}

// Get gives what the view has.
func (b *base) Get(key []byte) ([]byte, bool, error) {
	b.mu.RLock()
	r, known := b.seen[string(key)]
	b.mu.RUnlock()
	if known {
		return r.value, r.ok, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	value, ok, err := b.view.Get(key)
	if err == nil {
		b.seen[string(key)] = record{value, ok}
	}
	return value, ok, err
}

// Scan walks the view while all others wait. Whoever walks must not read
// meanwhile: the walks that messages make, over the attributes of the collection
// and the additional minters, do not.
func (b *base) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.view.Scan(r)(yield)
	}
}

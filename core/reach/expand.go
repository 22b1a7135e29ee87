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

// sent is a message that the search tries, with its sender.
type sent struct {
	cw721.Info
	msg cw721.ExecuteMsg
	act bool // whether the message does what the question is about
	// onlyForOwner is set for a message that can be sent at any time, but helps only while its
	// sender owns the token.
	onlyForOwner bool
}

// node is a state of the contract and the message that led to it.
type node struct {
	parent *node
	*sent              // nil in the first state
	at     int         // the index in search.moments of the block of the message
	state  *kv.Overlay // nil once all messages were tried on the state
	digest digest
}

// path returns the nodes from the first message to this one. The first state is left
// out.
func (n *node) path() (way []*node) {
	for ; n.parent != nil; n = n.parent {
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}

// digest identifies a state: it is a hash of the changes from the view to the state.
type digest = [sha256.Size]byte

// digestOf computes the digest of a state.
func digestOf(state *kv.Overlay) (digest, error) {
	const deleted = -1 // in place of the size of a record
	changes, err := state.Changes()
	var encoded []byte
	for _, change := range changes {
		size := int64(len(change.New))
		if change.New == nil {
			size = deleted
		}
		encoded = kv.AppendPart(encoded, change.Key)
		encoded = binary.AppendVarint(encoded, size)
		encoded = append(encoded, change.New...)
	}
	return sha256.Sum256(encoded), err
}

// expansion is the outcome of trying all messages on one state.
type expansion struct {
	next       []*node // the new states, and those after an act
	err        error
	panicValue any // the value of a panic during the expansion; nil if there was none
}

// expandAll expands states in parallel. The results have the order of the states.
func (s *search) expandAll(states []*node) []expansion {
	results := make([]expansion, len(states))
	workers := runtime.GOMAXPROCS(0)
	var group sync.WaitGroup
	for first := range workers {
		group.Go(func() {
			for i := first; i < len(states); i += workers {
				results[i].expand(s, states[i])
			}
		})
	}
	group.Wait()
	return results
}

// expand tries all messages on a state, from the moment at which it was reached to the
// last one, and drops the state. At the last depth it stops trying helpful messages
// after the first new state, which shows that the search is not complete.
func (x *expansion) expand(s *search, n *node) {
	defer func() { x.panicValue = recover() }()
	first := s.messages[0]
	decision, err := s.Code.Decide(n.state, s.env(n.at), first.Info, first.msg)
	if err != nil {
		x.err = err
		return
	}

	isLastDepth := s.answer.Depth+1 == s.Depth
	hasNewState := false
	for at := n.at; at < len(s.moments); at++ {
		for i := range s.messages {
			message := &s.messages[i]
			isTooEarly := message.act && at < s.first
			isUseless := message.onlyForOwner && message.Sender != *decision.Owner
			isBeyondDepth := !message.act && hasNewState && isLastDepth
			if isTooEarly || isUseless || isBeyondDepth {
				continue
			}

			next := &node{parent: n, sent: message, at: at, state: n.state.Copy()}
			counts, err := s.send(next)
			if err != nil {
				x.err = err
				return
			}
			if counts {
				x.next = append(x.next, next)
				hasNewState = hasNewState || !message.act
			}
		}
	}
	n.state = nil // it takes the most memory
}

// send runs the message of a node on its state. It reports whether the message was
// carried out and either is an act or leads to a new state. A refusal is no error.
func (s *search) send(n *node) (counts bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	_, err = s.Code.RunExecute(n.state, s.env(n.at), n.Info, n.msg)
	isRefused := cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError))
	switch {
	case isRefused:
		return false, nil
	case err != nil:
		return false, err
	case n.act:
		return true, nil
	}
	n.digest, err = digestOf(n.state)
	return s.isNew(n), err
}

// env returns the environment of a message at the moment with an index.
func (s *search) env(at int) cw721.Env {
	return cw721.Env{Block: s.moments[at], Self: s.view.Self}
}

// isNew reports whether a state was not reached before, or only at a later moment.
func (s *search) isNew(n *node) bool {
	earliest, isVisited := s.visited[n.digest]
	return !isVisited || n.at < earliest
}

// cachedView lets several goroutines read a view, which only one goroutine may use at a
// time. It reads each record once and then answers from memory.
type cachedView struct {
	mu      sync.RWMutex // guards the others
	view    kv.Reader
	records map[string]record
}

// record is the result of reading a key. ok is false if no record has the key.
type record struct {
	value []byte
	ok    bool
}

// Get returns the record of the view.
func (b *cachedView) Get(key []byte) ([]byte, bool, error) {
	b.mu.RLock()
	r, known := b.records[string(key)]
	b.mu.RUnlock()
	if known {
		return r.value, r.ok, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	value, ok, err := b.view.Get(key)
	if err == nil {
		b.records[string(key)] = record{value, ok}
	}
	return value, ok, err
}

// Scan scans the view while all other readers wait. The loop over its result must not
// call Get, which would wait forever. The scans of the contract, over the attributes of
// the collection and the additional minters, don't.
func (b *cachedView) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.view.Scan(r)(yield)
	}
}

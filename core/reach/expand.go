package reach

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// sentMessage is a message that the search tries, with its sender.
type sentMessage struct {
	cw721.Info
	msg   cw721.ExecuteMsg
	isAct bool // whether the message does what the question is about
	// onlyForOwner is set for a message that can be sent at any time, but helps only while its
	// sender owns the token.
	onlyForOwner bool
}

// node is a state of the contract that the search reached, and the message that led to it
// from the parent's state.
type node struct {
	parent       *node
	*sentMessage             // nil in the first state
	moment       int         // the index in search.moments of the block of the message
	state        *kv.Overlay // nil once all messages were tried on the state
	digest       digest
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

// digest identifies a state of the contract: it is a hash of how the state's records differ
// from those of the view.
type digest = [sha256.Size]byte

// digestOf computes the digest of a state.
func digestOf(state *kv.Overlay) (digest, error) {
	const deleted = -1 // the size that is encoded for a deleted record
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

// expand tries all messages on a state, in each block from the one in which the state was
// reached. It adds the ways that it finds to the answer, returns the new states, and drops the
// state itself. At the last depth, one new state is enough to show that the search is not
// complete, so expand then tries only acts, the messages that the question asks about.
func (s *search) expand(n *node) (newStates []*node, err error) {
	first := s.messages[0]
	decision, err := s.Code.Decide(n.state, s.env(n.moment), first.Info, first.msg)
	if err != nil {
		return nil, err
	}

	isLastDepth := s.answer.Depth+1 == s.Depth
	for moment := n.moment; moment < len(s.moments); moment++ {
		for i := range s.messages {
			message := &s.messages[i]

			// Who is given the token early still owns it later, as nobody takes it away.
			countsEarly := s.isAboutOwning() && !s.Unmoved
			isTooEarly := message.isAct && moment < s.firstMoment && !countsEarly
			isUseless := message.onlyForOwner && message.Sender != *decision.Owner
			isBeyondDepth := !message.isAct && len(newStates) > 0 && isLastDepth
			if isTooEarly || isUseless || isBeyondDepth {
				continue
			}

			next := &node{parent: n, sentMessage: message, moment: moment, state: n.state.Copy()}
			isExecuted, err := s.send(next)
			if err != nil {
				return nil, err
			}
			switch {
			case !isExecuted:
			case message.isAct:
				err = s.addWay(next.path())
			case s.isNew(next):
				s.visited[next.digest] = moment
				newStates = append(newStates, next)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	n.state = nil // it takes the most memory
	return newStates, nil
}

// send runs the message of a node on its state, and computes the digest of the state that it
// leads to. isExecuted is false if the contract refuses the message, which is no error.
func (s *search) send(n *node) (isExecuted bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	_, err = s.Code.RunExecute(n.state, s.env(n.moment), n.Info, n.msg)
	isRefused := cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError))
	if isRefused {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n.digest, err = digestOf(n.state)
	return true, err
}

// env returns the environment of a message that is sent in the block s.moments[moment].
func (s *search) env(moment int) cw721.Env {
	return cw721.Env{Block: s.moments[moment], Self: s.view.Self}
}

// isNew reports whether a state was not reached before, or only at a later moment.
func (s *search) isNew(n *node) bool {
	earliest, isVisited := s.visited[n.digest]
	return !isVisited || n.moment < earliest
}

// cachedView is the storage of a view. It reads each record once and then answers from memory.
type cachedView struct {
	kv.Reader
	records map[string]record
}

// record is the result of reading a key. ok is false if no record has the key.
type record struct {
	value []byte
	ok    bool
}

// newCachedView returns the storage of a view without any record in memory.
func newCachedView(v *chain.View) *cachedView {
	return &cachedView{Reader: v.Storage(), records: map[string]record{}}
}

// Get returns the value under a key. ok is false if no record has the key.
func (c *cachedView) Get(key []byte) (value []byte, ok bool, err error) {
	known, isKnown := c.records[string(key)]
	if isKnown {
		return known.value, known.ok, nil
	}
	value, ok, err = c.Reader.Get(key)
	if err == nil {
		c.records[string(key)] = record{value: value, ok: ok}
	}
	return value, ok, err
}

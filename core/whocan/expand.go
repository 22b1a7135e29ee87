package whocan

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// sentMessage is a message that the search tries.
type sentMessage struct {
	cw721.Info // names the sender
	msg        cw721.ExecuteMsg
	isAct      bool
}

// node is one state of the contract that the search has reached.
type node struct {
	parent       *node       // the state in which the message was sent; nil for the first state
	*sentMessage             // that was sent in the parent's state; nil for the first state
	momentIndex  int         // the index in search.moments of the block of the message
	state        *kv.Overlay // the records after the message; nil when they are not needed any more
	digest       digest      // identifies state
}

// path returns the nodes whose messages lead to n.
func (n *node) path() (way []*node) {
	for ; n.parent != nil; n = n.parent {
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}

// digest is a hash of all records that differ from those of the view.
type digest = [sha256.Size]byte

func digestOf(state *kv.Overlay) (digest, error) {
	const deletedSize = -1 // the size that is encoded for a deleted record
	changes, err := state.Changes()
	if err != nil {
		return digest{}, err
	}
	var encoded []byte
	for _, change := range changes {
		size := int64(len(change.NewValue))
		if change.NewValue == nil {
			size = deletedSize
		}
		encoded = kv.AppendPart(encoded, change.Key)
		encoded = binary.AppendVarint(encoded, size)
		encoded = append(encoded, change.NewValue...)
	}
	return sha256.Sum256(encoded), nil
}

// expand tries all messages on a state, in the block in which it was reached and in each later
// moment, and returns the new states to which they lead, or to which they lead earlier. It adds
// the ways to the answer, and frees the state.
//
// New states that need as many messages as the question allows are not searched any further. A
// single one is enough to show that the search is not complete. So after finding one, expand
// tries only acts.
func (s *search) expand(n *node) (newStates []*node, err error) {
	// The first message is an act, so the decision about it names the owner of the token.
	firstMessage := s.messages[0]
	decision, err := s.Code.Decide(n.state, s.env(n.momentIndex), firstMessage.Info, firstMessage.msg)
	if err != nil {
		return nil, err
	}

	isLastDepth := s.answer.Depth+1 == s.Depth
	for momentIndex := n.momentIndex; momentIndex < len(s.moments); momentIndex++ {
		for i := range s.messages {
			message := &s.messages[i]

			// The contract accepts an operator grant from everybody, but only the owner's helps.
			_, isOperatorGrant := message.msg.(*cw721.ApproveAll)
			isUseless := isOperatorGrant && message.Sender != *decision.Owner
			isBeyondDepth := !message.isAct && len(newStates) > 0 && isLastDepth
			if s.isTooEarly(message, momentIndex) || isUseless || isBeyondDepth {
				continue
			}

			reached := &node{
				parent:      n,
				sentMessage: message,
				momentIndex: momentIndex,
				state:       n.state.Copy(),
			}
			isExecuted, err := s.send(reached)
			if err != nil {
				return nil, err
			}
			if !isExecuted {
				continue
			}

			// An act completes a way. Another message leads to a state from which to go on, unless
			// it was reached before. From an earlier block more can be done.
			if message.isAct {
				if err := s.addWay(reached.path()); err != nil {
					return nil, err
				}
				continue
			}
			earliest, isVisited := s.earliestMoments[reached.digest]
			if !isVisited || momentIndex < earliest {
				s.earliestMoments[reached.digest] = momentIndex
				newStates = append(newStates, reached)
			}
		}
	}
	n.state = nil // free the memory: the records are not needed any more
	return newStates, nil
}

// isTooEarly reports whether an act does not count yet in a moment. An account that is given the
// token early still owns it later, unless the token must stay unmoved.
func (s *search) isTooEarly(message *sentMessage, momentIndex int) bool {
	countsEarly := s.isAboutOwning() && !s.TokenMustStay
	return message.isAct && momentIndex < s.firstMomentIndex && !countsEarly
}

// send runs the message of a node on its state. isExecuted is false if the contract refuses the
// message, or if its changes would be too large.
func (s *search) send(n *node) (isExecuted bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	_, err = s.Code.RunExecute(n.state, s.env(n.momentIndex), n.Info, n.msg)
	if cw721.AsError(err) != nil || errors.As(err, new(*kv.LimitError)) { // it is refused
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n.digest, err = digestOf(n.state)
	return true, err
}

func (s *search) env(momentIndex int) cw721.Env {
	return cw721.Env{Block: s.moments[momentIndex], Self: s.view.Self}
}

// cachedView reads the storage of a view, and asks it only once for each key.
type cachedView struct {
	kv.Reader                   // the storage of the view
	records   map[string]record // the results so far, by key
}

type record struct {
	value []byte
	ok    bool // false if the storage has no record with the key
}

func newCachedView(view *chain.View) *cachedView {
	return &cachedView{Reader: view.Storage(), records: map[string]record{}}
}

func (c *cachedView) Get(key []byte) (value []byte, ok bool, err error) {
	knownRecord, isKnown := c.records[string(key)]
	if isKnown {
		return knownRecord.value, knownRecord.ok, nil
	}
	value, ok, err = c.Reader.Get(key)
	if err == nil {
		c.records[string(key)] = record{value: value, ok: ok}
	}
	return value, ok, err
}

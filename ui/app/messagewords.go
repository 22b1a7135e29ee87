package app

import (
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// Words describes messages to a contract in short phrases, such as "transfer ape-0001 →
// bob". Commands can use it on any goroutine, because it does not use the [State].
type Words struct {
	Contract cw721.Contract
	Call     func(cw721.Address) string // returns the name of an account
}

// Words returns the words for messages to the contract of the facts.
func (f Facts) Words() Words {
	return Words{Contract: f.Config.Contract(), Call: f.DisplayName}
}

// Node describes a node of the history, which is one message or one move of the clock,
// in a short phrase; see [explain.DescribeNode].
func (w Words) Node(n history.Node) string { return explain.DescribeNode(w.Contract, n, w.Call) }

// Subject returns the token that an execute message is about, and the account whose
// grant it gives or revokes. Both are empty if the message does not decode.
func (w Words) Subject(raw []byte) Subject {
	msg, _, err := w.Contract.DecodeExecute(raw, nil)
	if err != nil {
		return Subject{}
	}
	subject := cw721.SubjectOf(msg)
	return Subject{Token: subject.TokenID, Account: subject.Spender}
}

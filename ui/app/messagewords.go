package app

import (
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// Words turns messages into short phrases. It holds what it needs, so that a
// command can use it.
type Words struct {
	Contract cw721.Contract
	Call     func(cw721.Address) string
}

// Words captures what the phrases need of the state.
func (f Facts) Words() Words {
	return Words{f.Config.Contract(), f.DisplayName}
}

// Node describes a node of the history; see [explain.DescribeNode].
func (w Words) Node(n history.Node) string { return explain.DescribeNode(w.Contract, n, w.Call) }

// About returns the token that an execute message is about, and the account whose
// grant it gives or revokes. Both are empty if the message does not decode.
func (w Words) About(raw []byte) Subject {
	msg, _, err := w.Contract.DecodeExecute(raw, nil)
	if err != nil {
		return Subject{}
	}
	subject := cw721.SubjectOf(msg)
	return Subject{Token: subject.TokenID, Account: subject.Spender}
}

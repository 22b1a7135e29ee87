package chain

import (
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Receipt is the outcome of a message to the contract, which was executed or refused.
type Receipt struct {
	Block          cw721.Block // in which the message was executed
	Sender         cw721.Address
	Message        []byte                // as sent, with addresses in place of "$names"
	IgnoredMembers []cw721.IgnoredMember // those that the contract does not know
	Response       cw721.Response        // empty for a refused message
	// Decision is the decision of the built-in contract whether the sender may do this. It is
	// nil if the contract refused the message before, or if a compiled contract runs.
	Decision   *cw721.Decision
	Refusal    *cw721.Error // why the message was refused; nil if it was executed
	Changes    []kv.Change  // of the contract's records, with the keys that the contract uses
	Node       history.ID   // of the message; 0 if it is not in the history, as in a preview
	Revision   uint64       // of the chain after the message; 0 if Node is 0
	LogLines   []string     // the first lines that a compiled contract logged
	Difference *Difference  // nil if both contracts do the same, or are not compared
}

// withoutNode returns the receipt of a message that is not in the history.
func (r Receipt) withoutNode() Receipt {
	r.Node = 0
	r.Revision = 0
	return r
}

// Err returns the refusal as an error. It returns a plain nil if there is none, because an
// error with a nil [*cw721.Error] in it would not be equal to nil.
func (r Receipt) Err() error {
	if r.Refusal == nil {
		return nil
	}
	return r.Refusal
}

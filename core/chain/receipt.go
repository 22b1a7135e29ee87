package chain

import (
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Receipt is the outcome of a message to the contract, which was executed or refused.
type Receipt struct {
	Block   cw721.Block // the block in which the message was executed
	Sender  cw721.Address
	Message []byte // the message as sent, with addresses in place of "$names"
	// IgnoredMembers are the members of the message that the contract does not know and
	// ignored.
	IgnoredMembers []cw721.IgnoredMember
	Response       cw721.Response // the contract's response; empty for a refused message
	// Decision is the decision of the built-in contract whether the sender may do this. It is
	// nil if the contract refused the message before, or if a compiled contract runs.
	Decision *cw721.Decision
	Refusal  *cw721.Error // the reason why the message was refused; nil if it was executed
	// Changes are the changes of the contract's records, with the keys that the contract
	// uses.
	Changes []kv.Change
	// Node is the node of the message in the history. It is 0 if the message is not in the
	// history, as in a preview.
	Node     history.ID
	Revision uint64   // the revision of the chain after the message; 0 if Node is 0
	LogLines []string // the first lines that a compiled contract logged
	// Difference is how the compiled contract and the built-in one differ; nil if they do the
	// same, or are not compared.
	Difference *Difference
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

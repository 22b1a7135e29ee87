package mutant

import (
	"ephemera/core/cw721"
)

// tokenMutants are wrong about tokens that move or are burned.
var tokenMutants = []Mutant{
	{
		Name:         "transfer-keeps",
		Belief:       "a transfer keeps the approvals of the token",
		afterExecute: keepApprovalsOfMovedToken,
	},
	{
		Name:         "operator-transfer-keeps",
		Belief:       "a transfer by an operator keeps the approvals of the token",
		afterExecute: keepApprovalsIfOperatorMoved,
	},
	{
		Name:          "self-transfer-idle",
		Belief:        "a transfer to oneself does nothing",
		beforeExecute: onMessage(ignoreTransferToOwner),
	},
	{
		Name:         "send-silent",
		Belief:       "send_nft does not call the contract that receives the token",
		afterExecute: onMessage(dropMessages),
	},
	{
		Name:         "burn-keeps-count",
		Belief:       "num_tokens stays the same after a burn",
		afterExecute: onMessage(restoreTokenCount),
	},
}

// keepApprovalsOfMovedToken runs after a message that transfers or sends a token. The true
// contract removes the token's approvals then. keepApprovalsOfMovedToken stores them again.
func keepApprovalsOfMovedToken(call *call) error {
	switch call.msg.(type) {
	case *cw721.TransferNft, *cw721.SendNft:
		return call.saveApprovals(call.approvals...)
	}
	return nil
}

// keepApprovalsIfOperatorMoved keeps the approvals of a moved token as
// [keepApprovalsOfMovedToken] does, but only if an operator moved it.
func keepApprovalsIfOperatorMoved(call *call) error {
	if call.allowedBy != cw721.RuleOperator {
		return nil
	}
	return keepApprovalsOfMovedToken(call)
}

// ignoreTransferToOwner makes a transfer to the token's present owner do nothing. In the
// true contract such a transfer removes the token's approvals. A transfer that the true
// contract refuses is still refused.
func ignoreTransferToOwner(call *call, msg *cw721.TransferNft) error {
	isAllowed := call.allowedBy != ""
	if isAllowed && msg.Recipient == call.owner {
		call.msg = nil // the true contract executes nothing
	}
	return nil
}

// dropMessages runs after send_nft, which transfers a token to a contract. It removes the
// message that would notify the receiving contract. So that contract cannot refuse the
// token.
func dropMessages(call *call, _ *cw721.SendNft) error {
	call.response.Messages = nil
	return nil
}

// restoreTokenCount keeps the number of tokens the same when a token is burned. It runs
// after a burn message. The true contract has subtracted 1 from the number, and
// restoreTokenCount adds 1 again.
func restoreTokenCount(call *call, _ *cw721.Burn) error {
	count, err := cw721.LoadTokenCount(call.txn)
	if err != nil {
		return err
	}
	record := cw721.TokenCountRecord(count + 1)
	return call.txn.Set(record.Key, record.Value)
}

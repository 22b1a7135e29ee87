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
		Name:   "operator-transfer-keeps",
		Belief: "a transfer by an operator keeps the approvals of the token",
		afterExecute: func(call *call) error {
			if call.allowedBy != cw721.RuleOperator {
				return nil
			}
			return keepApprovalsOfMovedToken(call)
		},
	},
	{
		Name:   "self-transfer-idle",
		Belief: "a transfer to oneself does nothing",
		beforeExecute: onMessage(func(call *call, msg *cw721.TransferNft) error {
			// A transfer that the true contract refuses is still refused.
			if call.allowedBy != "" && msg.Recipient == call.owner {
				call.msg = nil
			}
			return nil
		}),
	},
	{
		Name:   "send-silent",
		Belief: "send_nft does not call the contract that receives the token",
		afterExecute: onMessage(func(call *call, _ *cw721.SendNft) error {
			call.response.Messages = nil
			return nil
		}),
	},
	{
		Name:   "burn-keeps-count",
		Belief: "num_tokens stays the same after a burn",
		afterExecute: onMessage(func(call *call, _ *cw721.Burn) error {
			count, err := cw721.LoadTokenCount(call.txn)
			if err != nil {
				return err
			}
			record := cw721.TokenCountRecord(count + 1)
			return call.txn.Set(record.Key, record.Value)
		}),
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

package mutant

import "ephemera/core/cw721"

// keepApprovalsOfMovedToken runs after a transfer or a send. The true contract has removed
// the token's approvals; it stores those from before the message again.
func keepApprovalsOfMovedToken(x *call) error {
	switch x.msg.(type) {
	case *cw721.TransferNft, *cw721.SendNft:
		return x.saveApprovals(x.approvals...)
	}
	return nil
}

// keepApprovalsIfOperatorMoved keeps the approvals of a moved token as
// [keepApprovalsOfMovedToken] does, but only if an operator moved it.
func keepApprovalsIfOperatorMoved(x *call) error {
	if x.allowedBy != cw721.RuleOperator {
		return nil
	}
	return keepApprovalsOfMovedToken(x)
}

// ignoreTransferToOwner makes a transfer to the token's present owner do nothing. The true
// contract removes the token's approvals then. A transfer that is refused stays refused.
func ignoreTransferToOwner(x *call, msg *cw721.TransferNft) error {
	isAllowed := x.allowedBy != ""
	if isAllowed && msg.Recipient == x.owner {
		x.msg = nil // the true contract executes nothing
	}
	return nil
}

// dropMessages runs after send_nft, which transfers a token to a contract. It removes the
// message that notifies the receiving contract, which so cannot refuse the token.
func dropMessages(x *call, _ *cw721.SendNft) error {
	x.response.Messages = nil
	return nil
}

// restoreTokenCount runs after a burn message. It adds 1 to the number of tokens again,
// from which the true contract has subtracted the burned one.
func restoreTokenCount(x *call, _ *cw721.Burn) error {
	count, err := cw721.LoadTokenCount(x.txn)
	if err != nil {
		return err
	}
	record := cw721.TokenCountRecord(count + 1)
	return x.txn.Set(record.Key, record.Value)
}

package mutant

import "ephemera/core/cw721"

// keepApprovalsOfMovedToken gives a moved token the approvals back that it had.
func keepApprovalsOfMovedToken(x *call) error {
	switch x.msg.(type) {
	case *cw721.TransferNft, *cw721.SendNft:
		return x.saveApprovals(x.approvals)
	}
	return nil
}

// keepApprovalsIfOperatorMoved does the same, but only for an operator's message.
func keepApprovalsIfOperatorMoved(x *call) error {
	if x.allowedBy != cw721.RuleOperator {
		return nil
	}
	return keepApprovalsOfMovedToken(x)
}

// ignoreTransferToOwner skips a transfer to the account that owns the token already.
func ignoreTransferToOwner(x *call) error {
	msg, ok := x.msg.(*cw721.TransferNft)
	if ok && x.allowedBy != "" && msg.Recipient == x.owner {
		x.msg = nil
	}
	return nil
}

// dropMessages removes the message that send_nft sends to the receiving contract.
func dropMessages(x *call) error {
	if _, ok := x.msg.(*cw721.SendNft); ok {
		x.response.Messages = nil
	}
	return nil
}

// restoreTokenCount counts a burned token again.
func restoreTokenCount(x *call) error {
	if _, ok := x.msg.(*cw721.Burn); !ok {
		return nil
	}
	count, err := cw721.LoadTokenCount(x.txn)
	if err != nil {
		return err
	}
	record := cw721.TokenCountRecord(count + 1)
	return x.txn.Set(record.Key, record.Value)
}

package mutant

import (
	"ephemera/core/cw721"
)

// appendApproval runs after an approve message. It keeps the approvals that the token had
// before and appends the new one. So a spender who is approved twice has two approvals,
// where the true contract replaces the older one.
func appendApproval(x *call, msg *cw721.Approve) error {
	return x.saveApprovals(append(x.approvals, approvalOf(msg))...)
}

// keepNewestApproval runs after an approve message. It removes every approval of the token
// except for the new one, as if a token could have only one spender.
func keepNewestApproval(x *call, msg *cw721.Approve) error {
	return x.saveApprovals(approvalOf(msg))
}

// approvalOf returns the approval that an approve message gives. Without an expiry in the
// message it never expires.
func approvalOf(msg *cw721.Approve) cw721.Approval {
	approval := cw721.Approval{Spender: msg.Spender}
	if msg.Expires != nil {
		approval.Expires = *msg.Expires
	}
	return approval
}

// approveAsOwner is the mistake of a mutant that lets a spender approve others: it sends an
// approve message of an approved spender in the name of the token's owner, whom the true
// contract allows to approve.
func approveAsOwner(x *call, msg *cw721.Approve) error {
	return x.sendAsOwnerIfSpender(msg.TokenID)
}

// revokeOwnApprovalAsOwner is the mistake of a mutant that lets a spender revoke his own
// approval, which only the owner and operators may do: it sends such a revoke message in the
// owner's name.
func revokeOwnApprovalAsOwner(x *call, msg *cw721.Revoke) error {
	if msg.Spender != x.sender {
		return nil
	}
	return x.sendAsOwnerIfSpender(msg.TokenID)
}

// sendAsOwnerIfSpender replaces the sender of the call by the token's owner if the sender
// is an approved spender. That follows from the true contract's decision about a burn
// message, because owners, operators and spenders may burn, and the decision names the
// rule that allows it.
func (x *call) sendAsOwnerIfSpender(tokenID string) error {
	decision, err := x.decide(&cw721.Burn{TokenID: tokenID})
	if err != nil || decision == nil {
		return err
	}
	if decision.GrantingCheck().Rule == cw721.RuleApproval {
		x.sender = *decision.Owner
	}
	return nil
}

// refuseBurnBySpender forbids spenders to burn. It revokes the spender's approval before
// his burn message runs, so that the true contract refuses him like a stranger. The
// refusal discards the revocation.
func refuseBurnBySpender(x *call, _ *cw721.Burn) error {
	if x.allowedBy != cw721.RuleApproval {
		return nil
	}
	return x.execute(x.owner, &cw721.Revoke{Spender: x.sender, TokenID: x.tokenID})
}

// revokeOldestApproval replaces the spender in a revoke message by the spender of the
// token's oldest approval. If alice and then bob were approved, revoking bob revokes
// alice's approval.
func revokeOldestApproval(x *call, _ *cw721.Revoke) error {
	if len(x.approvals) > 0 {
		x.msg = &cw721.Revoke{Spender: x.approvals[0].Spender, TokenID: x.tokenID}
	}
	return nil
}

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

// restoreTokenCount is the mistake of a mutant that still counts burned tokens. It runs after
// a burn message. The true contract has subtracted 1 from the number of tokens, and
// restoreTokenCount adds it again.
func restoreTokenCount(x *call, _ *cw721.Burn) error {
	count, err := cw721.LoadTokenCount(x.txn)
	if err != nil {
		return err
	}
	record := cw721.TokenCountRecord(count + 1)
	return x.txn.Set(record.Key, record.Value)
}

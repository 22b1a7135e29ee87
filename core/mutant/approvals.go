package mutant

import "ephemera/core/cw721"

// keepOlderApprovals adds the new approval to all those that the token had, also to
// an older one of the same spender.
func keepOlderApprovals(x *call) error {
	if _, ok := x.msg.(*cw721.Approve); !ok {
		return nil
	}
	token, _, err := cw721.LoadToken(x.txn, x.tokenID)
	if err != nil {
		return err
	}
	newest := token.Approvals[len(token.Approvals)-1]
	return x.saveApprovals(append(x.approvals, newest))
}

// keepNewestApproval removes all approvals of the token but the new one.
func keepNewestApproval(x *call) error {
	if _, ok := x.msg.(*cw721.Approve); !ok {
		return nil
	}
	token, _, err := cw721.LoadToken(x.txn, x.tokenID)
	if err != nil {
		return err
	}
	newest := token.Approvals[len(token.Approvals)-1:]
	return x.saveApprovals(newest)
}

// approveAsOwner sends a spender's approve message in the owner's name.
func approveAsOwner(x *call) error {
	msg, ok := x.msg.(*cw721.Approve)
	if !ok {
		return nil
	}
	return x.sendAsOwnerIfSpender(msg.TokenID)
}

// revokeOwnApprovalAsOwner sends the message by which a spender revokes his own
// approval in the owner's name.
func revokeOwnApprovalAsOwner(x *call) error {
	msg, ok := x.msg.(*cw721.Revoke)
	if !ok || msg.Spender != x.sender {
		return nil
	}
	return x.sendAsOwnerIfSpender(msg.TokenID)
}

// sendAsOwnerIfSpender replaces the sender by the token's owner if the sender is an
// approved spender.
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

// refuseBurnBySpender removes the spender's approval before he burns the token. The
// true contract then refuses the message as it refuses a stranger's.
func refuseBurnBySpender(x *call) error {
	if _, ok := x.msg.(*cw721.Burn); !ok || x.allowedBy != cw721.RuleApproval {
		return nil
	}
	return x.execute(x.owner, &cw721.Revoke{Spender: x.sender, TokenID: x.tokenID})
}

// revokeOldestApproval makes a revoke message name the spender of the token's oldest
// approval.
func revokeOldestApproval(x *call) error {
	if _, ok := x.msg.(*cw721.Revoke); ok && len(x.approvals) > 0 {
		x.msg = &cw721.Revoke{Spender: x.approvals[0].Spender, TokenID: x.tokenID}
	}
	return nil
}

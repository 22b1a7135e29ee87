package mutant

import (
	"ephemera/core/cw721"
)

// approvalMutants are wrong about approvals and what a spender may do.
var approvalMutants = []Mutant{
	{
		Name:         "approve-appends",
		Belief:       "approving a spender again adds a second approval",
		afterExecute: onMessage(appendApproval),
	},
	{
		Name:         "approve-replaces",
		Belief:       "a token has one spender, whom the next approval replaces",
		afterExecute: onMessage(keepNewestApproval),
	},
	{
		Name:          "spender-approves",
		Belief:        "a spender may approve others",
		beforeExecute: onMessage(approveAsOwner),
	},
	{
		Name:          "spender-revokes",
		Belief:        "a spender may revoke himself",
		beforeExecute: onMessage(revokeOwnApprovalAsOwner),
	},
	{
		Name:          "spender-cannot-burn",
		Belief:        "a spender may transfer a token but not burn it",
		beforeExecute: onMessage(refuseBurnBySpender),
	},
	{
		Name:          "revoke-first",
		Belief:        "revoke removes the oldest approval, whoever is named",
		beforeExecute: onMessage(revokeOldestApproval),
	},
}

// appendApproval runs after an approve message. It keeps the approvals that the token had
// before and appends the new one. So a spender who is approved twice has two approvals,
// where the true contract replaces the older one.
func appendApproval(call *call, msg *cw721.Approve) error {
	return call.saveApprovals(append(call.approvals, approvalOf(msg))...)
}

// keepNewestApproval runs after an approve message. It removes every approval of the token
// except for the new one, as if a token could have only one spender.
func keepNewestApproval(call *call, msg *cw721.Approve) error {
	return call.saveApprovals(approvalOf(msg))
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

// approveAsOwner lets a spender approve others, which the true contract refuses. It runs
// before an approve message. If the sender is an approved spender of the token, it replaces
// him by the token's owner, who may approve.
func approveAsOwner(call *call, msg *cw721.Approve) error {
	return call.sendAsOwnerIfSpender(msg.TokenID)
}

// revokeOwnApprovalAsOwner lets a spender revoke his own approval. In the true contract
// only the owner and operators may do that. It runs before a revoke message. If the spender
// in the message is the sender, it replaces the sender by the token's owner.
func revokeOwnApprovalAsOwner(call *call, msg *cw721.Revoke) error {
	if msg.Spender != call.sender {
		return nil
	}
	return call.sendAsOwnerIfSpender(msg.TokenID)
}

// sendAsOwnerIfSpender replaces the sender of the call by the token's owner if the sender
// is an approved spender of the token.
func (c *call) sendAsOwnerIfSpender(tokenID string) error {
	// Owners, operators and spenders may burn a token. So the decision about a burn message
	// tells which of them the sender is: it names the rule that allows the message.
	decision, err := c.decide(&cw721.Burn{TokenID: tokenID})
	if err != nil {
		return err
	}
	if decision != nil && decision.GrantingCheck().Rule == cw721.RuleApproval {
		c.sender = *decision.Owner
	}
	return nil
}

// refuseBurnBySpender forbids spenders to burn. It revokes the spender's approval before his
// burn message runs, so that the true contract refuses him like a stranger. He keeps the
// approval, because a refusal discards all changes of the call.
func refuseBurnBySpender(call *call, _ *cw721.Burn) error {
	if call.allowedBy != cw721.RuleApproval {
		return nil
	}
	return call.execute(call.owner, &cw721.Revoke{Spender: call.sender, TokenID: call.tokenID})
}

// revokeOldestApproval replaces the spender in a revoke message by the spender of the
// token's oldest approval. If alice and then bob were approved, revoking bob revokes
// alice's approval.
func revokeOldestApproval(call *call, _ *cw721.Revoke) error {
	if len(call.approvals) > 0 {
		call.msg = &cw721.Revoke{Spender: call.approvals[0].Spender, TokenID: call.tokenID}
	}
	return nil
}

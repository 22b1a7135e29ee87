package mutant

import (
	"cmp"

	"ephemera/core/cw721"
)

// approvalMutants are wrong about approvals and what a spender may do.
var approvalMutants = []Mutant{
	{
		Name:   "approve-appends",
		Belief: "approving a spender again adds a second approval",
		afterExecute: onMessage(func(call *call, msg *cw721.Approve) error {
			return call.saveApprovals(append(call.approvals, approvalOf(msg))...)
		}),
	},
	{
		Name:   "approve-replaces",
		Belief: "a token has one spender, whom the next approval replaces",
		afterExecute: onMessage(func(call *call, msg *cw721.Approve) error {
			return call.saveApprovals(approvalOf(msg))
		}),
	},
	{
		Name:   "spender-approves",
		Belief: "a spender may approve others",
		beforeExecute: onMessage(func(call *call, msg *cw721.Approve) error {
			return call.sendAsOwnerIfSpender(msg.TokenID)
		}),
	},
	{
		Name:   "spender-revokes",
		Belief: "a spender may revoke himself",
		beforeExecute: onMessage(func(call *call, msg *cw721.Revoke) error {
			if msg.Spender != call.sender {
				return nil
			}
			return call.sendAsOwnerIfSpender(msg.TokenID)
		}),
	},
	{
		Name:   "spender-cannot-burn",
		Belief: "a spender may transfer a token but not burn it",
		beforeExecute: onMessage(func(call *call, _ *cw721.Burn) error {
			if call.allowedBy != cw721.RuleApproval {
				return nil
			}
			// The true contract then refuses him like a stranger. He keeps the approval, because a
			// refusal discards all changes of the call.
			return call.execute(call.owner, &cw721.Revoke{Spender: call.sender, TokenID: call.tokenID})
		}),
	},
	{
		Name:   "revoke-first",
		Belief: "revoke removes the oldest approval, whoever is named",
		beforeExecute: onMessage(func(call *call, _ *cw721.Revoke) error {
			if len(call.approvals) > 0 {
				call.msg = &cw721.Revoke{Spender: call.approvals[0].Spender, TokenID: call.tokenID}
			}
			return nil
		}),
	},
}

// approvalOf returns the approval that an approve message gives. Without an expiry in the
// message it never expires.
func approvalOf(msg *cw721.Approve) cw721.Approval {
	return cw721.Approval{Spender: msg.Spender, Expires: *cmp.Or(msg.Expires, &cw721.Expiration{})}
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

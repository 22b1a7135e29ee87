package mutant

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// operatorMutants are wrong about operators.
var operatorMutants = []Mutant{
	{
		Name:          "operator-held",
		Belief:        "an operator reaches only the tokens that the owner had when the operator was named",
		beforeExecute: refuseOperatorOfLaterToken,
		record:        onMessage(recordTokensOfNewOperator),
	},
	{
		Name:          "operator-appoints",
		Belief:        "an operator can name operators for the owner",
		beforeExecute: onMessage(sendForOwner[*cw721.ApproveAll]),
	},
	{
		Name:          "operator-dismisses",
		Belief:        "revoke_all by an operator removes an operator of the owner",
		beforeExecute: onMessage(sendForOwner[*cw721.RevokeAll]),
	},
	{
		Name:          "operator-cannot-burn",
		Belief:        "an operator may transfer a token but not burn it",
		beforeExecute: onMessage(func(call *call, _ *cw721.Burn) error { return call.refuseIfOperator() }),
	},
	{
		Name:         "operator-replaces",
		Belief:       "an owner has one operator, whom the next approve_all replaces",
		afterExecute: onMessage(keepNewestOperator),
	},
	{
		Name:   "revoke-all-recalls",
		Belief: "revoke_all takes back what the operator granted",
		afterExecute: onMessage(func(call *call, msg *cw721.RevokeAll) error {
			return call.revokeApprovals(func(tokenID string, spender cw721.Address) (bool, error) {
				giver, ok, err := memory.Load(call.txn, approverKey(tokenID, spender))
				return ok && giver == msg.Operator, err
			})
		}),
		record: onMessage(recordApprovalGiver),
	},
	{
		Name:   "revoke-all-approvals",
		Belief: "revoke_all also takes the operator's own approvals",
		afterExecute: onMessage(func(call *call, msg *cw721.RevokeAll) error {
			return call.revokeApprovals(func(_ string, spender cw721.Address) (bool, error) {
				return spender == msg.Operator, nil
			})
		}),
	},
}

// memory stores what mutants must remember and the true contract does not store. It is in
// the contract's own store, so that a discarded transaction also discards what was
// remembered. A chain does not take records of this name for records of the contract.
//
// [approverKey] and [coveredKey] return the two kinds of keys.
var memory = kv.NewMap(
	"mutant",
	kv.TwoTextsKey[string, string](),
	cw721.StoredJSON[cw721.Address](),
)

// memoryKey is the key of a record of memory.
type memoryKey = kv.TextPair[string, string]

// coveredKey returns the key under which a mutant remembers that an owner had a token when
// he named an operator. The value of the record is the owner.
func coveredKey(owner, operator cw721.Address, tokenID string) memoryKey {
	return memoryKey{First: "covered " + string(owner) + " " + string(operator), Second: tokenID}
}

// recordTokensOfNewOperator remembers after approve_all which tokens the owner has.
func recordTokensOfNewOperator(call *call, msg *cw721.ApproveAll) error {
	ids, err := collect(cw721.TokenIDsOf(call.txn, call.sender, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, id := range ids {
		key := coveredKey(call.sender, msg.Operator, id)
		if err := memory.Save(call.txn, key, call.sender); err != nil {
			return err
		}
	}
	return nil
}

// refuseOperatorOfLaterToken forbids an operator to act on tokens that the owner got after
// he named the operator.
func refuseOperatorOfLaterToken(call *call) error {
	key := coveredKey(call.owner, call.sender, call.tokenID)
	isCovered, err := memory.Has(call.txn, key)
	if err != nil || isCovered {
		return err
	}
	return call.refuseIfOperator()
}

// refuseIfOperator makes the true contract refuse a message that it allows to an operator. It
// removes the operator before the message runs, so that he is a stranger. He stays an
// operator, because a refusal discards all changes of the call.
func (c *call) refuseIfOperator() error {
	if c.allowedBy != cw721.RuleOperator {
		return nil
	}
	return c.execute(c.owner, &cw721.RevokeAll{Operator: c.sender})
}

// sendForOwner replaces the sender of an approve_all or revoke_all message by the owner whose
// operator he is. It does nothing if he is not the operator of any owner with a token.
func sendForOwner[M cw721.ExecuteMsg](call *call, _ M) error {
	// The message does not name the owner. So search for the first token on which the sender
	// can act as an operator. The decision about a revoke message tells whether he can, since
	// only owners and operators may send one.
	ids, err := collect(cw721.TokenIDs(call.txn, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, id := range ids {
		decision, err := call.decide(&cw721.Revoke{Spender: call.sender, TokenID: id})
		if err != nil {
			return err
		}
		if decision != nil && decision.GrantingCheck().Rule == cw721.RuleOperator {
			call.sender = *decision.Owner
			return nil
		}
	}
	return nil
}

// keepNewestOperator removes after approve_all every other operator of the sender.
func keepNewestOperator(call *call, msg *cw721.ApproveAll) error {
	grants, err := collect(cw721.OperatorsOf(call.txn, call.sender, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, grant := range grants {
		if grant.Spender == msg.Operator {
			continue
		}
		if err := call.execute(call.sender, &cw721.RevokeAll{Operator: grant.Spender}); err != nil {
			return err
		}
	}
	return nil
}

// approverKey returns the key under which a mutant remembers which operator approved a
// spender of a token. There is no such record for an approval that the owner gave himself.
func approverKey(tokenID string, spender cw721.Address) memoryKey {
	return memoryKey{First: "approved by " + string(spender), Second: tokenID}
}

// recordApprovalGiver remembers after an approve message which operator gave the approval, and
// forgets him if the owner did.
func recordApprovalGiver(call *call, msg *cw721.Approve) error {
	key := approverKey(msg.TokenID, msg.Spender)
	if call.allowedBy == cw721.RuleOperator {
		return memory.Save(call.txn, key, call.sender)
	}
	return memory.Remove(call.txn, key)
}

// revokeApprovals revokes the approvals of the sender's tokens for which mustRevoke returns true.
func (c *call) revokeApprovals(mustRevoke func(tokenID string, spender cw721.Address) (bool, error)) error {
	ids, err := collect(cw721.TokenIDsOf(c.txn, c.sender, cw721.Walk{}))
	if err != nil {
		return err
	}

	// The IDs were collected first, since revoking changes the records.
	for _, id := range ids {
		token, _, err := cw721.LoadToken(c.txn, id)
		if err != nil {
			return err
		}
		for _, approval := range token.Approvals {
			isRevoked, err := mustRevoke(id, approval.Spender)
			if err != nil {
				return err
			}
			if !isRevoked {
				continue
			}
			revoke := &cw721.Revoke{Spender: approval.Spender, TokenID: id}
			if err := c.execute(c.sender, revoke); err != nil {
				return err
			}
		}
	}
	return nil
}

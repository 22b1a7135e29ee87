package mutant

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Two mutants need to remember what the true contract does not store. Their records are in
// the contract's store, so that a discarded transaction discards them as well.
var (
	// approvedBy holds the operator who gave an approval, by token ID and spender: ape-1,
	// bob → carol. An approval that the owner gave has no record.
	approvedBy = kv.NewMap("approved_by", kv.TwoTextsKey[string, cw721.Address](), cw721.StoredJSON[cw721.Address]())
	// coveredTokens holds the tokens that an owner had when he named an operator; see
	// [coveredKey]. The value is always true: only the key matters.
	coveredTokens = kv.NewMap("covered_tokens", kv.TwoTextsKey[string, string](), cw721.StoredJSON[bool]())
)

// approvalKey is the key of a record of approvedBy: a token ID and a spender.
type approvalKey = kv.TextPair[string, cw721.Address]

// coveredKey returns the key of a record of coveredTokens: "OWNER OPERATOR" and the token ID.
func coveredKey(owner, operator cw721.Address, tokenID string) kv.TextPair[string, string] {
	return kv.TextPair[string, string]{First: string(owner) + " " + string(operator), Second: tokenID}
}

// recordTokensOfNewOperator runs after approve_all, by which an owner names an operator. It
// records which tokens the owner has at that moment.
func recordTokensOfNewOperator(x *call, msg *cw721.ApproveAll) error {
	ids, err := collect(cw721.TokenIDsOf(x.txn, x.sender, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := coveredTokens.Save(x.txn, coveredKey(x.sender, msg.Operator, id), true); err != nil {
			return err
		}
	}
	return nil
}

// refuseOperatorOfLaterToken forbids an operator to act on tokens that the owner got after
// naming him. It removes the operator before such a message runs, so that the true contract
// refuses him like a stranger. The refusal discards the removal.
func refuseOperatorOfLaterToken(x *call) error {
	if x.allowedBy != cw721.RuleOperator {
		return nil
	}
	isCovered, err := coveredTokens.Has(x.txn, coveredKey(x.owner, x.sender, x.tokenID))
	if err != nil || isCovered {
		return err
	}
	return x.execute(x.owner, &cw721.RevokeAll{Operator: x.sender})
}

// refuseBurnByOperator forbids operators to burn. It removes the operator before his burn
// message runs, so that the true contract refuses him like a stranger. The refusal discards
// the removal.
func refuseBurnByOperator(x *call, _ *cw721.Burn) error {
	if x.allowedBy != cw721.RuleOperator {
		return nil
	}
	return x.execute(x.owner, &cw721.RevokeAll{Operator: x.sender})
}

// nameOperatorForOwner lets an operator name further operators for the owner: it sends an
// operator's approve_all message in the owner's name. The message names no owner, so it
// takes the owner of the first token that the sender may act on as operator. It finds that
// token by the true contract's decision about a revoke message, which spenders may not send.
func nameOperatorForOwner(x *call, _ *cw721.ApproveAll) error {
	ids, err := collect(cw721.TokenIDs(x.txn, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, id := range ids {
		decision, err := x.decide(&cw721.Revoke{Spender: x.sender, TokenID: id})
		if err != nil {
			return err
		}
		if decision != nil && decision.GrantingCheck().Rule == cw721.RuleOperator {
			x.sender = *decision.Owner
			return nil
		}
	}
	return nil
}

// keepNewestOperator runs after approve_all, by which the sender names an operator. It
// removes every other operator of the sender, as if an owner could have only one.
func keepNewestOperator(x *call, msg *cw721.ApproveAll) error {
	grants, err := collect(cw721.OperatorsOf(x.txn, x.sender, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, grant := range grants {
		if grant.Spender == msg.Operator {
			continue
		}
		if err := x.execute(x.sender, &cw721.RevokeAll{Operator: grant.Spender}); err != nil {
			return err
		}
	}
	return nil
}

// recordApprovalGiver runs after an approve message. It records the sender if he approved
// as an operator, and removes the record if the owner approved the spender himself.
func recordApprovalGiver(x *call, msg *cw721.Approve) error {
	key := approvalKey{First: msg.TokenID, Second: msg.Spender}
	if x.allowedBy == cw721.RuleOperator {
		return approvedBy.Save(x.txn, key, x.sender)
	}
	return approvedBy.Remove(x.txn, key)
}

// revokeGrantsOfFormerOperator runs after revoke_all, by which an owner removes an
// operator. It also revokes the approvals that this operator gave to others.
func revokeGrantsOfFormerOperator(x *call, msg *cw721.RevokeAll) error {
	return x.revokeApprovals(func(approval approvalKey) (bool, error) {
		giver, ok, err := approvedBy.Load(x.txn, approval)
		return ok && giver == msg.Operator, err
	})
}

// revokeApprovalsOfFormerOperator runs after revoke_all, by which an owner removes an
// operator. It also revokes the approvals of single tokens that this operator has himself.
func revokeApprovalsOfFormerOperator(x *call, msg *cw721.RevokeAll) error {
	return x.revokeApprovals(func(approval approvalKey) (bool, error) {
		return approval.Second == msg.Operator, nil
	})
}

// revokeApprovals revokes those approvals on the sender's tokens for which isRevoked
// returns true.
func (x *call) revokeApprovals(isRevoked func(approvalKey) (bool, error)) error {
	ids, err := collect(cw721.TokenIDsOf(x.txn, x.sender, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, id := range ids {
		token, _, err := cw721.LoadToken(x.txn, id)
		if err != nil {
			return err
		}
		for _, approval := range token.Approvals {
			revoked, err := isRevoked(approvalKey{First: id, Second: approval.Spender})
			if err != nil {
				return err
			}
			if !revoked {
				continue
			}
			if err := x.execute(x.sender, &cw721.Revoke{Spender: approval.Spender, TokenID: id}); err != nil {
				return err
			}
		}
	}
	return nil
}

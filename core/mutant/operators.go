package mutant

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Two mutants keep records that the true contract does not have. They lie beside the
// contract's own, so that a discarded transaction discards them as well.
var (
	// approvedBy has the operator who gave an approval, by token ID and spender.
	approvedBy = kv.NewMap("approved_by", kv.TwoTextsKey[string, cw721.Address](), cw721.StoredJSON[cw721.Address]())
	// coveredTokens has the tokens that an owner had when the owner named an operator,
	// by [ownerAndOperator] and token ID.
	coveredTokens = kv.NewMap("covered_tokens", kv.TwoTextsKey[string, string](), cw721.StoredJSON[bool]())
)

// approvalKey is the key of a record of approvedBy.
type approvalKey = kv.TextPair[string, cw721.Address]

// coveredKey returns the key of a record of coveredTokens.
func coveredKey(owner, operator cw721.Address, tokenID string) kv.TextPair[string, string] {
	return kv.TextPair[string, string]{First: string(owner) + " " + string(operator), Second: tokenID}
}

// recordTokensOfNewOperator records which tokens the sender of approve_all has.
func recordTokensOfNewOperator(x *call) error {
	msg, ok := x.msg.(*cw721.ApproveAll)
	if !ok {
		return nil
	}
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

// refuseOperatorOfLaterToken removes the operator's grant before he acts on a token
// that the owner did not have when he was named. The true contract then refuses the
// message as it refuses a stranger's.
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

// refuseBurnByOperator removes the operator's grant before he burns a token.
func refuseBurnByOperator(x *call) error {
	if _, ok := x.msg.(*cw721.Burn); !ok || x.allowedBy != cw721.RuleOperator {
		return nil
	}
	return x.execute(x.owner, &cw721.RevokeAll{Operator: x.sender})
}

// nameOperatorForOwner sends an operator's approve_all message in the name of an
// owner. It takes the owner of the first token on which the sender acts as operator.
func nameOperatorForOwner(x *call) error {
	if _, ok := x.msg.(*cw721.ApproveAll); !ok {
		return nil
	}
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

// keepNewestOperator removes all operators of the sender but the new one.
func keepNewestOperator(x *call) error {
	msg, ok := x.msg.(*cw721.ApproveAll)
	if !ok {
		return nil
	}
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

// recordApprovalGiver records which operator gave an approval. An approval that the owner
// gives again has no such record.
func recordApprovalGiver(x *call) error {
	msg, ok := x.msg.(*cw721.Approve)
	if !ok {
		return nil
	}
	key := approvalKey{First: msg.TokenID, Second: msg.Spender}
	if x.allowedBy == cw721.RuleOperator {
		return approvedBy.Save(x.txn, key, x.sender)
	}
	return approvedBy.Remove(x.txn, key)
}

// revokeGrantsOfFormerOperator makes revoke_all revoke the approvals that the operator
// gave.
func revokeGrantsOfFormerOperator(x *call) error {
	return x.revokeApprovalsWith(func(operator cw721.Address, tokenID string, spender cw721.Address) (bool, error) {
		giver, ok, err := approvedBy.Load(x.txn, approvalKey{First: tokenID, Second: spender})
		return ok && giver == operator, err
	})
}

// revokeApprovalsOfFormerOperator makes revoke_all revoke the approvals that the
// operator has as a spender.
func revokeApprovalsOfFormerOperator(x *call) error {
	return x.revokeApprovalsWith(func(operator cw721.Address, _ string, spender cw721.Address) (bool, error) {
		return spender == operator, nil
	})
}

// revokeApprovalsWith revokes, with a revoke_all message, the approvals on the sender's
// tokens that isRevoked selects. It leaves other messages as they are.
func (x *call) revokeApprovalsWith(isRevoked func(operator cw721.Address, tokenID string, spender cw721.Address) (bool, error)) error {
	msg, ok := x.msg.(*cw721.RevokeAll)
	if !ok {
		return nil
	}
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
			revoked, err := isRevoked(msg.Operator, id, approval.Spender)
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

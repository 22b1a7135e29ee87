package mutant

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// memory holds what two mutants remember and the true contract does not store. It is in the
// contract's store, so that a discarded transaction discards it as well. A chain keeps a map
// of this name apart from the contract's own records.
//
// The keys are those of [approverKey] and [coveredKey].
var memory = kv.NewMap("mutant", kv.TwoTextsKey[string, string](), cw721.StoredJSON[cw721.Address]())

// memoryKey is the key of a record of memory.
type memoryKey = kv.TextPair[string, string]

// approverKey returns the key of a record that only mutants have: which operator approved a
// spender of a token. An approval that the owner gave has no such record.
func approverKey(tokenID string, spender cw721.Address) memoryKey {
	return memoryKey{First: "approved by " + string(spender), Second: tokenID}
}

// coveredKey returns the key under which it is remembered that an owner had a token when he
// named an operator. The record's value is the owner.
func coveredKey(owner, operator cw721.Address, tokenID string) memoryKey {
	return memoryKey{First: "covered " + string(owner) + " " + string(operator), Second: tokenID}
}

// recordTokensOfNewOperator runs after approve_all, by which an owner names an operator. It
// records which tokens the owner has at that moment.
func recordTokensOfNewOperator(x *call, msg *cw721.ApproveAll) error {
	ids, err := collect(cw721.TokenIDsOf(x.txn, x.sender, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := memory.Save(x.txn, coveredKey(x.sender, msg.Operator, id), x.sender); err != nil {
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
	isCovered, err := memory.Has(x.txn, coveredKey(x.owner, x.sender, x.tokenID))
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

// sendForOwner lets an operator name or remove operators for the owner: it sends an
// operator's approve_all or revoke_all message in the owner's name. The message names no
// owner, so it takes the owner of the first token that the sender may act on as operator. It
// finds that token by the true contract's decision about a revoke message, which spenders
// may not send.
func sendForOwner[M cw721.ExecuteMsg](x *call, _ M) error {
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
	key := approverKey(msg.TokenID, msg.Spender)
	if x.allowedBy == cw721.RuleOperator {
		return memory.Save(x.txn, key, x.sender)
	}
	return memory.Remove(x.txn, key)
}

// revokeGrantsOfFormerOperator runs after revoke_all, by which an owner removes an
// operator. It also revokes the approvals that this operator gave to others.
func revokeGrantsOfFormerOperator(x *call, msg *cw721.RevokeAll) error {
	return x.revokeApprovals(func(tokenID string, spender cw721.Address) (bool, error) {
		giver, ok, err := memory.Load(x.txn, approverKey(tokenID, spender))
		return ok && giver == msg.Operator, err
	})
}

// revokeApprovalsOfFormerOperator runs after revoke_all, by which an owner removes an
// operator. It also revokes the approvals of single tokens that this operator has himself.
func revokeApprovalsOfFormerOperator(x *call, msg *cw721.RevokeAll) error {
	return x.revokeApprovals(func(_ string, spender cw721.Address) (bool, error) {
		return spender == msg.Operator, nil
	})
}

// revokeApprovals revokes those approvals on the sender's tokens for which isRevoked
// returns true.
func (x *call) revokeApprovals(isRevoked func(tokenID string, spender cw721.Address) (bool, error)) error {
	ids, err := collect(cw721.TokenIDsOf(x.txn, x.sender, cw721.Walk{}))
	if err != nil {
		return err
	}

	// The IDs were collected first, since revoking changes the records.
	for _, id := range ids {
		token, _, err := cw721.LoadToken(x.txn, id)
		if err != nil {
			return err
		}
		for _, approval := range token.Approvals {
			revoked, err := isRevoked(id, approval.Spender)
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

// aboveHighestShare is a royalty share (of the price of a sale) that the true contract
// refuses. The highest that it accepts is 10 %.
var aboveHighestShare = cw721.Percent(11)

// raiseHighestShareAtStart raises a royalty share of exactly 10 % in an instantiate
// message above the limit, so that the true contract refuses it.
func raiseHighestShareAtStart(msg *cw721.InstantiateMsg) {
	msg.Extension = withRaisedShare(msg.Extension)
}

// raiseHighestShare raises a royalty share of exactly 10 % in an update_collection_info
// message above the limit, so that the true contract refuses it. It replaces x.msg and
// leaves the sender's message as it is.
func raiseHighestShare(x *call, msg *cw721.UpdateCollectionInfo) error {
	info := msg.CollectionInfo
	info.Extension = withRaisedShare(info.Extension)
	x.msg = &cw721.UpdateCollectionInfo{CollectionInfo: info}
	return nil
}

// withRaisedShare returns a copy of an extension (the collection's description and royalty)
// whose royalty share is above the limit, if the share is exactly the limit. It returns any
// other extension as it is.
func withRaisedShare(extension *cw721.CollectionExtensionMsg) *cw721.CollectionExtensionMsg {
	hasRoyalty := extension != nil && extension.RoyaltyInfo != nil
	if !hasRoyalty || extension.RoyaltyInfo.Share.Cmp(cw721.MaxShare) != 0 {
		return extension
	}
	royalty := *extension.RoyaltyInfo
	royalty.Share = aboveHighestShare
	raised := *extension
	raised.RoyaltyInfo = &royalty
	return &raised
}

// addMinterAsMinter lets anybody add minters: it sends an add_minter message in the name of
// the minter, who alone may do so in the true contract.
func addMinterAsMinter(x *call, _ *cw721.AddMinter) error {
	minter, _, err := cw721.CurrentLayout.LoadRoles(x.txn)
	if err == nil && minter.Owner != nil { // nil: the role was given up
		x.sender = *minter.Owner
	}
	return err
}

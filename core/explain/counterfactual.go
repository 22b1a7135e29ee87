package explain

import (
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

// whatWouldRefuse returns the smallest change after which the contract would refuse a
// message that it allows now. For example, a grant of the actor expires, or the owner
// revokes it. The actor is the sender of the message.
func (e explainer) whatWouldRefuse() Counterfactual {
	grantingCheck := e.GrantingCheck()
	switch grantingCheck.Rule {
	case cw721.RuleApproval, cw721.RuleOperator:
		return e.allGrantsEndChange(e.liveGrants(grantingCheck))
	case cw721.RuleOwner:
		return e.textOnlyChange("ACTOR gives the token to someone else")
	case cw721.RuleMinter, cw721.RuleCreator:
		return e.textOnlyChange("ACTOR hands over the ROLE role, or renounces it",
			"ROLE", string(grantingCheck.Rule))
	case cw721.RuleAdditionalMinter:
		text := "SENDER removes ACTOR as additional minter"
		return e.minterMessageChange(text, &cw721.RemoveMinter{Minter: e.Actor})
	case cw721.RulePendingOwner:
		if grantingCheck.Expires != nil && grantingCheck.Expires.Axis != cw721.Never {
			return e.expiryChange("the offer", *grantingCheck.Expires)
		}
		return e.textOnlyChange("the role is offered to someone else")
	}
	return e.textOnlyChange("nothing can: anyone may")
}

// textOnlyChange returns a change with nothing but its text, because one expiry or one
// message would not be enough to bring it about. text and replacements are as in
// [explainer.fillPlaceholders].
func (e explainer) textOnlyChange(text string, replacements ...string) Counterfactual {
	return Counterfactual{Text: e.fillPlaceholders(text, replacements...)}
}

// messageChange returns the change that an account sends a message. text and replacements
// are as in [explainer.fillPlaceholders]; SENDER in the text is replaced by the account's
// name.
func (e explainer) messageChange(
	sender cw721.Address,
	msg cw721.ExecuteMsg,
	text string,
	replacements ...string,
) Counterfactual {
	replacements = append(replacements, "SENDER", e.view.DisplayName(sender))
	return Counterfactual{Text: e.fillPlaceholders(text, replacements...), Sender: sender, Message: msg}
}

// expiryChange returns the change that the clock reaches the expiry of a grant. grantNoun
// names the grant in the text, such as "the offer".
func (e explainer) expiryChange(grantNoun string, expires cw721.Expiration) Counterfactual {
	text := grantNoun + " expires at " + human.Expiry(expires) +
		" (" + human.ExpiresIn(expires, e.Block) + ")"
	return Counterfactual{Text: text, ClockTarget: &expires}
}

// ruleNoun returns the noun for the grant that a rule checks. rule is [cw721.RuleApproval]
// or [cw721.RuleOperator].
func ruleNoun(rule cw721.Rule) string {
	if rule == cw721.RuleApproval {
		return "the approval"
	}
	return "the operator grant"
}

// liveGrants returns the checks of all grants that permit the actor's message now, one or
// two. grantingCheck is the check by which the contract allowed the message. If it found an
// approval, the contract has not looked for an operator grant. liveGrants does, because the
// actor may have both.
func (e explainer) liveGrants(grantingCheck cw721.Check) []cw721.Check {
	grants := []cw721.Check{grantingCheck}
	if grantingCheck.Rule != cw721.RuleApproval {
		return grants
	}

	// An approval does not permit its spender to approve others. So if the actor may approve,
	// an operator grant is the reason.
	approve := &cw721.Approve{Spender: e.Actor, TokenID: *e.TokenID}
	decision, err := e.view.Decide(e.Actor, approve)
	if err != nil || !decision.Allowed {
		return grants
	}
	return append(grants, decision.GrantingCheck())
}

// allGrantsEndChange returns the change after which none of the actor's grants (an
// approval, an operator grant, or both) is in force, because they have expired or were
// revoked. grants are the checks that found them.
func (e explainer) allGrantsEndChange(grants []cw721.Check) Counterfactual {
	first := grants[0]
	if len(grants) == 1 {
		return e.grantEndChange(first)
	}

	// If both expire at a height, or both at a time, it is enough to reach the later expiry.
	second := grants[1]
	if first.Expires.Axis == second.Expires.Axis && first.Expires.Axis != cw721.Never {
		later := first
		if second.Expires.Value > first.Expires.Value {
			later = second
		}
		return e.expiryChange(ruleNoun(later.Rule)+", the later of two grants,", *later.Expires)
	}

	return e.textOnlyChange(
		"both grants must go: FIRST, and SECOND; a transfer by OWNER removes both",
		"FIRST", e.grantEndChange(first).Text,
		"SECOND", e.grantEndChange(second).Text)
}

// grantEndChange returns the change that a grant expires, or that its owner revokes it if
// it never expires.
func (e explainer) grantEndChange(grant cw721.Check) Counterfactual {
	switch {
	case grant.Expires.Axis != cw721.Never:
		return e.expiryChange(ruleNoun(grant.Rule), *grant.Expires)
	case grant.Rule == cw721.RuleApproval:
		revoke := &cw721.Revoke{Spender: e.Actor, TokenID: *e.TokenID}
		return e.messageChange(*e.Owner, revoke, "SENDER revokes the approval for ACTOR")
	}
	return e.messageChange(*e.Owner, &cw721.RevokeAll{Operator: e.Actor},
		"SENDER revokes ACTOR as operator")
}

// whatWouldAllow returns the smallest change after which the refused message would be
// allowed: the owner of the token gives the actor a grant, or somebody gives the actor
// a role.
func (e explainer) whatWouldAllow(msg cw721.ExecuteMsg) Counterfactual {
	// A message that is not about a token needs a role, as does one for which the contract
	// asked for the creator.
	lastCheck := e.Checks[len(e.Checks)-1]
	if e.Owner == nil || lastCheck.Rule == cw721.RuleCreator {
		return e.roleGiftChange(lastCheck, msg)
	}

	// Suggest an approval if it is enough, because it gives less than an operator grant.
	approvalIndex := slices.IndexFunc(e.Checks, func(check cw721.Check) bool {
		return check.Rule == cw721.RuleApproval
	})
	if approvalIndex < 0 {
		return e.messageChange(*e.Owner, &cw721.ApproveAll{Operator: e.Actor},
			"SENDER makes ACTOR an operator; an approval for one token does not permit approving others")
	}

	approve := &cw721.Approve{Spender: e.Actor, TokenID: *e.TokenID}
	text := "SENDER approves ACTOR for this token"
	if oldExpiry := e.Checks[approvalIndex].Expires; oldExpiry != nil {
		text = "SENDER approves ACTOR again: the old approval expired at " + human.Expiry(*oldExpiry)
	}
	return e.messageChange(*e.Owner, approve, text)
}

// roleGiftChange returns the change that somebody gives the actor the role that the
// refused message needs. missingCheck is the check by which the contract looked for that
// role. msg is the refused message.
func (e explainer) roleGiftChange(missingCheck cw721.Check, msg cw721.ExecuteMsg) Counterfactual {
	switch {
	case missingCheck.Rule == cw721.RulePendingOwner:
		return e.roleOfferChange(msg)
	case missingCheck.Rule == cw721.RuleAdditionalMinter:
		text := "SENDER adds ACTOR as additional minter"
		return e.minterMessageChange(text, &cw721.AddMinter{Minter: e.Actor})
	case missingCheck.Holder == nil:
		return e.renouncedRoleChange(missingCheck.Rule)
	}
	return e.textOnlyChange("HOLDER offers the ROLE role to ACTOR, who accepts it",
		"HOLDER", e.view.DisplayName(*missingCheck.Holder),
		"ROLE", string(missingCheck.Rule))
}

// renouncedRoleChange says that nothing can reverse the decision. The needed role has no
// holder any more, so nobody can give it to the actor.
func (e explainer) renouncedRoleChange(role cw721.Rule) Counterfactual {
	return e.textOnlyChange("nothing can: the ROLE role was renounced", "ROLE", string(role))
}

// minterMessageChange returns the change that the minter sends a message. The message
// adds the actor as additional minter, or removes the actor. text is as in
// [explainer.messageChange].
func (e explainer) minterMessageChange(text string, msg cw721.ExecuteMsg) Counterfactual {
	minter := e.Checks[0].Holder // the contract checks the minter first
	if minter == nil {
		return e.renouncedRoleChange(cw721.RuleMinter)
	}
	return e.messageChange(*minter, msg, text)
}

// roleOfferChange returns the change that the holder of a role offers the role to the
// actor. msg is the refused message, by which the actor tried to accept that role.
func (e explainer) roleOfferChange(msg cw721.ExecuteMsg) Counterfactual {
	minter, creator, err := e.view.Roles()
	if err != nil {
		return e.textOnlyChange("the role is offered to ACTOR")
	}

	// The message is about the creator's role or the minter's.
	action := cw721.Offer(e.Actor, nil)
	if _, isCreator := msg.(*cw721.UpdateCreatorOwnership); isCreator {
		offer := &cw721.UpdateCreatorOwnership{OwnershipAction: action}
		return e.holderOfferChange(cw721.RuleCreator, creator.Owner, offer)
	}
	offer := &cw721.UpdateMinterOwnership{OwnershipAction: action}
	return e.holderOfferChange(cw721.RuleMinter, minter.Owner, offer)
}

// holderOfferChange returns the change that the holder of a role sends an offer of it. A
// role without a holder can never be offered again.
func (e explainer) holderOfferChange(
	role cw721.Rule,
	holder *cw721.Address,
	offer cw721.ExecuteMsg,
) Counterfactual {
	if holder == nil {
		return e.renouncedRoleChange(role)
	}
	return e.messageChange(*holder, offer, "SENDER offers the ROLE role to ACTOR",
		"ROLE", string(role))
}

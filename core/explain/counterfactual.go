package explain

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// whatWouldRefuse returns the smallest change after which an allowed decision would be
// a refusal: the actor's permissions expire, or somebody takes them away.
func whatWouldRefuse(v *chain.View, d *cw721.Decision) Counterfactual {
	passed := d.GrantingCheck()
	actor := v.DisplayName(d.Actor)
	switch passed.Rule {
	case cw721.RuleApproval, cw721.RuleOperator:
		return endOfGrants(v, d, liveGrants(v, d, passed))
	case cw721.RuleOwner:
		return Counterfactual{Text: fmt.Sprintf("%s gives the token to someone else", actor)}
	case cw721.RuleMinter, cw721.RuleCreator:
		return Counterfactual{Text: fmt.Sprintf("%s hands over the %s role, or renounces it", actor, passed.Rule)}
	case cw721.RuleAdditionalMinter:
		return messageOfMinter(v, d, "removes", &cw721.RemoveMinter{Minter: d.Actor})
	case cw721.RulePendingOwner:
		if passed.Expires != nil && passed.Expires.Axis != cw721.Never {
			return expiryOf("the offer", *passed.Expires, d.Block)
		}
		return Counterfactual{Text: "the role is offered to someone else"}
	}
	return Counterfactual{Text: "nothing can: anyone may"}
}

// expiryOf returns the change that the clock reaches an expiry. grant is the noun for
// what expires.
func expiryOf(grant string, expires cw721.Expiration, block cw721.Block) Counterfactual {
	text := fmt.Sprintf("%s expires at %s (%s)", grant, human.Expiry(expires), human.ExpiresIn(expires, block))
	return Counterfactual{Text: text, At: &expires}
}

// ruleNoun returns the noun for the grant that the approval or operator rule found.
func ruleNoun(rule cw721.Rule) string {
	if rule == cw721.RuleApproval {
		return "the approval"
	}
	return "the operator grant"
}

// liveGrants returns the checks of all grants that let the actor of an allowed decision
// act now. passed is the check that decided. An approval hides an operator grant, since
// the contract checks approvals first; a message that approvals do not permit shows
// whether there is an operator grant too.
func liveGrants(v *chain.View, d *cw721.Decision, passed cw721.Check) []cw721.Check {
	if passed.Rule != cw721.RuleApproval {
		return []cw721.Check{passed}
	}
	operatorDecision, err := v.Decide(d.Actor, &cw721.Approve{Spender: d.Actor, TokenID: *d.TokenID})
	if err != nil || !operatorDecision.Allowed {
		return []cw721.Check{passed}
	}
	return []cw721.Check{passed, operatorDecision.GrantingCheck()}
}

// endOfGrants returns the change after which none of one or two grants is left: each
// expires or is revoked.
func endOfGrants(v *chain.View, d *cw721.Decision, grants []cw721.Check) Counterfactual {
	if len(grants) == 1 {
		return endOfGrant(v, d, grants[0])
	}

	first, second := grants[0], grants[1]
	neitherIsEndless := first.Expires.Axis != cw721.Never && second.Expires.Axis != cw721.Never
	if neitherIsEndless && first.Expires.Axis == second.Expires.Axis {
		later := first
		if second.Expires.Value > first.Expires.Value {
			later = second
		}
		return expiryOf(ruleNoun(later.Rule)+", the later of two grants,", *later.Expires, d.Block)
	}

	text := fmt.Sprintf("both grants must go: %s, and %s; a transfer by %s takes both away",
		endOfGrant(v, d, first).Text, endOfGrant(v, d, second).Text, v.DisplayName(*d.Owner))
	return Counterfactual{Text: text}
}

// endOfGrant returns the change that a grant expires, or that its owner revokes it if
// it never expires.
func endOfGrant(v *chain.View, d *cw721.Decision, grant cw721.Check) Counterfactual {
	if grant.Expires.Axis != cw721.Never {
		return expiryOf(ruleNoun(grant.Rule), *grant.Expires, d.Block)
	}

	owner := v.DisplayName(*d.Owner)
	actor := v.DisplayName(d.Actor)
	if grant.Rule == cw721.RuleApproval {
		return Counterfactual{
			Text:    fmt.Sprintf("%s revokes the approval for %s", owner, actor),
			By:      *d.Owner,
			Message: &cw721.Revoke{Spender: d.Actor, TokenID: *d.TokenID},
		}
	}
	return Counterfactual{
		Text:    fmt.Sprintf("%s revokes %s as operator", owner, actor),
		By:      *d.Owner,
		Message: &cw721.RevokeAll{Operator: d.Actor},
	}
}

// whatWouldAllow returns the smallest change after which a refused message would be
// allowed: the owner of the token gives the actor a grant, or somebody gives the actor
// a role.
func whatWouldAllow(v *chain.View, d *cw721.Decision, msg cw721.ExecuteMsg) Counterfactual {
	last := d.Checks[len(d.Checks)-1]
	if d.Owner == nil || last.Rule == cw721.RuleCreator {
		return giftOfRole(v, d, last, msg)
	}

	actor := v.DisplayName(d.Actor)
	owner := v.DisplayName(*d.Owner)
	for _, check := range d.Checks {
		if check.Rule != cw721.RuleApproval {
			continue
		}
		text := fmt.Sprintf("%s approves %s for this token", owner, actor)
		if check.Expires != nil {
			text = fmt.Sprintf("%s approves %s again: the old approval expired at %s", owner, actor, human.Expiry(*check.Expires))
		}
		return Counterfactual{
			Text:    text,
			By:      *d.Owner,
			Message: &cw721.Approve{Spender: d.Actor, TokenID: *d.TokenID},
		}
	}
	return Counterfactual{
		Text:    fmt.Sprintf("%s makes %s an operator; an approval for one token does not permit approving others", owner, actor),
		By:      *d.Owner,
		Message: &cw721.ApproveAll{Operator: d.Actor},
	}
}

// giftOfRole returns the change that the actor gets the role that a check did not find.
func giftOfRole(v *chain.View, d *cw721.Decision, missing cw721.Check, msg cw721.ExecuteMsg) Counterfactual {
	switch {
	case missing.Rule == cw721.RulePendingOwner:
		return offerOfRole(v, d, msg)
	case missing.Rule == cw721.RuleAdditionalMinter:
		return messageOfMinter(v, d, "adds", &cw721.AddMinter{Minter: d.Actor})
	case missing.Holder == nil:
		return renounced(missing.Rule)
	}
	holder := v.DisplayName(*missing.Holder)
	actor := v.DisplayName(d.Actor)
	return Counterfactual{Text: fmt.Sprintf("%s offers the %s role to %s, who accepts it", holder, missing.Rule, actor)}
}

// renounced returns the answer for a role without a holder, which nobody can give away.
func renounced(role cw721.Rule) Counterfactual {
	return Counterfactual{Text: fmt.Sprintf("nothing can: the %s role was renounced", role)}
}

// messageOfMinter returns the change that the minter sends a message that adds or
// removes the actor as additional minter. verb is "adds" or "removes".
func messageOfMinter(v *chain.View, d *cw721.Decision, verb string, msg cw721.ExecuteMsg) Counterfactual {
	minter := d.Checks[0].Holder
	if minter == nil {
		return renounced(cw721.RuleMinter)
	}
	text := fmt.Sprintf("%s %s %s as additional minter", v.DisplayName(*minter), verb, v.DisplayName(d.Actor))
	return Counterfactual{Text: text, By: *minter, Message: msg}
}

// offerOfRole returns the change that the holder of a role offers it to the actor. msg
// is the refused message, which accepts the role.
func offerOfRole(v *chain.View, d *cw721.Decision, msg cw721.ExecuteMsg) Counterfactual {
	minter, creator, err := v.Roles()
	if err != nil {
		return Counterfactual{Text: "the role is offered to " + v.DisplayName(d.Actor)}
	}

	action := cw721.Offer(d.Actor, nil)
	role := cw721.RuleMinter
	holder := minter.Owner
	var offer cw721.ExecuteMsg = &cw721.UpdateMinterOwnership{OwnershipAction: action}
	if _, isCreator := msg.(*cw721.UpdateCreatorOwnership); isCreator {
		role = cw721.RuleCreator
		holder = creator.Owner
		offer = &cw721.UpdateCreatorOwnership{OwnershipAction: action}
	}
	if holder == nil {
		return renounced(role)
	}
	text := fmt.Sprintf("%s offers the %s role to %s", v.DisplayName(*holder), role, v.DisplayName(d.Actor))
	return Counterfactual{Text: text, By: *holder, Message: offer}
}

package explain

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// takeAway finds what would make a yes a no: every permission that the actor has,
// expired or taken back.
func takeAway(v *chain.View, d *cw721.Decision) Counterfactual {
	passed := d.GrantingCheck()
	actor := v.DisplayName(d.Actor)
	switch passed.Rule {
	case cw721.RuleApproval, cw721.RuleOperator:
		return endPermissions(v, d, livePermissions(v, d, passed))
	case cw721.RuleOwner:
		return Counterfactual{Text: fmt.Sprintf("%s gives the token to someone else", actor)}
	case cw721.RuleMinter, cw721.RuleCreator:
		return Counterfactual{Text: fmt.Sprintf("%s hands over the %s role, or renounces it", actor, passed.Rule)}
	case cw721.RuleAdditionalMinter:
		return byMinter(v, d, "removes", &cw721.RemoveMinter{Minter: d.Actor})
	case cw721.RulePendingOwner:
		if passed.Expires != nil && passed.Expires.Axis != cw721.Never {
			return atEnd("the offer", *passed.Expires, d.Block)
		}
		return Counterfactual{Text: "the role is offered to someone else"}
	}
	return Counterfactual{Text: "nothing can: anyone may"}
}

// atEnd is the clock that reaches the expiry of something.
func atEnd(what string, e cw721.Expiration, b cw721.Block) Counterfactual {
	return Counterfactual{Text: fmt.Sprintf("%s expires at %s (%s)", what, human.Expiry(e), human.ExpiresIn(e, b)), At: &e}
}

// permissionWords names a permission that a rule found.
func permissionWords(r cw721.Rule) string {
	if r == cw721.RuleApproval {
		return "the approval"
	}
	return "the operator grant"
}

// livePermissions gives the grants that let the actor do it now. An approval that
// passes hides the operator grant behind it, which the contract is asked for
// with a message that approvals do not help.
func livePermissions(v *chain.View, d *cw721.Decision, passed cw721.Check) []cw721.Check {
	rights := []cw721.Check{passed}
	if passed.Rule == cw721.RuleApproval {
		behind, err := v.Decide(d.Actor, &cw721.Approve{Spender: d.Actor, TokenID: *d.TokenID})
		if err == nil && behind.Allowed {
			rights = append(rights, behind.GrantingCheck())
		}
	}
	return rights
}

// endPermissions says how all of some permissions stop: they expire, or are taken back.
func endPermissions(v *chain.View, d *cw721.Decision, rights []cw721.Check) Counterfactual {
	var texts []string
	var only Counterfactual
	endless := false
	for _, r := range rights {
		if r.Expires.Axis != cw721.Never {
			only = atEnd(permissionWords(r.Rule), *r.Expires, d.Block)
		} else {
			endless, only = true, takeBack(v, d, r.Rule)
		}
		texts = append(texts, only.Text)
	}
	if len(rights) == 1 {
		return only
	}
	a, b := rights[0].Expires, rights[1].Expires
	if !endless && a.Axis == b.Axis {
		last := rights[0]
		if b.Value > a.Value {
			last = rights[1]
		}
		return atEnd(permissionWords(last.Rule)+", the later of two grants,", *last.Expires, d.Block)
	}
	return Counterfactual{Text: fmt.Sprintf("both grants must go: %s, and %s; a transfer by %s takes both away", texts[0], texts[1], v.DisplayName(*d.Owner))}
}

func takeBack(v *chain.View, d *cw721.Decision, rule cw721.Rule) Counterfactual {
	c := Counterfactual{By: *d.Owner}
	owner, actor := v.DisplayName(*d.Owner), v.DisplayName(d.Actor)
	if rule == cw721.RuleApproval {
		c.Text, c.Message = fmt.Sprintf("%s revokes the approval for %s", owner, actor), &cw721.Revoke{Spender: d.Actor, TokenID: *d.TokenID}
	} else {
		c.Text, c.Message = fmt.Sprintf("%s revokes %s as operator", owner, actor), &cw721.RevokeAll{Operator: d.Actor}
	}
	return c
}

// give finds what would make a no a yes.
func give(v *chain.View, d *cw721.Decision, msg cw721.ExecuteMsg) Counterfactual {
	last := d.Checks[len(d.Checks)-1]
	actor := v.DisplayName(d.Actor)
	if d.Owner == nil || last.Rule == cw721.RuleCreator {
		return giveRole(v, d, last, msg)
	}
	owner := v.DisplayName(*d.Owner)
	for _, c := range d.Checks {
		if c.Rule == cw721.RuleApproval {
			text := fmt.Sprintf("%s approves %s for this token", owner, actor)
			if c.Expires != nil {
				text = fmt.Sprintf("%s approves %s again: the old approval expired at %s", owner, actor, human.Expiry(*c.Expires))
			}
			return Counterfactual{Text: text, By: *d.Owner, Message: &cw721.Approve{Spender: d.Actor, TokenID: *d.TokenID}}
		}
	}
	return Counterfactual{
		Text: fmt.Sprintf("%s makes %s an operator; an approval for one token does not permit approving others", owner, actor),
		By:   *d.Owner, Message: &cw721.ApproveAll{Operator: d.Actor},
	}
}

// giveRole finds who could give a role that is missing.
func giveRole(v *chain.View, d *cw721.Decision, c cw721.Check, msg cw721.ExecuteMsg) Counterfactual {
	actor := v.DisplayName(d.Actor)
	if c.Rule == cw721.RulePendingOwner {
		return giveOffer(v, d, msg)
	}
	if c.Rule == cw721.RuleAdditionalMinter {
		return byMinter(v, d, "adds", &cw721.AddMinter{Minter: d.Actor})
	}
	if c.Holder == nil {
		return Counterfactual{Text: fmt.Sprintf("nothing can: the %s role was renounced", c.Rule)}
	}
	return Counterfactual{Text: fmt.Sprintf("%s offers the %s role to %s, who accepts it", v.DisplayName(*c.Holder), c.Rule, actor)}
}

// byMinter is what the minter can do about an additional one.
func byMinter(v *chain.View, d *cw721.Decision, does string, msg cw721.ExecuteMsg) Counterfactual {
	minter := d.Checks[0].Holder
	if minter == nil {
		return Counterfactual{Text: "nothing can: the minter role was renounced"}
	}
	text := fmt.Sprintf("%s %s %s as additional minter", v.DisplayName(*minter), does, v.DisplayName(d.Actor))
	return Counterfactual{Text: text, By: *minter, Message: msg}
}

func giveOffer(v *chain.View, d *cw721.Decision, msg cw721.ExecuteMsg) Counterfactual {
	minter, creator, err := v.Roles()
	if err != nil {
		return Counterfactual{Text: "the role is offered to " + v.DisplayName(d.Actor)}
	}
	rule, holder, offer := cw721.RuleMinter, minter.Owner, cw721.Offer(d.Actor, nil)
	var message cw721.ExecuteMsg = &cw721.UpdateMinterOwnership{OwnershipAction: offer}
	if _, ok := msg.(*cw721.UpdateCreatorOwnership); ok {
		rule, holder = cw721.RuleCreator, creator.Owner
		message = &cw721.UpdateCreatorOwnership{OwnershipAction: offer}
	}
	if holder == nil {
		return Counterfactual{Text: fmt.Sprintf("nothing can: the %s role was renounced", rule)}
	}
	return Counterfactual{
		Text: fmt.Sprintf("%s offers the %s role to %s", v.DisplayName(*holder), rule, v.DisplayName(d.Actor)),
		By:   *holder, Message: message,
	}
}

package chain

import (
	"fmt"

	"ephemera/core/cw721"
)

// flip finds the smallest change that turns a decision around.
func (v *View) flip(d *cw721.Decision, msg cw721.ExecuteMsg) Flip {
	if d.Allowed {
		return v.takeAway(d)
	}
	return v.give(d, msg)
}

// takeAway finds what would make a yes a no: the check that passed, undone.
func (v *View) takeAway(d *cw721.Decision) Flip {
	var passed cw721.Check
	for _, c := range d.Checks {
		if c.Passed {
			passed = c
		}
	}
	if passed.Expires != nil && passed.Expires.Axis != cw721.Never {
		return Flip{
			Text: fmt.Sprintf("at %s it is over (%s)", End(*passed.Expires), EndsIn(*passed.Expires, d.Block)),
			At:   passed.Expires,
		}
	}
	actor := v.Call(d.Actor)
	switch passed.Rule {
	case cw721.RuleApproval:
		return Flip{
			Text: fmt.Sprintf("%s revokes the approval of %s", v.Call(*d.Owner), actor),
			By:   *d.Owner, Message: &cw721.Revoke{Spender: d.Actor, TokenID: *d.TokenID},
		}
	case cw721.RuleOperator:
		return Flip{
			Text: fmt.Sprintf("%s revokes %s as operator", v.Call(*d.Owner), actor),
			By:   *d.Owner, Message: &cw721.RevokeAll{Operator: d.Actor},
		}
	case cw721.RuleOwner:
		return Flip{Text: fmt.Sprintf("%s gives the token to someone else", actor)}
	case cw721.RuleMinter, cw721.RuleCreator:
		return Flip{Text: fmt.Sprintf("%s hands the role of %s over, or renounces it", actor, passed.Rule)}
	case cw721.RulePendingOwner:
		return Flip{Text: "the offer is made to someone else"}
	}
	return Flip{Text: "nothing: anyone may"}
}

// give finds what would make a no a yes.
func (v *View) give(d *cw721.Decision, msg cw721.ExecuteMsg) Flip {
	last := d.Checks[len(d.Checks)-1]
	actor := v.Call(d.Actor)
	if d.Owner == nil || last.Rule == cw721.RuleCreator {
		return v.giveRole(d, last, msg)
	}
	owner := v.Call(*d.Owner)
	for _, c := range d.Checks {
		if c.Rule == cw721.RuleApproval {
			text := fmt.Sprintf("%s approves %s for this token", owner, actor)
			if c.Expires != nil {
				text = fmt.Sprintf("%s approves %s again; until %s it was live", owner, actor, End(*c.Expires))
			}
			return Flip{Text: text, By: *d.Owner, Message: &cw721.Approve{Spender: d.Actor, TokenID: *d.TokenID}}
		}
	}
	return Flip{
		Text: fmt.Sprintf("%s makes %s an operator: a spender of one token may not approve", owner, actor),
		By:   *d.Owner, Message: &cw721.ApproveAll{Operator: d.Actor},
	}
}

// giveRole finds who could give a role that is missing.
func (v *View) giveRole(d *cw721.Decision, c cw721.Check, msg cw721.ExecuteMsg) Flip {
	actor := v.Call(d.Actor)
	if c.Rule == cw721.RulePendingOwner {
		return v.giveOffer(d, msg)
	}
	if c.Holder == nil {
		return Flip{Text: fmt.Sprintf("nothing: the role of %s was renounced", c.Rule)}
	}
	return Flip{Text: fmt.Sprintf("%s offers the role of %s to %s, who accepts", v.Call(*c.Holder), c.Rule, actor)}
}

func (v *View) giveOffer(d *cw721.Decision, msg cw721.ExecuteMsg) Flip {
	minter, creator, err := cw721.LoadRoles(v.contract)
	if err != nil {
		return Flip{Text: "the role is offered to " + v.Call(d.Actor)}
	}
	rule, holder, offer := cw721.RuleMinter, minter.Owner, cw721.Offer(d.Actor, nil)
	var message cw721.ExecuteMsg = &cw721.UpdateMinterOwnership{OwnershipAction: offer}
	if _, ok := msg.(*cw721.UpdateCreatorOwnership); ok {
		rule, holder = cw721.RuleCreator, creator.Owner
		message = &cw721.UpdateCreatorOwnership{OwnershipAction: offer}
	}
	if holder == nil {
		return Flip{Text: fmt.Sprintf("nothing: the role of %s was renounced", rule)}
	}
	return Flip{
		Text: fmt.Sprintf("%s offers the role of %s to %s", v.Call(*holder), rule, v.Call(d.Actor)),
		By:   *holder, Message: message,
	}
}

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

// takeAway finds what would make a yes a no: every right that the actor has,
// ended or taken back.
func (v *View) takeAway(d *cw721.Decision) Flip {
	passed := lastPassed(d)
	actor := v.Call(d.Actor)
	switch passed.Rule {
	case cw721.RuleApproval, cw721.RuleOperator:
		return v.endRights(d, v.liveRights(d, passed))
	case cw721.RuleOwner:
		return Flip{Text: fmt.Sprintf("%s gives the token to someone else", actor)}
	case cw721.RuleMinter, cw721.RuleCreator:
		return Flip{Text: fmt.Sprintf("%s hands over the %s role, or renounces it", actor, passed.Rule)}
	case cw721.RulePendingOwner:
		if passed.Expires != nil && passed.Expires.Axis != cw721.Never {
			return flipAt("the offer", *passed.Expires, d.Block)
		}
		return Flip{Text: "the role is offered to someone else"}
	}
	return Flip{Text: "nothing can: anyone may"}
}

func lastPassed(d *cw721.Decision) (passed cw721.Check) {
	for _, c := range d.Checks {
		if c.Passed {
			passed = c
		}
	}
	return passed
}

// flipAt is the clock that reaches the end of something.
func flipAt(what string, e cw721.Expiration, b cw721.Block) Flip {
	return Flip{Text: fmt.Sprintf("%s is over at %s (%s)", what, End(e), EndsIn(e, b)), At: &e}
}

// rightWords names a right that a rule found.
func rightWords(r cw721.Rule) string {
	if r == cw721.RuleApproval {
		return "the approval"
	}
	return "the operator grant"
}

// liveRights gives the grants that let the actor do it now. An approval that
// passes hides the operator grant behind it, which the contract is asked for
// with a message that approvals do not help.
func (v *View) liveRights(d *cw721.Decision, passed cw721.Check) []cw721.Check {
	rights := []cw721.Check{passed}
	if passed.Rule == cw721.RuleApproval {
		behind, err := v.Decide(d.Actor, &cw721.Approve{Spender: d.Actor, TokenID: *d.TokenID})
		if err == nil && behind.Allowed {
			rights = append(rights, lastPassed(behind))
		}
	}
	return rights
}

// endRights says how all of some rights end: by themselves, or taken back.
func (v *View) endRights(d *cw721.Decision, rights []cw721.Check) Flip {
	var texts []string
	var only Flip
	endless := false
	for _, r := range rights {
		if r.Expires.Axis != cw721.Never {
			only = flipAt(rightWords(r.Rule), *r.Expires, d.Block)
		} else {
			endless, only = true, v.takeBack(d, r.Rule)
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
		return flipAt(rightWords(last.Rule)+", the later of two rights,", *last.Expires, d.Block)
	}
	return Flip{Text: "both rights must go: " + texts[0] + ", and " + texts[1]}
}

func (v *View) takeBack(d *cw721.Decision, rule cw721.Rule) Flip {
	owner, actor := v.Call(*d.Owner), v.Call(d.Actor)
	if rule == cw721.RuleApproval {
		return Flip{
			Text: fmt.Sprintf("%s revokes the approval for %s", owner, actor),
			By:   *d.Owner, Message: &cw721.Revoke{Spender: d.Actor, TokenID: *d.TokenID},
		}
	}
	return Flip{
		Text: fmt.Sprintf("%s revokes %s as operator", owner, actor),
		By:   *d.Owner, Message: &cw721.RevokeAll{Operator: d.Actor},
	}
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
				text = fmt.Sprintf("%s approves %s again: the old approval was over at %s", owner, actor, End(*c.Expires))
			}
			return Flip{Text: text, By: *d.Owner, Message: &cw721.Approve{Spender: d.Actor, TokenID: *d.TokenID}}
		}
	}
	return Flip{
		Text: fmt.Sprintf("%s makes %s an operator; an approval for one token does not give the right to approve others", owner, actor),
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
		return Flip{Text: fmt.Sprintf("nothing can: the %s role was renounced", c.Rule)}
	}
	return Flip{Text: fmt.Sprintf("%s offers the %s role to %s, who accepts it", v.Call(*c.Holder), c.Rule, actor)}
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
		return Flip{Text: fmt.Sprintf("nothing can: the %s role was renounced", rule)}
	}
	return Flip{
		Text: fmt.Sprintf("%s offers the %s role to %s", v.Call(*holder), rule, v.Call(d.Actor)),
		By:   *holder, Message: message,
	}
}
